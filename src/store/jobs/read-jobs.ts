import { z } from 'zod';
import {
  JOB_STATUSES,
  type JobErrorCode,
  PROVIDER_NAMES,
  type ProviderName,
  READ_JOB_KINDS,
  type ReadJobKind,
} from '../../basics/codes.ts';
import { AppId, ConnectionId, CorrelationId, JobId, newId } from '../../basics/ids.ts';
import { type Database, inTransaction, type Sql, type Transaction } from '../driver/sql.ts';
import { columnsOf, findRow, findValue, getRow, listRows } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';

export const ReadJob = z.object({
  jobId: JobId,
  /** Later jobs have higher numbers, whatever the clock says. */
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
  tries: z.number(),
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
  /** For how long somebody has waited for it. */
  ageSeconds: z.number(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  /** Whether callers may continue it: an incomplete, successful scan less than 24 hours old. */
  continuable: z.boolean(),
});
export type ReadJob = z.infer<typeof ReadJob>;

/** The next try of a job that waits for one. Null if the try is due or in progress. */
export const futureRetryAt = (sql: Sql) => sql`
  case when status in ('QUEUED', 'RUNNING') and next_retry_at > business_now() then next_retry_at end
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

export interface ScanWindow {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
}

interface NewJob {
  /** A new one if it is not given. */
  readonly jobId?: JobId;
  readonly connectionId: ConnectionId;
  readonly appId: AppId;
  readonly provider: ProviderName;
  readonly requestedBy: 'CALLER' | 'SERVICE';
  readonly correlationId: CorrelationId;
}

export interface NewScan extends NewJob {
  /** Null for the default: the seven days before now. */
  readonly window: ScanWindow | null;
  readonly maxItems: number;
  /** False if not given. */
  readonly isRefresh?: boolean;
  /** The scan that this one continues. */
  readonly continues: Pick<
    ReadJob,
    'chainNumber' | 'providerCursor' | 'reachedEnd' | 'chainStartedAt' | 'readBefore' | 'createdAt'
  > | null;
}

/** @throws a unique violation while another scan of the connection is in flight. */
export async function insertScan(tx: Sql, scan: NewScan): Promise<ReadJob> {
  const { window, continues } = scan;
  return await getRow(tx, ReadJob)`
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, published_after, published_before,
      window_omitted, max_items, provider_cursor, reached_end, chain_number, chain_started_at, read_before, correlation_id,
      is_refresh)
    values (${scan.jobId ?? newId<JobId>()}, 'SCAN', ${scan.connectionId}, ${scan.appId}, ${scan.provider}, ${scan.requestedBy},
      ${window === null ? tx`business_now() - interval '7 days'` : window.publishedAfter},
      ${window === null ? tx`business_now()` : window.publishedBefore},
      ${window === null}, ${scan.maxItems}, ${continues?.providerCursor ?? null},
      ${continues?.reachedEnd ?? false}, ${continues?.chainNumber ?? null}, ${continues === null ? null : (continues.chainStartedAt ?? continues.createdAt)},
      ${continues?.readBefore ?? null}, ${scan.correlationId}, ${scan.isRefresh ?? false})
    returning ${readJobColumns(tx)}
  `;
}

/** @throws a unique violation while another refresh of the post's metrics is in flight. */
export async function insertMetricsJob(tx: Sql, job: NewJob & { providerContentId: string }): Promise<ReadJob> {
  return await getRow(tx, ReadJob)`
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, provider_content_id, correlation_id)
    values (${job.jobId ?? newId<JobId>()}, 'METRICS', ${job.connectionId}, ${job.appId}, ${job.provider}, ${job.requestedBy},
      ${job.providerContentId}, ${job.correlationId})
    returning ${readJobColumns(tx)}
  `;
}

/** @throws a unique violation while another lookup of the URL is in flight. */
export async function insertLookup(tx: Sql, job: NewJob & { url: string; urlSha256: Buffer }): Promise<ReadJob> {
  return await getRow(tx, ReadJob)`
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, url, url_sha256, correlation_id)
    values (${job.jobId ?? newId<JobId>()}, 'LOOKUP', ${job.connectionId}, ${job.appId}, ${job.provider}, ${job.requestedBy}, ${job.url},
      ${job.urlSha256}, ${job.correlationId})
    returning ${readJobColumns(tx)}
  `;
}

/**
 * Counts callers' jobs in flight for the app. Takes the app's admission lock, the last lock of the transaction, so that
 * the count stays exact until commit.
 */
export async function countCallerJobsInFlight(tx: Transaction, appId: AppId): Promise<number> {
  // In one round trip: the count begins when the lock is taken.
  const [, [row]] = await Promise.all([
    tx`select pg_advisory_xact_lock(hashtextextended('read-jobs:' || ${appId}::text, 0))`,
    tx`
      select count(*)::int as count from read_job
      where app_id = ${appId} and ${isInFlight(tx)} and requested_by = 'CALLER'
    `,
  ]);
  return Number(row?.count);
}

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
const isInFlight = (sql: Sql) => sql`status in ('QUEUED', 'RUNNING')`;

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

/**
 * Assigns a scan of ours to a caller who requested the same window, with as many items, and ends its wait. It counts as requested
 * now.
 */
export async function adoptScan(tx: Transaction, jobId: JobId, maxItems: number): Promise<ReadJob> {
  return await getRow(tx, ReadJob)`
    update read_job set requested_by = 'CALLER', is_refresh = false, max_items = greatest(max_items, ${maxItems}),
      next_retry_at = ${earlierRetryAt(tx)}, wanted_since = business_now()
    where job_id = ${jobId}
    returning ${readJobColumns(tx)}
  `;
}

/** Moves a job to RUNNING and ends its wait. @returns undefined if it has ended. */
export async function moveReadJobToRunning(sql: Sql, jobId: JobId): Promise<ReadJob | undefined> {
  return await findRow(sql, ReadJob)`
    update read_job set status = 'RUNNING', started_at = coalesce(started_at, business_now()),
      next_retry_at = ${earlierRetryAt(sql)}
    where job_id = ${jobId} and status = any(${[...sourcesOf('job', 'RUNNING')]})
    returning ${readJobColumns(sql)}
  `;
}

/** Undoes what was stored for a job that has ended or moved on. */
class JobHasMoved extends Error {}

/**
 * Stores what a job has read, if the job is still RUNNING and where it stood: a disconnected connection stores nothing more, and
 * a page read twice is stored once.
 * @param permit throws if the job may no longer read.
 * @param work its first statements are sent before it is known whether the job has moved. Where it has, they are undone.
 * @returns whether it was stored.
 */
export async function storeForJob(
  sql: Database,
  job: ReadJob,
  permit: (tx: Transaction, job: ReadJob) => Promise<unknown>,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<boolean> {
  try {
    await inTransaction(sql, async (tx) => {
      // All leave in one packet, in this order. After the first statement that fails, the others fail for that reason alone.
      const [unmoved, ...stored] = await Promise.allSettled([lockUnmoved(tx, job), permit(tx, job), work(tx)]);
      if (!getValue(unmoved)) throw new JobHasMoved();
      stored.forEach(getValue);
    });
    return true;
  } catch (error) {
    if (error instanceof JobHasMoved) return false;
    throw error;
  }
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

/** @throws what the promise was rejected with. */
function getValue<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Ends the wait and the row of failures of a job whose step has succeeded. */
export const endSetbacks = (sql: Sql) =>
  sql`next_retry_at = null, tries = 0, failure_type = null, failures_in_a_row = 0`;

/** Stores where a running job continues. */
export async function updateCursor(tx: Transaction, jobId: JobId, cursor: string): Promise<void> {
  await tx`
    update read_job set provider_cursor = ${cursor}, steps = steps + 1, ${endSetbacks(tx)} where job_id = ${jobId}
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
  errorCode: JobErrorCode,
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
