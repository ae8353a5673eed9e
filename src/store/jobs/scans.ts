import { LIVE_CONNECTION } from '../../basics/codes.ts';
import type { ConnectionId, JobId } from '../../basics/ids.ts';
import type { ContentListing } from '../../providers/provider.ts';
import { type ContentChange, countInserted } from '../content/stored-content.ts';
import { type Database, mostAhead, type Sql, type Transaction, withCommit } from '../driver/sql.ts';
import { type CallLimits, findCallLimitsOfReadJob } from '../registrations/registrations.ts';
import { findRow, listOf } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import type { ScanWindow } from './new-reads.ts';
import { ReadJob, readJobColumns } from './read-jobs.ts';
import { clearFailures, storeForJob } from './running-reads.ts';

/** The range that a scan reads, fixed with its first page. */
export interface ReadWindow extends ScanWindow {
  /** The end of the range. */
  readonly readBefore: Date;
  /** When the first scan of its chain requested its first page. */
  readonly chainStartedAt: Date;
}

/** Shows on a reconnected connection that a scan is about to start: the failure of the last one is over. */
export async function moveSyncToPending(tx: Sql, connectionId: ConnectionId): Promise<void> {
  await tx`
    update connection set sync_status = 'PENDING'
    where connection_id = ${connectionId} and sync_status = any(${[...sourcesOf('sync', 'PENDING')]})
  `;
}

/** Shows on the connection that a scan is running, unless it is disconnected. */
export async function moveSyncToRunning(sql: Sql, job: ReadJob): Promise<void> {
  await sql`
    update connection set sync_status = 'RUNNING' where connection_id = ${job.connectionId} and sync_status <> 'RUNNING'
      and sync_status = any(${[...sourcesOf('sync', 'RUNNING')]}) and status in ${listOf(sql, LIVE_CONNECTION)}
  `;
}

/** Shows on a disconnected connection that its scan was canceled. */
export async function cancelSync(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  await tx`
    update connection set sync_status = 'FAILED' where connection_id = ${connectionId} and sync_status = 'RUNNING'
  `;
}

/**
 * Shows on the connection how a scan ended. A complete one moves the last success to the time at which its chain requested the
 * first page. It never moves back, because a chain may end after a scan that started later.
 */
export async function moveSyncToEnd(
  sql: Sql,
  { connectionId, chainStartedAt }: Pick<ReadJob, 'connectionId' | 'chainStartedAt'>,
  to: 'READY' | 'PARTIAL' | 'FAILED',
): Promise<void> {
  const succeededAt = to === 'READY' ? chainStartedAt : null;
  await sql`
    update connection set sync_status = ${to}, last_successful_sync_at = greatest(${succeededAt}::timestamptz,
      case when last_successful_sync_at <= ${mostAhead(sql)} then last_successful_sync_at end)
    where connection_id = ${connectionId} and sync_status = any(${[...sourcesOf('sync', to)]})
  `;
}

/** A scan after a page, and the limits on its next call. */
export interface ScanPosition {
  readonly job: ReadJob;
  readonly limits: CallLimits | undefined;
}

/**
 * Stores a page, the scan's range and the next cursor together. A page read twice after a crash is stored once, with the
 * time of its own request. A post that the scan has read before counts as one.
 * @returns where the scan continues; undefined if another worker has stored the page, or the scan has ended.
 */
export async function insertPage(
  sql: Database,
  job: ReadJob,
  { window, page }: { window: ReadWindow; page: ContentListing },
  {
    recall,
    ...options
  }: {
    withMetrics: boolean;
    permit: Parameters<typeof storeForJob>[2];
    /** Prepares the rows of posts that are known by a hash only. */
    recall?: (tx: Transaction, providerContentIds: readonly string[]) => Promise<void>;
  },
): Promise<ScanPosition | undefined> {
  let answers: Promise<readonly [unknown, CallLimits | undefined, ReadJob | undefined]> | undefined;
  const isStored = await storeForJob(sql, job, options.permit, async (tx) => {
    const ids = page.items.map(({ providerContentId }) => providerContentId);
    answers = Promise.all([
      recall?.(tx, ids),
      findCallLimitsOfReadJob(tx, job.jobId),
      findRow(tx, ReadJob)`
      with ${countInserted(tx, job.connectionId, page.items, { ...options, readNumber: job.readNumber })}
      update read_job set provider_cursor = ${page.cursor}, item_count = item_count + counted.read, steps = steps + 1,
        reached_end = ${page.reachedEnd}, published_after = ${window.publishedAfter},
        published_before = ${window.publishedBefore}, read_before = ${window.readBefore},
        chain_started_at = ${window.chainStartedAt}, ${clearFailures(tx)},
        added_count = added_count + counted.added, changed_count = changed_count + counted.changed
      from counted where job_id = ${job.jobId} returning ${readJobColumns(tx)}
    `,
    ]);
    await withCommit(tx, answers);
  });
  const [, limits, stored] = (isStored && (await answers)) || [];
  return stored && { job: stored, limits };
}

/** Stores that a scan has rechecked posts, with the changes, which the event of its end reports to the app. */
export async function updateRechecked(tx: Transaction, jobId: JobId, change: ContentChange): Promise<void> {
  const { added, changed, removed } = change;
  await tx`
    update read_job set added_count = added_count + ${added}, changed_count = changed_count + ${changed},
      removed_count = removed_count + ${removed}, steps = steps + 1, ${clearFailures(tx)}
    where job_id = ${jobId}
  `;
}
