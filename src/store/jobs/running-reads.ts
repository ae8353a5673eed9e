import type { JobId } from '../../basics/ids.ts';
import { type Database, inTransaction, type Sql, type Transaction } from '../driver/sql.ts';
import { findRow } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import { earlierRetryAt, ReadJob, readJobColumns } from './read-jobs.ts';

/** Moves a job to RUNNING and ends its wait. @returns undefined if it has ended. */
export async function moveReadJobToRunning(sql: Sql, jobId: JobId): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    update read_job set status = 'RUNNING', started_at = coalesce(started_at, business_now()),
      next_retry_at = ${earlierRetryAt(sql)}
    where job_id = ${jobId} and status = any(${[...sourcesOf('job', 'RUNNING')]})
    returning ${readJobColumns(sql)}
  `;
}

/**
 * Stores the results of a job, if the job is still RUNNING at the same position: a disconnected connection stores nothing more, and
 * a page read twice is stored once.
 * @param permit throws if the job may no longer read.
 * @returns whether it was stored.
 */
export async function storeForJob(
  sql: Database,
  job: ReadJob,
  permit: (tx: Transaction, job: ReadJob) => Promise<unknown>,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<boolean> {
  return await inTransaction(sql, async (tx) => {
    // In one round trip and in this order: the permit is read when the rows are locked.
    const [isUnmoved, denial] = await Promise.all([
      lockUnmoved(tx, job),
      permit(tx, job).then(
        () => undefined,
        (error: unknown) => ({ error }),
      ),
    ]);
    if (!isUnmoved) return false;
    if (denial !== undefined) throw denial.error;
    await work(tx);
    return true;
  });
}

/** Locks the connection, then the job. @returns whether the job is RUNNING and where it stood. */
async function lockUnmoved(tx: Transaction, job: ReadJob): Promise<boolean> {
  const [, unmoved] = await Promise.all([
    tx`select from connection where connection_id = ${job.connectionId} for no key update`.execute(),
    tx`
      select from read_job where job_id = ${job.jobId} and status = 'RUNNING' and item_count = ${job.itemCount}
        and provider_cursor is not distinct from ${job.providerCursor}
        and chain_started_at is not distinct from ${job.chainStartedAt}
      for no key update
    `.execute(),
  ]);
  return unmoved.length > 0;
}

/** Ends the wait and the row of failures of a job whose step has succeeded. */
export const clearFailures = (sql: Sql) =>
  sql`next_retry_at = null, tries = 0, failure_type = null, failures_in_a_row = 0`;

/** Stores where a running job continues. */
export async function updateCursor(tx: Transaction, jobId: JobId, cursor: string): Promise<void> {
  await tx`
    update read_job set provider_cursor = ${cursor}, steps = steps + 1, ${clearFailures(tx)} where job_id = ${jobId}
  `;
}
