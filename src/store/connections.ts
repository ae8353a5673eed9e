import postgres from 'postgres';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { AppId, ConnectionId, type GrantId, RegistrationId, ScopeId } from '../ids.ts';
import {
  AVAILABILITIES,
  CAPABILITIES,
  PROVIDER_NAMES,
  type ProviderName,
  type ProviderProfile,
} from '../providers/provider.ts';
import { futureRetryAt } from './read-jobs.ts';
import { type SubjectScope, tenantIsRegistered } from './scopes.ts';
import type { Sql, Transaction } from './sql.ts';
import { Standing, standingColumns } from './standing.ts';
import { sourcesOf } from './transitions.ts';

export const CONNECTION_STATUSES = [
  'CONNECTED',
  'SUSPENDED',
  'RECONNECT_REQUIRED',
  'DISCONNECTED',
  'DELETING',
] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];
export const SYNC_STATUSES = ['PENDING', 'RUNNING', 'READY', 'PARTIAL', 'STALE', 'FAILED'] as const;

/** What was granted when last connected, and how it stands today. */
export const CapabilityState = z.object({
  capability: z.enum(CAPABILITIES),
  availability: z.enum(AVAILABILITIES),
  reason: z.string().nullable(),
});
export type CapabilityState = z.infer<typeof CapabilityState>;

export const StoredProfile = z.object({
  displayName: z.string().nullable(),
  handle: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  profileUrl: z.string().nullable(),
  description: z.string().nullable(),
});

const Connection = z.object({
  connectionId: ConnectionId,
  scopeId: ScopeId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  providerAccountId: z.string(),
  status: z.enum(CONNECTION_STATUSES),
  /** STALE once the last success is 24 hours old; READY where there is nothing to scan. */
  syncStatus: z.enum(SYNC_STATUSES),
  capabilities: z.array(CapabilityState),
  /** Null once it is 30 days old. */
  profile: StoredProfile.nullable(),
  profileObservedAt: z.date().nullable(),
  lastSuccessfulSyncAt: z.date().nullable(),
  /** While its scan waits after a failed try. */
  nextRetryAt: z.date().nullable(),
  createdAt: z.date(),
});
export type Connection = z.infer<typeof Connection>;
/** A connection and all that decides whether it may be used now. */
const StandingConnection = Connection.extend({ standing: Standing });
export type StandingConnection = z.infer<typeof StandingConnection>;

/** How the posts of a `connection c` stand. Its job says whether a scan waits, so that no wait outlives what it was for. */
export const syncColumns = (sql: Sql) => sql`
  case
    when not c.capabilities @> '[{ "capability": "CONTENT_LIST" }]' then 'READY'
    when c.sync_status in ('READY', 'PARTIAL') and c.last_successful_sync_at <= business_now() - interval '24 hours' then 'STALE'
    else c.sync_status
  end as sync_status,
  c.last_successful_sync_at,
  (select ${futureRetryAt(sql)} from read_job where connection_id = c.connection_id and kind = 'SCAN'
    and status in ('QUEUED', 'RUNNING')) as next_retry_at
`;

const columns = (sql: Sql) => sql`
  c.connection_id, c.scope_id, c.app_id, c.provider, c.registration_id, c.provider_account_id, c.status,
  ${syncColumns(sql)}, c.capabilities,
  case when c.profile_observed_at > business_now() - interval '30 days' then c.profile end as profile,
  c.profile_observed_at, c.created_at
`;

const withStanding = (row: object): StandingConnection => StandingConnection.parse({ ...row, standing: row });

/** @throws ServiceError `NOT_FOUND`, also for another scope's: the two run the same statement and look the same. */
export async function getConnection(
  sql: Sql,
  scopeId: ScopeId | undefined,
  connectionId: ConnectionId | undefined,
): Promise<StandingConnection> {
  const [row] = await sql`
    select ${columns(sql)}, ${standingColumns(sql)}
    from connection c join scope s using (scope_id)
    where c.connection_id = ${connectionId ?? null} and c.scope_id = ${scopeId ?? null}
  `;
  if (!row) throw new ServiceError('NOT_FOUND', 'There is no such connection.');
  return withStanding(row);
}

/** Selects a connection of a scope by its id: one row or none. */
export const connectionOfScope = (
  sql: Sql,
  appId: AppId,
  scope: SubjectScope,
  connectionId: ConnectionId | null,
) => sql`
  select ${columns(sql)}, ${standingColumns(sql)}
  from scope s join connection c using (scope_id)
  where s.app_id = ${appId} and s.tenant_key = ${scope.tenantKey} and s.external_subject_id = ${scope.externalSubjectId}
    and c.connection_id = ${connectionId}
`;

const INSTANTS = ['profileObservedAt', 'lastSuccessfulSyncAt', 'nextRetryAt', 'createdAt'];

