import { z } from 'zod';
import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  PROVIDER_NAMES,
  type ProviderName,
  SYNC_STATUSES,
} from '../../basics/codes.ts';
import { AppId, ConnectionId, RegistrationId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { CapabilityState, syncColumns } from './connections.ts';
import { Standing, standingColumns } from './standing.ts';

const AdminConnection = z.object({
  connectionId: ConnectionId,
  appId: AppId,
  appName: z.string(),
  tenantKey: z.string(),
  externalSubjectId: z.string(),
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  registrationLabel: z.string(),
  status: z.enum(CONNECTION_STATUSES),
  syncStatus: z.enum(SYNC_STATUSES),
  capabilities: z.array(CapabilityState),
  lastSuccessfulSyncAt: z.date().nullable(),
  nextRetryAt: z.date().nullable(),
  createdAt: z.date(),
  changedAt: z.date(),
  standing: Standing,
});
/** A connection as an operator sees it, without data read from the account. */
export type AdminConnection = z.infer<typeof AdminConnection>;

const columns = (sql: Sql) => sql`
  c.connection_id, c.app_id, (select name from app where app.app_id = c.app_id) as app_name, s.tenant_key,
  s.external_subject_id, c.provider, c.registration_id,
  (select label from registration r where r.registration_id = c.registration_id) as registration_label,
  c.status, ${syncColumns(sql)}, c.capabilities, c.created_at, c.changed_at, ${standingColumns(sql)}
`;

const withStanding = (row: object): AdminConnection => AdminConnection.parse({ ...row, standing: row });

export interface ConnectionFilter {
  readonly appId: AppId | null;
  readonly provider: ProviderName | null;
  readonly registrationId: RegistrationId | null;
  readonly statuses: readonly ConnectionStatus[] | null;
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
}

/** One status is a range of an index in the order of the list; of several, each has its own. */
const hasStatus = (sql: Sql, statuses: readonly ConnectionStatus[]) =>
  statuses.length === 1 ? sql`and c.status = ${statuses[0] ?? null}` : sql`and c.status = any(${[...statuses]})`;

/** Newest first. */
export async function listAdminConnections(
  sql: Sql,
  filter: ConnectionFilter,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<AdminConnection[]> {
  const { appId, provider, registrationId, statuses, tenantKey, externalSubjectId } = filter;
  // Found first, so that the subject's connections come in the order of their index.
  const scopeId = sql`
    select scope_id from scope
    where app_id = ${appId} and tenant_key = ${tenantKey} and external_subject_id = ${externalSubjectId}
  `;
  const rows = await sql`
    select ${columns(sql)} from connection c join scope s using (scope_id)
    where true
      ${appId === null ? sql`` : sql`and c.app_id = ${appId}`}
      ${provider === null ? sql`` : sql`and c.provider = ${provider}`}
      ${registrationId === null ? sql`` : sql`and c.registration_id = ${registrationId}`}
      ${statuses === null ? sql`` : hasStatus(sql, statuses)}
      ${tenantKey === null ? sql`` : sql`and s.tenant_key = ${tenantKey}`}
      ${externalSubjectId === null ? sql`` : sql`and s.external_subject_id = ${externalSubjectId}`}
      ${appId === null || tenantKey === null || externalSubjectId === null ? sql`` : sql`and c.scope_id = (${scopeId})`}
      ${after === null ? sql`` : sql`and (c.created_at, c.connection_id) < (${after.at}, ${after.id})`}
    order by c.created_at desc, c.connection_id desc limit ${limit}
  `;
  return rows.map(withStanding);
}

export async function findAdminConnection(sql: Sql, connectionId: ConnectionId): Promise<AdminConnection | undefined> {
  const [row] = await sql`
    select ${columns(sql)} from connection c join scope s using (scope_id) where c.connection_id = ${connectionId}
  `;
  return row && withStanding(row);
}
