import { z } from 'zod';
import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  DISCONNECT_REASONS,
  PROVIDER_NAMES,
  type ProviderName,
  SYNC_STATUSES,
} from '../../basics/codes.ts';
import { AppId, ConnectionId, JobId, RegistrationId } from '../../basics/ids.ts';
import { AccessFacts, accessFactsColumns } from '../access/access-facts.ts';
import { countUpTo, type RowCount } from '../count-rows.ts';
import type { Sql } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { findValue, getValue } from '../rows.ts';
import { nameAccount } from './account-names.ts';
import { CapabilityState, syncColumns } from './connections.ts';
import { erasesAt } from './proofs.ts';

const AdminConnection = z.object({
  connectionId: ConnectionId,
  appId: AppId,
  appName: z.string(),
  tenantKey: z.string(),
  externalSubjectId: z.string(),
  provider: z.enum(PROVIDER_NAMES),
  providerAccountId: z.string(),
  /** Null if they were last read 30 days ago. */
  accountName: z.string().nullable(),
  accountHandle: z.string().nullable(),
  registrationId: RegistrationId,
  registrationLabel: z.string(),
  status: z.enum(CONNECTION_STATUSES),
  syncStatus: z.enum(SYNC_STATUSES),
  capabilities: z.array(CapabilityState),
  lastSuccessfulSyncAt: z.date().nullable(),
  nextRetryAt: z.date().nullable(),
  createdAt: z.date(),
  changedAt: z.date(),
  /** When the service disconnects it, unless its grant is proven alive or replaced before. */
  erasesAt: z.date().nullable(),
  disconnectReason: z.enum(DISCONNECT_REASONS).nullable(),
  accessFacts: AccessFacts,
});
/** A connection as an operator sees it. Of the profile, only the names. */
export type AdminConnection = z.infer<typeof AdminConnection>;

const fresh = (sql: Sql, field: 'displayName' | 'handle') =>
  sql`case when c.profile_observed_at > business_now() - interval '30 days' then c.profile ->> ${field} end`;

const columns = (sql: Sql) => sql`
  c.connection_id, c.app_id, (select name from app where app.app_id = c.app_id) as app_name, s.tenant_key,
  s.external_subject_id, c.provider, c.provider_account_id, ${fresh(sql, 'displayName')} as account_name,
  ${fresh(sql, 'handle')} as account_handle, c.registration_id,
  (select label from registration r where r.registration_id = c.registration_id) as registration_label,
  c.status, ${syncColumns(sql)}, c.capabilities, c.created_at, c.changed_at, ${erasesAt(sql)} as erases_at,
  (select reason from disconnect_job j where j.connection_id = c.connection_id and j.kind = 'ERASE') as disconnect_reason,
  ${accessFactsColumns(sql)}
`;

const withFacts = (row: object): AdminConnection => AdminConnection.parse({ ...row, accessFacts: row });

export interface ConnectionFilter {
  readonly appId: AppId | null;
  readonly provider: ProviderName | null;
  readonly registrationId: RegistrationId | null;
  readonly statuses: readonly ConnectionStatus[] | null;
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
  /** Exactly a subject, or a platform's id, handle or profile URL of an account; or the beginning of its display name. */
  readonly search?: string | null;
  readonly since?: Date | null;
  readonly before?: Date | null;
  readonly oldestFirst?: boolean | null;
}

/** One status is a range of an index in the order of the list; of several, each has its own. */
const hasStatus = (sql: Sql, statuses: readonly ConnectionStatus[]) =>
  statuses.length === 1 ? sql`and c.status = ${statuses[0] ?? null}` : sql`and c.status = any(${[...statuses]})`;

/** More than one person's connections, or the accounts of one handle. */
const MOST_SOUGHT = 1_000;

/** The connections of a subject or an account. Found first, each by its index. */
const sought = (sql: Sql, text: string) => {
  const { byId, byHandle, byDisplayName } = nameAccount(sql, text);
  return sql`c.connection_id = any(array(
    select connection_id from connection join scope using (scope_id) where external_subject_id = ${text}
    union all select connection_id from connection where ${byId}
    union all select connection_id from connection where ${byHandle}
    union all select connection_id from connection where ${byDisplayName}
    limit ${MOST_SOUGHT}
  ))`;
};

