import { z } from 'zod';
import { LIVE_CONNECTION, OPEN_JOB, PROVIDER_NAMES } from '../../basics/codes.ts';
import {
  AppId,
  AttemptId,
  BulkDisconnectId,
  ConnectionId,
  ErasureId,
  GrantId,
  JobId,
  newId,
  RegistrationId,
  type ScopeId,
} from '../../basics/ids.ts';
import { isUnfinished } from '../attempts/attempts.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, pageClause } from '../due.ts';
import { forgetAccount, GrantEnd, selectGrantEnd } from '../grants/grant-end.ts';
import type { NewestKey } from '../newest-key.ts';
import { columnsOf, findRow, getRow, listOf, listRows, listValues } from '../rows.ts';

const Erasure = z.object({
  erasureId: ErasureId,
  appId: AppId,
  connectionIds: z.array(ConnectionId),
  requestedAt: z.date(),
  completedAt: z.date().nullable(),
  /** Connections not erased yet. */
  remaining: z.number(),
});
/** The receipt of a person's erasure. */
export type Erasure = z.infer<typeof Erasure>;

const columns = columnsOf('erasure', Erasure, {
  remaining: (sql) => sql`(select count(*)::int from connection c where c.connection_id = any(connection_ids))`,
});

export async function findErasure(sql: Sql, erasureId: ErasureId): Promise<Erasure | undefined> {
  return await findRow(sql, Erasure)`select ${columns(sql)} from erasure where erasure_id = ${erasureId}`;
}

const ListedErasure = Erasure.extend({ appName: z.string() });

/** Newest first. */
export async function listErasures(
  sql: Sql,
  { limit, after }: { limit: number; after: NewestKey | null },
): Promise<z.infer<typeof ListedErasure>[]> {
  return await listRows(sql, ListedErasure)`
    select ${columns(sql)}, (select name from app where app.app_id = erasure.app_id) as app_name from erasure
    ${after === null ? sql`` : sql`where (requested_at, erasure_id) < (${after.at}, ${after.id})`}
    order by requested_at desc, erasure_id desc limit ${limit}
  `;
}

/** The latest erasure of a subject. */
const DisconnectedConnection = z.object({
  connectionId: ConnectionId,
  provider: z.enum(PROVIDER_NAMES),
  requestedAt: z.date(),
  erasedAt: z.date().nullable(),
});

/** Lists the connections of a person whose receipts are kept, the newest 50. */
export async function listDisconnectedOfScope(
  sql: Sql,
  scopeMacs: readonly Buffer[],
): Promise<z.infer<typeof DisconnectedConnection>[]> {
  return await listRows(sql, DisconnectedConnection)`
    select connection_id, provider, created_at as requested_at, case status when 'SUCCEEDED' then finished_at end as erased_at
    from disconnect_job where scope_mac = any(${byteaArray(sql, scopeMacs)}) and kind = 'ERASE'
    order by created_at desc limit 50
  `;
}

export async function findErasureOfScope(sql: Sql, scopeMacs: readonly Buffer[]): Promise<Erasure | undefined> {
  return await findRow(sql, Erasure)`
    select ${columns(sql)} from erasure where scope_mac = any(${byteaArray(sql, scopeMacs)})
    order by requested_at desc limit 1
  `;
}

/** Lists the receipts of an erasure: a revoke and an erase for each connection, and compensating revokes. */
export async function listErasureJobs(sql: Sql, erasureId: ErasureId): Promise<JobId[]> {
  return await listValues(sql, JobId)`
    select job_id from disconnect_job where erasure_id = ${erasureId} order by created_at, job_id
  `;
}

const RemainingData = z.object({
  /** Whether an erasure has replaced the subject's id. */
  forgotten: z.boolean(),
  otherConnections: z.boolean(),
  /** When callers can no longer read the last attempt's result; null if there is none. */
  resultsUntil: z.date().nullable(),
  /** Whether grants without a connection still wait for their revoke. */
  earlierGrants: z.boolean(),
});
/** The data we still hold about a subject, apart from receipts. */
export type RemainingData = z.infer<typeof RemainingData>;

/** @returns undefined if we hold no data. */
export async function findRemainingData(sql: Sql, scopeId: ScopeId | null): Promise<RemainingData | undefined> {
  return await findRow(sql, RemainingData)`
    select erasure_id is not null as forgotten,
      exists (select from connection c where c.scope_id = s.scope_id) as other_connections,
      (select max(result_expires_at) from connect_attempt a where a.scope_id = s.scope_id) as results_until,
      exists (
        select from account_grant g where g.scope_id = s.scope_id and g.connection_id is null and g.status <> 'DEAD'
      ) as earlier_grants
    from scope s where scope_id = ${scopeId}
  `;
}

