import type { ProviderName } from '../../basics/codes.ts';
import { type AppId, type ConnectionId, type CorrelationId, type JobId, newId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { getRow } from '../rows.ts';
import { earlierRetryAt, isInFlight, ReadJob, readJobColumns } from './read-jobs.ts';

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
  // In this order: the count begins when the lock is taken.
  const [, [row]] = await Promise.all([
    tx`select pg_advisory_xact_lock(hashtextextended('read-jobs:' || ${appId}::text, 0))`,
    tx`
      select count(*)::int as count from read_job
      where app_id = ${appId} and ${isInFlight(tx)} and requested_by = 'CALLER'
    `,
  ]);
  return Number(row?.count);
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
