import { z } from 'zod';
import { JOB_STATUSES, OPEN_JOB, PROVIDER_NAMES, READ_JOB_KINDS, type ReadJobKind } from '../../basics/codes.ts';
import type { JobErrorCode } from '../../basics/failure-codes.ts';
import { AppId, ConnectionId, CorrelationId, JobId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { columnsOf, findRow, findValue, listOf, listRows } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';

export const ReadJob = z.object({
  jobId: JobId,
  /** Later jobs have higher numbers, regardless of the clock. */
  readNumber: z.string(),
  /** The number of the first scan of its chain. */
  chainNumber: z.string(),
  kind: z.enum(READ_JOB_KINDS),
  connectionId: ConnectionId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  requestedBy: z.enum(['CALLER', 'SERVICE']),
  /** An automatic refresh that no caller has asked for. */
  isRefresh: z.boolean(),
  status: z.enum(JOB_STATUSES),
  publishedAfter: z.date().nullable(),
  publishedBefore: z.date().nullable(),
  windowOmitted: z.boolean(),
  maxItems: z.number().nullable(),
  providerContentId: z.string().nullable(),
  url: z.string().nullable(),
  providerCursor: z.string().nullable(),
  itemCount: z.number(),
  /** Steps taken: pages, including empty ones, and parts of a search. */
  steps: z.number(),
  /** Whether it has read its window; only the recheck of posts it did not see remains. */
  reachedEnd: z.boolean(),
  /** When the first scan of its chain requested its first page. */
  chainStartedAt: z.date().nullable(),
  /** The end of the range it reads, set with the first page. */
  readBefore: z.date().nullable(),
  /** Failed tries in a row. */
  tries: z.number(),
  /** All failed tries. */
  failedTries: z.number(),
  lastFailure: z.string().nullable(),
  /** The type of the last failure, and how many in a row were of this type. */
  failureType: z.string().nullable(),
  failuresInARow: z.number(),
  firstFailedAt: z.date().nullable(),
  /** Set while it waits for a retry. */
  nextRetryAt: z.date().nullable(),
  errorCode: z.string().nullable(),
  incompleteReason: z.string().nullable(),
  resultProviderContentId: z.string().nullable(),
  correlationId: CorrelationId,
  createdAt: z.date(),
  /** The time for which it has been wanted. */
  ageSeconds: z.number(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  /** Whether callers may continue it: an incomplete, successful scan less than 24 hours old. */
  continuable: z.boolean(),
});
export type ReadJob = z.infer<typeof ReadJob>;

/** The next try of a job that waits for one. Null if the try is due or in progress. */
export const futureRetryAt = (sql: Sql) => sql`
  case when status in ${listOf(sql, OPEN_JOB)} and next_retry_at > business_now() then next_retry_at end
`;

/** Whether callers may continue a job: an incomplete, successful scan less than 24 hours old. */
export const isContinuable = (sql: Sql) => sql`
  kind = 'SCAN' and status = 'SUCCEEDED' and incomplete_reason is not null and (reached_end or provider_cursor is not null)
    and finished_at > business_now() - interval '24 hours'
`;

/** The value to store when a try begins early. It still shows how long the job has been silent. */
export const earlierRetryAt = (sql: Sql) => sql`
  case when next_retry_at > business_now() then business_now() else next_retry_at end
`;

export const readJobColumns = columnsOf('read_job', ReadJob, {
  readNumber: (sql) => sql`read_number::text`,
  chainNumber: (sql) => sql`coalesce(chain_number, read_number)::text`,
  nextRetryAt: futureRetryAt,
  ageSeconds: (sql) => sql`extract(epoch from business_now() - wanted_since)::float8`,
  continuable: isContinuable,
});

/** A job of a connection, while it is open and for 7 days after. */
export async function findReadJobOfConnection(
  sql: Sql,
  connectionId: ConnectionId,
  jobId: JobId,
): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    select ${readJobColumns(sql)} from read_job
    where job_id = ${jobId} and connection_id = ${connectionId}
      and coalesce(finished_at > business_now() - interval '7 days', true)
  `;
}

/** Finds a job that runs. */
export async function findRunningReadJob(sql: Sql, jobId: JobId): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    select ${readJobColumns(sql)} from read_job where job_id = ${jobId} and status = 'RUNNING'
  `;
}

export async function findReadJob(sql: Sql, jobId: JobId): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`select ${readJobColumns(sql)} from read_job where job_id = ${jobId}`;
}

