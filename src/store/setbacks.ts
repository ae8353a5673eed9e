import { z } from 'zod';
import type { JobId } from '../ids.ts';
import type { JobErrorCode } from './read-jobs.ts';
import type { Sql } from './sql.ts';
import { OPEN_JOB } from './transitions.ts';

export interface NotedSetback {
  readonly code: JobErrorCode;
  readonly waitSeconds: number;
}

const Row = z.object({ nextRetryAt: z.date(), firstFailedAt: z.date() });
/** When it has failed first, and when it is tried next. */
type Books = z.infer<typeof Row>;

/** Writes a failed try to the job. @returns undefined when it has ended meanwhile. */
export async function recordReadSetback(sql: Sql, jobId: JobId, setback: NotedSetback): Promise<Books | undefined> {
  const [row] = await sql`
    update read_job set tries = tries + 1, last_failure = ${setback.code},
      first_failed_at = coalesce(first_failed_at, business_now()),
      next_retry_at = business_now() + make_interval(secs => ${setback.waitSeconds})
    where job_id = ${jobId} and status = any(${[...OPEN_JOB]}) returning next_retry_at, first_failed_at
  `;
  return row && Row.parse(row);
}

/** Writes a failed try to the job. */
export async function recordDisconnectSetback(sql: Sql, jobId: JobId, setback: NotedSetback): Promise<Books> {
  const [row] = await sql`
    update disconnect_job set tries = tries + 1, last_failure = ${setback.code},
      first_failed_at = coalesce(first_failed_at, business_now()),
      next_retry_at = business_now() + make_interval(secs => ${setback.waitSeconds})
    where job_id = ${jobId} returning next_retry_at, first_failed_at
  `;
  return Row.parse(row);
}

/** A step of the job has worked: nothing waits for a retry any more. */
export async function clearDisconnectSetback(sql: Sql, jobId: JobId): Promise<void> {
  await sql`update disconnect_job set next_retry_at = null, tries = 0 where job_id = ${jobId} and next_retry_at is not null`;
}
