import { z } from 'zod';
import { AppId, AttemptId, ConnectionId, CorrelationId, GrantId, RegistrationId } from '../../ids.ts';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../providers/provider.ts';
import { ATTEMPT_STATUSES, type AttemptStatus } from '../attempts.ts';
import {
  CapabilityState,
  CONNECTION_STATUSES,
  type ConnectionStatus,
  SYNC_STATUSES,
  syncColumns,
} from '../connections.ts';
import { GRANT_STATUSES } from '../grants.ts';
import type { Sql } from '../sql.ts';
import { Standing, standingColumns } from '../standing.ts';
import { UNFINISHED_ATTEMPT } from '../transitions.ts';
import type { NewestKey } from './apps.ts';

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

const AdminAttempt = z.object({
  attemptId: AttemptId,
  appId: AppId,
  appName: z.string(),
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  registrationLabel: z.string(),
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** EXPIRED as soon as the deadline has passed. */
  status: z.enum(ATTEMPT_STATUSES),
  resultCode: z.string().nullable(),
  connectionId: ConnectionId.nullable(),
  reconnectConnectionId: ConnectionId.nullable(),
  creatorAction: z.literal('REMOVE_APP_AT_PROVIDER').nullable(),
  correlationId: CorrelationId,
  createdAt: z.date(),
  expiresAt: z.date(),
  finishedAt: z.date().nullable(),
});
export type AdminAttempt = z.infer<typeof AdminAttempt>;

const attempts = (sql: Sql) => sql`
  select attempt_id, app_id, (select name from app where app.app_id = connect_attempt.app_id) as app_name, provider,
    registration_id, (select label from registration r where r.registration_id = connect_attempt.registration_id)
    as registration_label, capabilities, overtaken, result_code, connection_id, reconnect_connection_id, creator_action,
    correlation_id, created_at, expires_at, finished_at,
    case when overtaken then 'EXPIRED' else status end as status
  from connect_attempt
  cross join lateral (
    select status = any(${[...UNFINISHED_ATTEMPT]}) and expires_at <= business_now() as overtaken
  ) clock
`;

export interface AttemptFilter {
  readonly appId: AppId | null;
  readonly provider: ProviderName | null;
  readonly registrationId: RegistrationId | null;
  readonly statuses: readonly AttemptStatus[] | null;
  /** The connection that the attempt created, or was to renew. */
  readonly connectionId: ConnectionId | null;
  readonly resultCode?: string | null;
  /** Attempts that began at this instant or later, and those that began before this one. */
  readonly since?: Date | null;
  readonly before?: Date | null;
}

/** Newest first. */
export async function listAdminAttempts(
  sql: Sql,
  filter: AttemptFilter,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<AdminAttempt[]> {
  const {
    appId,
    provider,
    registrationId,
    statuses,
    connectionId,
    resultCode = null,
    since = null,
    before = null,
  } = filter;
  const rows = await sql`
    select * from (${attempts(sql)}) attempt
    where true
      ${appId === null ? sql`` : sql`and app_id = ${appId}`}
      ${provider === null ? sql`` : sql`and provider = ${provider}`}
      ${registrationId === null ? sql`` : sql`and registration_id = ${registrationId}`}
      ${statuses === null ? sql`` : sql`and status = any(${[...statuses]})`}
      ${connectionId === null ? sql`` : sql`and (connection_id = ${connectionId} or reconnect_connection_id = ${connectionId})`}
      ${resultCode === null ? sql`` : sql`and result_code = ${resultCode}`}
      ${since === null ? sql`` : sql`and created_at >= ${since}`}
      ${before === null ? sql`` : sql`and created_at < ${before}`}
      ${after === null ? sql`` : sql`and (created_at, attempt_id) < (${after.at}, ${after.id})`}
    order by created_at desc, attempt_id desc limit ${limit}
  `;
  return rows.map((row) => AdminAttempt.parse(row));
}

export async function findAdminAttempt(sql: Sql, attemptId: AttemptId): Promise<AdminAttempt | undefined> {
  const [row] = await sql`select * from (${attempts(sql)}) attempt where attempt_id = ${attemptId}`;
  return row && AdminAttempt.parse(row);
}

const AdminGrant = z.object({
  grantId: GrantId,
  attemptId: AttemptId,
  status: z.enum(GRANT_STATUSES),
  permissions: z.array(z.string()),
  obtainedAt: z.date(),
  accessExpiresAt: z.date().nullable(),
  refreshExpiresAt: z.date().nullable(),
  refreshCount: z.number(),
  refreshClaimedAt: z.date().nullable(),
});
/** A grant without its tokens. */
export type AdminGrant = z.infer<typeof AdminGrant>;

/** The newest 50, newest first. */
export async function listAdminGrants(sql: Sql, connectionId: ConnectionId): Promise<AdminGrant[]> {
  const rows = await sql`
    select grant_id, attempt_id, status, permissions, obtained_at, access_expires_at, refresh_expires_at,
      generation - 1 as refresh_count, refresh_claimed_at
    from account_grant where connection_id = ${connectionId} order by obtained_at desc, grant_id limit 50
  `;
  return rows.map((row) => AdminGrant.parse(row));
}