/** A row of `connectionOfScope` that Postgres has made JSON of. */
export const ConnectionJson = z.record(z.string(), z.unknown()).transform((json) => {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(json)) {
    const key = postgres.toCamel(name);
    row[key] = typeof value === 'string' && INSTANTS.includes(key) ? new Date(value) : value;
  }
  return withStanding(row);
});

/**
 * Reads a connection of a scope, and whether the scope's tenant is registered, in one statement. Another scope's
 * connection, an erased one and one that never existed run the same statement and look the same: undefined.
 */
export async function findConnectionOfScope(
  sql: Sql,
  { appId, scope, connectionId }: { appId: AppId; scope: SubjectScope; connectionId: ConnectionId | undefined },
): Promise<{ tenantRegistered: boolean; connection: StandingConnection | undefined }> {
  const [row] = await sql`
    select ${tenantIsRegistered(sql, appId, scope)} as is_registered, found.*
    from (values (1)) as always left join (${connectionOfScope(sql, appId, scope, connectionId ?? null)}) as found on true
  `;
  return {
    tenantRegistered: z.boolean().parse(row?.isRegistered),
    connection: row?.connectionId ? withStanding(row) : undefined,
  };
}

/** For work inside the service, which knows the connection by its id. */
export async function findConnection(sql: Sql, connectionId: ConnectionId): Promise<StandingConnection | undefined> {
  const [row] = await sql`
    select ${columns(sql)}, ${standingColumns(sql)}
    from connection c join scope s using (scope_id)
    where c.connection_id = ${connectionId}
  `;
  return row && withStanding(row);
}

/** Where a page of connections goes on. */
export interface ConnectionKey {
  readonly createdAt: Date;
  readonly connectionId: ConnectionId;
}

/** A subject's connections in every status, oldest first. Ask for one more than a page to learn of a next one. */
export async function listConnections(
  sql: Sql,
  scopeId: ScopeId | undefined,
  page: { limit: number; after: ConnectionKey | null },
): Promise<StandingConnection[]> {
  const after = page.after;
  const rows = await sql`
    select ${columns(sql)}, ${standingColumns(sql)}
    from connection c join scope s using (scope_id)
    where c.scope_id = ${scopeId ?? null}
      ${after === null ? sql`` : sql`and (c.created_at, c.connection_id) > (${after.createdAt}, ${after.connectionId})`}
    order by c.created_at, c.connection_id
    limit ${page.limit}
  `;
  return rows.map(withStanding);
}

/** Takes the row's lock. Take the scope's first. */
export async function lockConnection(
  tx: Transaction,
  scopeId: ScopeId | undefined,
  connectionId: ConnectionId | undefined,
): Promise<Connection | undefined> {
  const [row] = await tx`
    select ${columns(tx)} from connection c
    where c.connection_id = ${connectionId ?? null} and c.scope_id = ${scopeId ?? null} for update
  `;
  return row && Connection.parse(row);
}

/**
 * Takes the row's lock for work that will change it after something that hangs on it. Everybody locks scope, connection,
 * then the rest, in this order: nobody waits in a circle.
 */
export async function lockConnectionById(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  await tx`select from connection where connection_id = ${connectionId} for no key update`;
}

/** Compare and set along the table of transitions. @returns whether the row moved. */
export async function moveConnection(sql: Sql, connectionId: ConnectionId, to: ConnectionStatus): Promise<boolean> {
  const rows = await sql`
    update connection set status = ${to}, changed_at = business_now()
    where connection_id = ${connectionId} and status = any(${[...sourcesOf('connection', to)]})
    returning connection_id
  `;
  return rows.length > 0;
}

/**
 * Whether an account of the scope at this provider is being let go and its revoke has not settled.
 * Exact while the scope's lock is held.
 */
export async function isDisconnecting(sql: Sql, scopeId: ScopeId, provider: ProviderName): Promise<boolean> {
  const rows = await sql`
    select from connection where scope_id = ${scopeId} and provider = ${provider} and status = 'DISCONNECTED' limit 1
  `;
  return rows.length > 0;
}

export async function updateProfile(sql: Sql, connectionId: ConnectionId, profile: ProviderProfile): Promise<void> {
  await sql`
    update connection set profile = ${sql.json({ ...profile })}, profile_observed_at = business_now()
    where connection_id = ${connectionId} and status = any(${['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED']})
  `;
}

/**
 * Records how one capability stands, without touching the others, as the use of a grant has shown it. What a grant could
 * do that has been replaced meanwhile says nothing of the one in use.
 */
export async function updateCapability(sql: Sql, grantId: GrantId, state: CapabilityState): Promise<void> {
  await sql`
    update connection set capabilities = (
      select jsonb_agg(case when item ->> 'capability' = ${state.capability} then ${sql.json(state)} else item end order by position)
      from jsonb_array_elements(capabilities) with ordinality as t (item, position)
    )
    where connection_id = (select connection_id from account_grant where grant_id = ${grantId} and status = 'LIVE')
  `;
}
