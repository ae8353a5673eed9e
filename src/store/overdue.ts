import { z } from 'zod';
import { OPEN_JOB, PROVIDER_NAMES } from '../basics/codes.ts';
import { AppId, BulkDisconnectId, ConnectionId, CorrelationId, type JobId } from '../basics/ids.ts';
import { isUnfinished } from './attempts/attempts.ts';
import type { Sql } from './driver/sql.ts';
import { Due, type DuePage, hasNoRow, pageClause } from './due.ts';
import { CLAIM_SECONDS } from './grants/refresh-claims.ts';
import { listOf, listRows } from './rows.ts';

/**
 * Rows that are not final and past their deadline or next try, oldest first. Statuses are literals, so that every plan
 * can use the partial indexes.
 */

/** The grace period during which the row's own workflow may still act. */
const overdue = (sql: Sql) => sql`business_now() - interval '90 seconds'`;
/** How long the sweep skips a read job whose workflow runs, because it may wait for a busy provider. */
const CHECK_INTERVAL = '4 minutes';

export async function listOverdueAttempts(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select attempt_id as id, expires_at as due_at from connect_attempt
    where ${isUnfinished(sql)} and status = 'EXCHANGING' and expires_at <= ${overdue(sql)}
      ${pageClause(sql, sql`expires_at`, sql`attempt_id`, page)}
  `;
}

export async function listOverdueIdentityAttempts(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select attempt_id as id, expires_at as due_at from identity_attempt
    where status = 'PENDING' and stage = 'EXCHANGING' and expires_at <= ${overdue(sql)}
      ${pageClause(sql, sql`expires_at`, sql`attempt_id`, page)}
  `;
}

/** Lists grants stored after their attempts had ended. `id` is the attempt's. */
export async function listOrphanedGrants(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select attempt_id as id, obtained_at as due_at from account_grant
    where status = 'PENDING' and obtained_at <= ${overdue(sql)}
      and exists (
        select from connect_attempt a
        where a.attempt_id = account_grant.attempt_id and a.expires_at <= ${overdue(sql)}
      )
      ${pageClause(sql, sql`obtained_at`, sql`attempt_id`, page)}
  `;
}

const readAt = (sql: Sql) => sql`greatest(coalesce(next_retry_at, started_at, created_at), next_check_at)`;

export async function listOverdueReadJobs(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select job_id as id, ${readAt(sql)} as due_at from read_job
    where status in ${listOf(sql, OPEN_JOB)} and ${readAt(sql)} <= ${overdue(sql)}
      ${pageClause(sql, readAt(sql), sql`job_id`, page)}
  `;
}

/** Its workflow runs: the sweep skips the job for a while. */
export async function postponeReadJobCheck(sql: Sql, jobId: JobId): Promise<void> {
  await sql`
    update read_job set next_check_at = business_now() + ${CHECK_INTERVAL}::interval
    where job_id = ${jobId} and status in ${listOf(sql, OPEN_JOB)}
  `;
}

const disconnectAt = (sql: Sql) => sql`greatest(coalesce(next_retry_at, started_at, created_at), next_check_at)`;

/** Without erases that wait for their revoke: one workflow does both, and the list has the revoke. */
export async function listOverdueDisconnectJobs(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select job_id as id, ${disconnectAt(sql)} as due_at from disconnect_job
    where status in ${listOf(sql, OPEN_JOB)} and not awaits_revoke and ${disconnectAt(sql)} <= ${overdue(sql)}
      ${pageClause(sql, disconnectAt(sql), sql`job_id`, page)}
  `;
}

/**
 * Its workflow runs: the sweep skips the job for half of the time that it has been open, a minute at least, 10 at most, and an hour
 * at most in a bulk. Tens of thousands wait for hours behind a platform's rate, and each check is a question to Temporal.
 */
export async function postponeDisconnectJobCheck(sql: Sql, jobId: JobId): Promise<void> {
  await sql`
    update disconnect_job set next_check_at = business_now() + greatest(interval '1 minute',
      least((business_now() - created_at) / 2,
        case when bulk_disconnect_id is null then interval '10 minutes' else interval '1 hour' end))
    where job_id = ${jobId} and status in ${listOf(sql, OPEN_JOB)}
  `;
}

const Hold = Due.extend({ connectionId: ConnectionId, appId: AppId, provider: z.enum(PROVIDER_NAMES) });
/** A suspended connection, and since when it has been suspended. */
export type Hold = z.infer<typeof Hold>;

/**
 * Lists suspended connections that no unsettled revoke affects, by the same rule as `resumeSibling`. A subquery for
 * each row avoids a join with all disconnects.
 */
export async function listOverdueHolds(sql: Sql, page: DuePage): Promise<Hold[]> {
  return await listRows(sql, Hold)`
    select connection_id as id, changed_at as due_at, connection_id, app_id, provider from connection held
    where status = 'SUSPENDED' and changed_at <= ${overdue(sql)}
      and ${hasNoRow(
        sql,
        sql`
          select 1 from connection c
          where c.scope_id = held.scope_id and c.provider = held.provider and c.status = 'DISCONNECTED'
        `,
      )}
      and ${hasNoRow(
        sql,
        sql`
          select 1 from account_grant own join account_grant g using (principal_mac)
            join connection c on c.connection_id = g.connection_id
          where own.connection_id = held.connection_id and own.status = 'LIVE' and g.status <> 'DEAD'
            and c.status = 'DISCONNECTED'
        `,
      )}
      ${pageClause(sql, sql`changed_at`, sql`connection_id`, page)}
  `;
}

const OpenBulkDisconnect = Due.extend({ bulkDisconnectId: BulkDisconnectId, correlationId: CorrelationId });
export type OpenBulkDisconnect = z.infer<typeof OpenBulkDisconnect>;

/** Lists unfinished bulk disconnects. */
export async function listOpenBulkDisconnects(sql: Sql, page: DuePage): Promise<OpenBulkDisconnect[]> {
  return await listRows(sql, OpenBulkDisconnect)`
    select bulk_disconnect_id as id, started_at as due_at, bulk_disconnect_id, correlation_id from bulk_disconnect
    where finished_at is null
      ${pageClause(sql, sql`started_at`, sql`bulk_disconnect_id`, page)}
  `;
}

/**
 * Lists erasures that left nothing but receipts and are not marked complete. An exchange in flight may still yield a
 * grant to revoke.
 */
export async function listFinishedErasures(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select erasure_id as id, requested_at as due_at from erasure e
    where completed_at is null
      and not exists (select from connection c where c.connection_id = any(e.connection_ids))
      and not exists (
        select from disconnect_job j
        where j.erasure_id = e.erasure_id and (j.status in ${listOf(sql, OPEN_JOB)} or j.keeps_tokens)
      )
      and not exists (
        select from scope s join account_grant g using (scope_id)
        where s.erasure_id = e.erasure_id and g.sealed_tokens is not null
      )
      and not exists (
        select from scope s join connect_attempt a using (scope_id)
        where s.erasure_id = e.erasure_id
          and a.exchange_claimed_at > business_now() - make_interval(secs => ${CLAIM_SECONDS})
          and not exists (select from account_grant g where g.attempt_id = a.attempt_id)
      )
      ${pageClause(sql, sql`requested_at`, sql`erasure_id`, page)}
  `;
}