const matching = (sql: Sql, filter: ConnectionFilter) => {
  const { appId, provider, registrationId, statuses, tenantKey, externalSubjectId } = filter;
  const { search = null, since = null, before = null } = filter;
  // Found first, so that the subject's connections come in the order of their index.
  const scopeId = sql`
    select scope_id from scope
    where app_id = ${appId} and tenant_key = ${tenantKey} and external_subject_id = ${externalSubjectId}
  `;
  return sql`
    true
      ${appId === null ? sql`` : sql`and c.app_id = ${appId}`}
      ${provider === null ? sql`` : sql`and c.provider = ${provider}`}
      ${registrationId === null ? sql`` : sql`and c.registration_id = ${registrationId}`}
      ${statuses === null ? sql`` : hasStatus(sql, statuses)}
      ${tenantKey === null ? sql`` : sql`and s.tenant_key = ${tenantKey}`}
      ${externalSubjectId === null ? sql`` : sql`and s.external_subject_id = ${externalSubjectId}`}
      ${appId === null || tenantKey === null || externalSubjectId === null ? sql`` : sql`and c.scope_id = (${scopeId})`}
      ${search === null ? sql`` : sql`and ${sought(sql, search)}`}
      ${since === null ? sql`` : sql`and c.created_at >= ${since}`}
      ${before === null ? sql`` : sql`and c.created_at < ${before}`}
  `;
};

/** Newest first, unless the filter asks for the oldest. */
export async function listAdminConnections(
  sql: Sql,
  filter: ConnectionFilter,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<AdminConnection[]> {
  const isUp = filter.oldestFirst === true;
  const beyond = isUp ? sql`>` : sql`<`;
  const rows = await sql`
    select ${columns(sql)} from connection c join scope s using (scope_id)
    where ${matching(sql, filter)}
      ${after === null ? sql`` : sql`and (c.created_at, c.connection_id) ${beyond} (${after.at}, ${after.id})`}
    order by ${isUp ? sql`c.created_at, c.connection_id` : sql`c.created_at desc, c.connection_id desc`} limit ${limit}
  `;
  return rows.map(withFacts);
}

/** Counts the connections of a filter. By provider and status, triggers keep the count. */
export async function countAdminConnections(sql: Sql, filter: ConnectionFilter): Promise<RowCount> {
  const { provider, statuses, appId, registrationId, search = null, since = null, before = null } = filter;
  if ([appId, registrationId, search, since, before, filter.externalSubjectId].some((value) => value !== null)) {
    return await countUpTo(sql, sql`from connection c join scope s using (scope_id) where ${matching(sql, filter)}`);
  }
  const count = await getValue(sql, z.number())`
    select coalesce(sum(change), 0)::int from connection_count
    where true ${provider === null ? sql`` : sql`and provider = ${provider}`}
      ${statuses === null ? sql`` : sql`and status = any(${[...statuses]})`}
  `;
  return { count, isExact: true };
}

export async function findAdminConnection(sql: Sql, connectionId: ConnectionId): Promise<AdminConnection | undefined> {
  const [row] = await sql`
    select ${columns(sql)} from connection c join scope s using (scope_id) where c.connection_id = ${connectionId}
  `;
  return row && withFacts(row);
}

/**
 * Finds the revoke that ended the grant of a connection with it: of another connection of the same account or principal, and since the
 * platform last accepted the grant. @returns undefined also once the receipt of that revoke has expired
 */
export async function findEndingRevoke(sql: Sql, connectionId: ConnectionId): Promise<JobId | undefined> {
  return await findValue(sql, JobId)`
    with ended as (
      select c.connection_id, c.provider, c.changed_at, g.status, g.principal_mac, g.account_macs,
        greatest(c.proven_at, g.obtained_at) as accepted_at
      from connection c join account_grant g using (connection_id)
      where c.connection_id = ${connectionId} and c.status = 'RECONNECT_REQUIRED'
      order by g.obtained_at desc, g.grant_id limit 1
    )
    select job_id from ended join disconnect_job job on job.finished_at between ended.accepted_at and ended.changed_at
    where ended.status = 'DEAD' and job.kind = 'REVOKE' and job.status = 'SUCCEEDED' and job.creator_action is null
      and job.provider = ended.provider and job.connection_id is distinct from ended.connection_id
      and (job.principal_mac = ended.principal_mac or job.account_macs && ended.account_macs)
    order by job.finished_at desc limit 1
  `;
}