/** As the partial indexes have it: they serve a plan only if its statuses are literals. */
export const isInFlight = (sql: Sql) => sql`status in ${listOf(sql, OPEN_JOB)}`;

export async function findScanInFlight(sql: Sql, connectionId: ConnectionId): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    select ${readJobColumns(sql)} from read_job
    where connection_id = ${connectionId} and kind = 'SCAN' and ${isInFlight(sql)}
  `;
}

export async function findMetricsJobInFlight(
  sql: Sql,
  connectionId: ConnectionId,
  providerContentId: string,
): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    select ${readJobColumns(sql)} from read_job
    where connection_id = ${connectionId} and kind = 'METRICS' and provider_content_id = ${providerContentId}
      and ${isInFlight(sql)}
  `;
}

export async function findLookupInFlight(
  sql: Sql,
  connectionId: ConnectionId,
  urlSha256: Buffer,
): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    select ${readJobColumns(sql)} from read_job
    where connection_id = ${connectionId} and kind = 'LOOKUP' and url_sha256 = ${urlSha256} and ${isInFlight(sql)}
  `;
}

export type ReadJobEnd =
  | {
      readonly status: 'SUCCEEDED';
      readonly incompleteReason?: string | null;
      readonly resultProviderContentId?: string | null;
    }
  | { readonly status: 'FAILED'; readonly errorCode: JobErrorCode; readonly incompleteReason?: string | null }
  | { readonly status: 'CANCELED'; readonly errorCode?: JobErrorCode };

/** Compare and set. @returns its kind; undefined if it had ended before. */
export async function moveReadJobToEnd(sql: Sql, jobId: JobId, end: ReadJobEnd): Promise<ReadJobKind | undefined> {
  return await findValue(sql, z.enum(READ_JOB_KINDS))`
    update read_job set status = ${end.status}, finished_at = business_now(), next_retry_at = null,
      error_code = ${'errorCode' in end ? (end.errorCode ?? null) : null},
      incomplete_reason = ${'incompleteReason' in end ? (end.incompleteReason ?? null) : null},
      result_provider_content_id = ${end.status === 'SUCCEEDED' ? (end.resultProviderContentId ?? null) : null}
    where job_id = ${jobId} and status = any(${[...sourcesOf('job', end.status)]})
    returning kind
  `;
}

const CanceledRead = ReadJob.pick({
  jobId: true,
  kind: true,
  appId: true,
  provider: true,
  connectionId: true,
  correlationId: true,
}).extend({ waited: z.boolean() });
/** A job that was canceled. `waited`: for its next try, in its workflow. */
export type CanceledRead = z.infer<typeof CanceledRead>;

/** Cancels a connection's jobs in flight, of these kinds. */
export async function cancelReadJobs(
  tx: Transaction,
  connectionId: ConnectionId,
  errorCode: JobErrorCode | null,
  kinds: readonly ReadJobKind[] = READ_JOB_KINDS,
): Promise<CanceledRead[]> {
  return await listRows(tx, CanceledRead)`
    update read_job set status = 'CANCELED', finished_at = business_now(), next_retry_at = null, error_code = ${errorCode}
    from (
      select job_id, next_retry_at is not null as waited from read_job
      where connection_id = ${connectionId} and kind = any(${[...kinds]})
        -- Each kind in flight has an index. The connection's finished jobs may be many.
        and (kind = 'SCAN' and ${isInFlight(tx)} or kind = 'METRICS' and ${isInFlight(tx)} or kind = 'LOOKUP' and ${isInFlight(tx)})
      for no key update
    ) as found
    where read_job.job_id = found.job_id
    returning read_job.job_id, kind, app_id, provider, connection_id, correlation_id, waited
  `;
}
