import { z } from 'zod';
import {
  AVAILABILITIES,
  CAPABILITIES,
  type Capability,
  CONNECTION_STATUSES,
  type ConnectionStatus,
  LIVE_CONNECTION,
  OPEN_JOB,
  PROVIDER_NAMES,
  type ProviderName,
  SYNC_STATUSES,
  SYNCED,
} from '../../basics/codes.ts';
import { AppId, ConnectionId, type GrantId, type JobId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { ProviderProfile } from '../../providers/provider.ts';
import { AccessFacts, accessFactsColumns, accessFactsJson } from '../access/access-facts.ts';
import { toInstant } from '../driver/instant.ts';
import type { Fragment, Row, Sql, Transaction } from '../driver/sql.ts';
import { futureRetryAt } from '../jobs/read-jobs.ts';
import { findRow, hasRows, listOf } from '../rows.ts';
import { type AskedOfScope, askedTenantIsRegistered, createScopeRead } from '../scope-reads.ts';
import { sourcesOf } from '../transitions.ts';

/** A capability granted at the last connect, and its availability today. */
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
  /** STALE if the last success is 24 hours old; READY if there are no posts to scan. */
  syncStatus: z.enum(SYNC_STATUSES),
  capabilities: z.array(CapabilityState),
  /** Null if it is 30 days old. */
  profile: StoredProfile.nullable(),
  profileObservedAt: z.date().nullable(),
  lastSuccessfulSyncAt: z.date().nullable(),
  /** Set while its scan waits for a retry. */
  nextRetryAt: z.date().nullable(),
  createdAt: z.date(),
});
export type Connection = z.infer<typeof Connection>;
/** A connection with the facts that decide whether it can be used now. */
export type ConnectionWithFacts = Connection & { readonly accessFacts: AccessFacts };

/** The sync state of a `connection c`. The next retry comes from the scan job, so that no stale wait is shown. */
export const syncColumns = (sql: Sql) => sql`
  case
    when not c.capabilities @> '[{ "capability": "CONTENT_LIST" }]' then 'READY'
    when c.sync_status in ${listOf(sql, SYNCED)} and c.last_successful_sync_at <= business_now() - interval '24 hours' then 'STALE'
    else c.sync_status
  end as sync_status,
  c.last_successful_sync_at,
  (select ${futureRetryAt(sql)} from read_job where connection_id = c.connection_id and kind = 'SCAN'
    and status in ${listOf(sql, OPEN_JOB)}) as next_retry_at
`;

const columns = (sql: Sql) => sql`
  c.connection_id, c.scope_id, c.app_id, c.provider, c.registration_id, c.provider_account_id, c.status,
  ${syncColumns(sql)}, c.capabilities,
  case when c.profile_observed_at > business_now() - interval '30 days' then c.profile end as profile,
  c.profile_observed_at, c.created_at
`;

/** Assigned, because a copy of so many columns takes longer than their check. */
const withFacts = (row: object): ConnectionWithFacts =>
  Object.assign(Connection.parse(row), { accessFacts: AccessFacts.parse(row) });

/**
 * Selects the connection of an `asked` row: one row or none. The limit keeps Postgres from joining whole tables for the
 * rows of a batch.
 */
const askedConnection = (sql: Sql) => sql`
  select ${columns(sql)}, ${accessFactsColumns(sql)}
  from scope s join connection c using (scope_id)
  where s.app_id = asked.app_id and s.tenant_key = asked.tenant_key and s.external_subject_id = asked.external_subject_id
    and c.connection_id = asked.id
  limit 1
`;

/** The facts that decide whether a connection's posts may be read, and those of an answer with posts. */
export const UsedConnection = z.object({
  connectionId: ConnectionId,
  provider: z.enum(PROVIDER_NAMES),
  status: z.enum(CONNECTION_STATUSES),
  capabilities: z.array(CapabilityState),
  lastSuccessfulSyncAt: z.string().transform(toInstant).nullable(),
  accessFacts: AccessFacts,
});
export type UsedConnection = z.infer<typeof UsedConnection>;

