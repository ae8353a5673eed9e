import { z } from 'zod';
import { JOB_KINDS, OPEN_JOB, PROVIDER_NAMES } from '../../basics/codes.ts';
import type { JobErrorCode } from '../../basics/failure-codes.ts';
import { AppId, ConnectionId, CorrelationId, GrantId, JobId, type RegistrationId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { listOf, listRows, listValues } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';

/**
 * Sets the next try of waiting jobs to now, so that two requests retry a job once. It also takes jobs that are
 * late for a try, or silent: their workflow may be lost.
 * @returns the ids of the jobs taken.
 */
export async function takeWaitingJobs(sql: Sql, jobIds: readonly JobId[]): Promise<Set<JobId>> {
  const waiting = sql`
    job_id = any(${[...jobIds]}::uuid[]) and status = any(${[...sourcesOf('job', 'RUNNING')]})
      and (next_retry_at not between business_now() - interval '30 seconds' and business_now()
        or coalesce(next_retry_at, started_at, created_at) <= business_now() - interval '15 minutes')
  `;
  const reads = await listValues(sql, JobId)`
    update read_job set next_retry_at = business_now() where ${waiting} returning job_id
  `;
  const others = await listValues(sql, JobId)`
    update disconnect_job set next_retry_at = business_now() where ${waiting} returning job_id
  `;
  return new Set([...reads, ...others]);
}

const WokenJob = z.object({
  jobId: JobId,
  kind: z.enum(JOB_KINDS),
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  connectionId: ConnectionId.nullable(),
  grantId: GrantId.nullable(),
  run: z.number(),
  correlationId: CorrelationId,
  isRefresh: z.boolean(),
});
/** A waiting job whose next try is now, with what its workflow needs. */
export type WokenJob = z.infer<typeof WokenJob>;

/**
 * Sets the next try of a registration's waiting jobs to now, of each table at most `limit`, those with the latest next try first. Leaves
 * rows that other transactions lock: someone acts on them.
 * @param lastFailure the code of their last failed try
 * @param triedBefore the end of the cause: a try that has failed since then had another one
 */
export async function takeJobsOfClient(
  tx: Transaction,
  registrationId: RegistrationId,
  { lastFailure, triedBefore, limit }: { lastFailure: JobErrorCode; triedBefore: Date; limit: number },
): Promise<WokenJob[]> {
  const waiting = (ofJob: Fragment) => tx`
    status in ${listOf(tx, OPEN_JOB)} and next_retry_at > business_now() and last_failure = ${lastFailure}
      and coalesce(last_tried_at, '-infinity') <= ${triedBefore} and ${ofJob} = ${registrationId}
    order by next_retry_at desc limit ${limit} for no key update of job skip locked
  `;
  const ofConnection = tx`(select c.registration_id from connection c where c.connection_id = job.connection_id)`;
  const reads = await listRows(tx, WokenJob)`
    update read_job set next_retry_at = business_now()
    where job_id in (select job_id from read_job job where ${waiting(ofConnection)})
    returning job_id, kind, app_id, provider, connection_id, null as grant_id, 0 as run, correlation_id, is_refresh
  `;
  const others = await listRows(tx, WokenJob)`
    update disconnect_job set next_retry_at = business_now()
    where job_id in (select job_id from disconnect_job job where ${waiting(tx`job.registration_id`)})
    returning job_id, kind, app_id, provider, connection_id, grant_id, run, correlation_id, false as is_refresh
  `;
  return [...reads, ...others];
}

/**
 * Queues failed revokes that still have tokens, each with the next run number. They are tried for 72 hours, at most
 * until their receipt expires. Their next try is now: otherwise their age alone would make them overdue.
 * @returns the run of each queued job.
 */
export async function requeueRevokes(tx: Transaction, jobIds: readonly JobId[]): Promise<Map<JobId, number>> {
  // A statement that waits for a lock looks again at its own row only: it would not see that an erasure has discarded the tokens.
  await tx`select from disconnect_job where job_id = any(${[...jobIds]}::uuid[]) order by job_id for no key update`;
  const rows = await tx`
    update disconnect_job set status = 'QUEUED', run = run + 1, spares = true, error_code = null, creator_action = null, finished_at = null,
      next_retry_at = business_now(), next_check_at = null,
      give_up_at = least(business_now() + interval '72 hours', created_at + interval '7 days')
    where job_id = any(${[...jobIds]}::uuid[]) and status = any(${[...sourcesOf('job', 'QUEUED')]}) and kind <> 'ERASE'
      and grant_id is not null
      and job_id in (select a.job_id from admin_job a where a.job_id = disconnect_job.job_id and a.revocable)
    returning job_id, run
  `;
  return new Map(rows.map((row) => [JobId.parse(row.jobId), Number(row.run)]));
}