const RemainingOfRegistration = z.object({
  now: z.date(),
  paused: z.boolean(),
  connections: z.number(),
  /** Attempts and revokes that have not ended: each may hold a code or tokens. */
  unended: z.number(),
  /** When callers can no longer read the last attempt's result; null if there is none. */
  resultsUntil: z.date().nullable(),
  /** When the last receipt was written; null if there is none. */
  lastReceiptAt: z.date().nullable(),
  /** When the last revoke failed whose tokens are kept; null if there is none. */
  lastKeptTokensAt: z.date().nullable(),
  /** The newest first, at most ten. */
  bulkDisconnects: z.array(
    z.object({
      bulkDisconnectId: BulkDisconnectId,
      startedAt: z.coerce.date(),
      finishedAt: z.coerce.date().nullable(),
      disconnected: z.number(),
    }),
  ),
});
/** The data we still hold of a registration's accounts, apart from webhook events. */
export type RemainingOfRegistration = z.infer<typeof RemainingOfRegistration>;

/**
 * In one statement, so that nothing moves between two tables while it reads. Attempts and receipts live for days only, so
 * that it needs no index on them.
 */
export async function getRemainingOfRegistration(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<RemainingOfRegistration> {
  return await getRow(sql, RemainingOfRegistration)`
    select business_now() as now, r.paused_at is not null as paused,
      (select count(*)::int from connection c where c.registration_id = r.registration_id) as connections,
      attempts.unended + jobs.unended + (
        select count(*)::int from account_grant g
        where g.registration_id = r.registration_id and g.connection_id is null and g.status <> 'DEAD'
      ) as unended,
      results_until, last_receipt_at, last_kept_tokens_at, bulk_disconnects
    from registration r,
      lateral (
        select max(result_expires_at) as results_until, (count(*) filter (where ${isUnfinished(sql)}))::int as unended
        from connect_attempt a where a.registration_id = r.registration_id
      ) attempts,
      lateral (
        select max(created_at) as last_receipt_at, max(created_at) filter (where keeps_tokens) as last_kept_tokens_at,
          (count(*) filter (where status = any(${[...OPEN_JOB]})))::int as unended
        from disconnect_job j where j.registration_id = r.registration_id
      ) jobs,
      lateral (
        select coalesce(jsonb_agg(jsonb_build_object('bulkDisconnectId', bulk_disconnect_id, 'startedAt', started_at,
          'finishedAt', finished_at, 'disconnected', disconnected) order by started_at desc), '[]') as bulk_disconnects
        from (
          select * from bulk_disconnect b where b.registration_id = r.registration_id order by started_at desc limit 10
        ) newest
      ) bulk
    where r.registration_id = ${registrationId}
  `;
}

/** A subject: its scope, if it still exists, and all its keyed hashes, which find older jobs. */
export interface Subject {
  readonly scopeId: ScopeId | undefined;
  readonly scopeMacs: readonly Buffer[];
}

/** The subject's jobs that are open or keep tokens, and that belong to no erasure yet. */
const isHeldJob = (sql: Sql, { scopeId, scopeMacs }: Subject) => sql`
  (scope_mac = any(${byteaArray(sql, scopeMacs)}) or scope_id = ${scopeId ?? null})
    and erasure_id is null and (status = any(${[...OPEN_JOB]}) or keeps_tokens)
`;

const AheadOfRevoke = z.object({
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  providerAccountId: z.string(),
  grantId: GrantId.nullable(),
  grantEnd: GrantEnd,
  principalMac: z.instanceof(Buffer).nullable(),
});

/** Lists the connections of a scope that an erasure would disconnect, with the grants that it would revoke. */
export async function listAheadOfRevoke(sql: Sql, scopeId: ScopeId): Promise<z.infer<typeof AheadOfRevoke>[]> {
  return await listRows(sql, AheadOfRevoke)`
    select c.provider, c.registration_id, c.provider_account_id, g.grant_id, g.principal_mac, ${selectGrantEnd(sql, 'g')}
    from connection c left join account_grant g on g.connection_id = c.connection_id and g.status = 'LIVE'
    where c.scope_id = ${scopeId} and c.status in ${listOf(sql, LIVE_CONNECTION)}
    order by c.created_at, c.connection_id
  `;
}

/** Counts the subject's jobs that `isHeldJob` selects. Those of them that have failed keep tokens. */
export async function countSubjectJobs(sql: Sql, subject: Subject): Promise<{ jobs: number; keptTokens: number }> {
  const [row] = await sql`
    select count(*)::int as jobs, count(*) filter (where status = 'FAILED')::int as kept
    from disconnect_job where ${isHeldJob(sql, subject)}
  `;
  return { jobs: Number(row?.jobs), keptTokens: Number(row?.kept) };
}

/**
 * Erases a subject's id, assigns its jobs to the erasure, and discards tokens kept by failed revokes. The caller has
 * disconnected its connections and holds the scope's lock.
 * @returns undefined, without a change, if earlier erasures cover all data of the subject.
 */
export async function insertErasure(
  tx: Transaction,
  subject: Subject & { appId: AppId; scopeMac: Buffer; connectionIds: readonly ConnectionId[] },
): Promise<{ erasureId: ErasureId; keptTokens: number } | undefined> {
  const erasureId = newId<ErasureId>();
  const ofJobs = await listValues(tx, ConnectionId.nullable())`
    update disconnect_job set erasure_id = ${erasureId} where ${isHeldJob(tx, subject)} returning connection_id
  `;
  if (subject.scopeId === undefined && ofJobs.length === 0) return undefined;
  const connectionIds = [...new Set([...subject.connectionIds, ...ofJobs.filter((id) => id !== null)])];
  await tx`
    update disconnect_job set erasure_id = ${erasureId}
    where connection_id = any(${connectionIds}::uuid[]) and erasure_id is null
  `;
  const keptTokens = await discardTokens(tx, tx`erasure_id = ${erasureId}`);
  if (subject.scopeId !== undefined) await forgetSubject(tx, subject.scopeId, erasureId);
  await tx`
    insert into erasure (erasure_id, app_id, scope_mac, connection_ids)
    values (${erasureId}, ${subject.appId}, ${subject.scopeMac}, ${connectionIds}::uuid[])
  `;
  return { erasureId, keptTokens };
}

/**
 * Discards the tokens of these jobs and of their grants. Those revokes cannot be retried. @returns the number of jobs.
 */
async function discardTokens(tx: Transaction, ofErasure: ReturnType<typeof isHeldJob>): Promise<number> {
  const grantIds = await listValues(tx, GrantId.nullable())`
    update disconnect_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
    where ${ofErasure} and status = 'FAILED' and keeps_tokens returning grant_id
  `;
  await tx`
    update account_grant set status = 'DEAD', sealed_tokens = null, ${forgetAccount(tx)}
    where grant_id = any(${grantIds.filter((id) => id !== null)}::uuid[]) and connection_id is null
  `;
  return grantIds.length;
}

/**
 * Replaces the subject's id by a random one, which remaining rows refer to until they are deleted. Forgets the accounts of
 * grants that no connection uses: their attempts have just ended.
 */
async function forgetSubject(tx: Transaction, scopeId: ScopeId, erasureId: ErasureId): Promise<void> {
  await tx`update account_grant set ${forgetAccount(tx)} where scope_id = ${scopeId} and profile is not null`;
  await tx`
    update scope set external_subject_id = 'erased-' || gen_random_uuid(), erasure_id = ${erasureId}
    where scope_id = ${scopeId}
  `;
}

/** Lists tokens that a slow worker kept for an erased person because it had not seen the erasure. */
export async function listLateTokens(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select job_id as id, created_at as due_at from disconnect_job
    where erasure_id is not null and status = 'FAILED' and sealed_tokens is not null
      ${pageClause(sql, sql`created_at`, sql`job_id`, page)}
  `;
}

/** Discards tokens that were kept too late. @returns the number of jobs. */
export const discardLateTokens = (tx: Transaction, jobIds: readonly string[]): Promise<number> =>
  discardTokens(tx, tx`erasure_id is not null and job_id = any(${[...jobIds]}::uuid[])`);

/** Sets the completion time of erasures to the end of their last job. */
export async function completeErasures(sql: Sql, erasureIds: readonly ErasureId[]): Promise<void> {
  await sql`
    update erasure e set completed_at = greatest(requested_at, (
      select max(finished_at) from disconnect_job j where j.erasure_id = e.erasure_id
    ))
    where erasure_id = any(${[...erasureIds]}::uuid[]) and completed_at is null
  `;
}

export async function listUnfinishedAttempts(sql: Sql, scopeId: ScopeId): Promise<AttemptId[]> {
  return await listValues(sql, AttemptId)`
    select attempt_id from connect_attempt where scope_id = ${scopeId} and ${isUnfinished(sql)}
  `;
}