/** Selects a `UsedConnection` of an `asked` row, as JSON: one row or none. */
export const askedUsedConnection = (sql: Sql) => sql`
  select c.connection_id, json_build_object(
    'connectionId', c.connection_id, 'provider', c.provider, 'status', c.status, 'capabilities', c.capabilities,
    'lastSuccessfulSyncAt', c.last_successful_sync_at::text,
    'accessFacts', (select ${accessFactsJson(sql)} from (select ${accessFactsColumns(sql)}) as facts)
  ) as used
  from scope s join connection c using (scope_id)
  where s.app_id = asked.app_id and s.tenant_key = asked.tenant_key and s.external_subject_id = asked.external_subject_id
    and c.connection_id = asked.id
  limit 1
`;

interface FoundConnection {
  readonly tenantRegistered: boolean;
  /** Undefined also for another scope's and an erased one. */
  readonly connection: ConnectionWithFacts | undefined;
}

const toFoundConnection = (tenantRegistered: boolean, row: Row): FoundConnection => ({
  tenantRegistered,
  connection: row.connectionId ? withFacts(row) : undefined,
});

export const findConnectionOfScope = createScopeRead<AskedOfScope, FoundConnection>({
  select: askedConnection,
  toAnswer: toFoundConnection,
});

/**
 * Locks a connection's row, then reads the connection. The second statement begins when the first has the lock, so it sees all that the lock has waited for. Another scope's connection and one that never existed run the same
 * statements and look alike.
 */
export async function lockConnectionOfScope(tx: Transaction, asked: AskedOfScope): Promise<FoundConnection> {
  const { appId, scope } = asked;
  const [, [row]] = await Promise.all([
    tx`
      select from connection where connection_id = ${asked.id ?? null} and scope_id = (
        select scope_id from scope
        where app_id = ${appId} and tenant_key = ${scope.tenantKey} and external_subject_id = ${scope.externalSubjectId}
      ) for no key update
    `,
    tx`
      select ${askedTenantIsRegistered(tx)} as is_registered, found.*
      from (select ${appId}::uuid as app_id, ${scope.tenantKey}::text as tenant_key,
        ${scope.externalSubjectId}::text as external_subject_id, ${asked.id ?? null}::uuid as id) as asked
        left join lateral (${askedConnection(tx)}) as found on true
    `,
  ]);
  return toFoundConnection(row?.isRegistered === true, row ?? {});
}

/** Finds a connection by id alone, for use inside the service. */
export async function findConnection(sql: Sql, connectionId: ConnectionId): Promise<ConnectionWithFacts | undefined> {
  const [row] = await sql`
    select ${columns(sql)}, ${accessFactsColumns(sql)}
    from connection c join scope s using (scope_id)
    where c.connection_id = ${connectionId}
  `;
  return row && withFacts(row);
}

/** Finds the connection that a job reads. */
export const findConnectionOfReadJob = (sql: Sql, jobId: JobId): Promise<ConnectionWithFacts | undefined> =>
  findJobsConnection(sql, sql`job_id = ${jobId}`);

/** Finds the connection that a job reads, if the job is RUNNING. */
export const findConnectionOfRunningJob = (sql: Sql, jobId: JobId): Promise<ConnectionWithFacts | undefined> =>
  findJobsConnection(sql, sql`job_id = ${jobId} and status = 'RUNNING'`);

async function findJobsConnection(sql: Sql, isJob: Fragment): Promise<ConnectionWithFacts | undefined> {
  const [row] = await sql`
    select ${columns(sql)}, ${accessFactsColumns(sql)}
    from connection c join scope s using (scope_id)
    where c.connection_id = (select connection_id from read_job where ${isJob})
  `;
  return row && withFacts(row);
}

/** The last row of the page before. */
export interface ConnectionKey {
  readonly createdAt: Date;
  readonly connectionId: ConnectionId;
}

/**
 * A subject's connections in every status, oldest first. Request one more than a page to find out whether another page
 * follows.
 */
export async function listConnections(
  sql: Sql,
  scopeId: ScopeId | undefined,
  page: { limit: number; after: ConnectionKey | null },
): Promise<ConnectionWithFacts[]> {
  const after = page.after;
  const rows = await sql`
    select ${columns(sql)}, ${accessFactsColumns(sql)}
    from connection c join scope s using (scope_id)
    where c.scope_id = ${scopeId ?? null}
      ${after === null ? sql`` : sql`and (c.created_at, c.connection_id) > (${after.createdAt}, ${after.connectionId})`}
    order by c.created_at, c.connection_id
    limit ${page.limit}
  `;
  return rows.map(withFacts);
}

