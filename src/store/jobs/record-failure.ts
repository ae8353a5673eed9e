import { z } from 'zod';
import { OPEN_JOB } from '../../basics/codes.ts';
import type { JobErrorCode } from '../../basics/failure-codes.ts';
import type { JobId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findRow, getRow } from '../rows.ts';

interface NotedFailure {
  readonly code: JobErrorCode;
  /** The cause: `HTTP_` and a status, a network's code, or null. */
  readonly answer: string | null;
  readonly waitSeconds: number;
}

interface NotedReadFailure extends NotedFailure {
  readonly type: string;
  /** How many failures in a row were of this type. */
  readonly inARow: number;
}

const Row = z.object({ nextRetryAt: z.date(), firstFailedAt: z.date() });
/** The first failure and the next try. */
type RetryTimes = z.infer<typeof Row>;

/** Records a failed try. @returns undefined if the job has ended. */
export async function recordReadFailure(
  sql: Sql,
  jobId: JobId,
  failedTry: NotedReadFailure,
): Promise<RetryTimes | undefined> {
  return await findRow(sql, Row)`
    update read_job set tries = tries + 1, failed_tries = failed_tries + 1, last_tried_at = business_now(), last_answer = ${failedTry.answer},
      last_failure = ${failedTry.code}, failure_type = ${failedTry.type},
      failures_in_a_row = ${failedTry.inARow},
      first_failed_at = coalesce(first_failed_at, business_now()),
      next_retry_at = business_now() + make_interval(secs => ${failedTry.waitSeconds})
    where job_id = ${jobId} and status = any(${[...OPEN_JOB]}) returning next_retry_at, first_failed_at
  `;
}

/** Records a failed try. */
export async function recordDisconnectFailure(sql: Sql, jobId: JobId, failedTry: NotedFailure): Promise<RetryTimes> {
  return await getRow(sql, Row)`
    update disconnect_job set tries = tries + 1, failed_tries = failed_tries + 1, last_tried_at = business_now(), last_answer = ${failedTry.answer},
      last_failure = ${failedTry.code},
      first_failed_at = coalesce(first_failed_at, business_now()),
      next_retry_at = business_now() + make_interval(secs => ${failedTry.waitSeconds})
    where job_id = ${jobId} returning next_retry_at, first_failed_at
  `;
}

/** Clears the wait after a successful step. */
export async function clearDisconnectFailure(sql: Sql, jobId: JobId): Promise<void> {
  await sql`update disconnect_job set next_retry_at = null, tries = 0 where job_id = ${jobId} and next_retry_at is not null`;
}
