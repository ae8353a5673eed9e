import { z } from 'zod';
import type { JobId } from '../ids.ts';
import type { JobErrorCode } from './read-jobs.ts';
import { type Database, inTransaction, type Sql } from './sql.ts';

export interface NotedSetback {
  readonly code: JobErrorCode;
  readonly waitSeconds: number;
}

const Row = z.object({ nextRetryAt: z.date(), firstFailedAt: z.date() });
/** When it has failed first, and when it is tried next. */
type Books = z.infer<typeof Row>;

/** Writes a failed try to the job and, for a scan, to its connection. */
export async function recordReadSetback(sql: Database, jobId: JobId, setback: NotedSetback): Promise<Books> {
  return await inTransaction(sql, async (tx) => {
    await tx`
      select from connection where connection_id = (select connection_id from read_job where job_id = ${jobId})
      for no key update
    `;
    const [row] = await tx`
      update read_job set tries = tries + 1, last_failure = ${setback.code},
        first_failed_at = coalesce(first_failed_at, business_now()),
        next_retry_at = business_now() + make_interval(secs => ${setback.waitSeconds})
      where job_id = ${jobId} returning next_retry_at, first_failed_at
    `;
    const books = Row.parse(row);
    await tx`
      update connection c set next_retry_at = ${books.nextRetryAt} from read_job j
      where j.job_id = ${jobId} and j.kind = 'SCAN' and c.connection_id = j.connection_id
    `;
    return books;
  });
}

/** Writes a failed try to the job. */
export async function recordReleaseSetback(sql: Sql, jobId: JobId, setback: NotedSetback): Promise<Books> {
  const [row] = await sql`
    update release_job set tries = tries + 1, last_failure = ${setback.code},
      first_failed_at = coalesce(first_failed_at, business_now()),
      next_retry_at = business_now() + make_interval(secs => ${setback.waitSeconds})
    where job_id = ${jobId} returning next_retry_at, first_failed_at
  `;
  return Row.parse(row);
}

/** A step of the job has worked: nothing waits for a retry any more. */
export async function clearReleaseSetback(sql: Sql, jobId: JobId): Promise<void> {
  await sql`update release_job set next_retry_at = null, tries = 0 where job_id = ${jobId} and next_retry_at is not null`;
}