/** Locks the row. The caller holds the scope's lock. */
export async function lockConnection(
  tx: Transaction,
  scopeId: ScopeId | undefined,
  connectionId: ConnectionId | undefined,
): Promise<Connection | undefined> {
  return await findRow(tx, Connection)`
    select ${columns(tx)} from connection c
    where c.connection_id = ${connectionId ?? null} and c.scope_id = ${scopeId ?? null} for no key update
  `;
}

/**
 * Locks the row before a change to its dependent rows. All code locks the scope, then the connection, then the rest, so
 * that transactions do not deadlock.
 */
export async function lockConnectionById(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  await tx`select from connection where connection_id = ${connectionId} for no key update`;
}

/** Compare and set along the transition table. @returns whether the row moved. */
export async function moveConnection(sql: Sql, connectionId: ConnectionId, to: ConnectionStatus): Promise<boolean> {
  return await hasRows(sql)`
    update connection set status = ${to}, changed_at = business_now()
    where connection_id = ${connectionId} and status = any(${[...sourcesOf('connection', to)]})
  `;
}

/**
 * Whether a scope row has a disconnect at this provider whose revoke has not settled, for the connections beside it. Exact
 * while the caller holds the scope's lock.
 */
export async function isDisconnecting(sql: Sql, scopeId: ScopeId, provider: ProviderName): Promise<boolean> {
  return await hasRows(sql)`
    select from connection where scope_id = ${scopeId} and provider = ${provider} and status = 'DISCONNECTED' limit 1
  `;
}

export async function updateProfile(sql: Sql, connectionId: ConnectionId, profile: ProviderProfile): Promise<void> {
  await sql`
    update connection set profile = ${sql.json({ ...profile })}, profile_observed_at = business_now()
    where connection_id = ${connectionId} and status = any(${[...LIVE_CONNECTION]})
  `;
}

/** Updates the state of one capability, as a call with the grant showed it. Ignores grants that have been replaced. */
export async function updateCapability(sql: Sql, grantId: GrantId, state: CapabilityState): Promise<void> {
  await sql`
    update connection set capabilities = (
      select jsonb_agg(case when item ->> 'capability' = ${state.capability} then ${sql.json(state)} else item end order by position)
      from jsonb_array_elements(capabilities) with ordinality as t (item, position)
    )
    where connection_id = (select connection_id from account_grant where grant_id = ${grantId} and status = 'LIVE')
  `;
}

/** Withdraws those of a grant's capabilities that are available. */
export const withdrawCapabilities = (sql: Sql, grantId: GrantId, capabilities: readonly Capability[]): Promise<void> =>
  replaceCapabilities(sql, grantId, capabilities, WORKS, {
    availability: 'NOT_GRANTED',
    reason: 'PERMISSION_WITHDRAWN',
  });

/** The account can no longer be served: nothing that it allowed works. */
export const suspendCapabilities = (sql: Sql, grantId: GrantId): Promise<void> =>
  replaceCapabilities(sql, grantId, CAPABILITIES, WORKS, UNUSABLE);

/** The account can be served again. */
export const resumeCapabilities = (sql: Sql, grantId: GrantId): Promise<void> =>
  replaceCapabilities(sql, grantId, CAPABILITIES, UNUSABLE, WORKS);

/** The state of a capability, with its reason. */
type CapabilityHealth = Omit<CapabilityState, 'capability'>;
const WORKS: CapabilityHealth = { availability: 'AVAILABLE', reason: null };
/** Of an account without a channel, or one that is not professional any more. */
export const UNUSABLE: CapabilityHealth = { availability: 'UNAVAILABLE', reason: 'ACCOUNT_UNUSABLE' };

/** Replaces the states of those capabilities of a grant that have the state `from`. */
async function replaceCapabilities(
  sql: Sql,
  grantId: GrantId,
  capabilities: readonly Capability[],
  from: CapabilityHealth,
  to: CapabilityHealth,
): Promise<void> {
  await sql`
    update connection set capabilities = (
      select jsonb_agg(
        case when item ->> 'capability' = any(${[...capabilities]}) and item @> ${sql.json({ ...from })}
          then item || ${sql.json({ ...to })} else item end
        order by position
      )
      from jsonb_array_elements(capabilities) with ordinality as t (item, position)
    )
    where connection_id = (select connection_id from account_grant where grant_id = ${grantId} and status = 'LIVE')
  `;
}
