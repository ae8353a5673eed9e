import type { ConnectionId } from '../ids.ts';
import type { ContentListing } from '../providers/provider.ts';
import { holdConnection } from './connections.ts';
import { storeContent } from './content.ts';
import type { ReadJob } from './read-jobs.ts';
import { type Database, inTransaction, type Sql, type Transaction } from './sql.ts';
import { sourcesOf } from './transitions.ts';

/** Shows on the connection that a scan is at work; not on one that is on its way out. */
export async function beginScan(sql: Sql, job: ReadJob): Promise<void> {
  await sql`
    update connection set sync_status = 'RUNNING' where connection_id = ${job.connectionId} and sync_status <> 'RUNNING'
      and sync_status = any(${[...sourcesOf('sync', 'RUNNING')]}) and status not in ('DISCONNECTED', 'DELETING')
  `;
}

/** Shows on a connection on its way out that the scan it had will not be finished. */
export async function breakOffScan(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  await tx`
    update connection set sync_status = 'FAILED' where connection_id = ${connectionId} and sync_status = 'RUNNING'
  `;
}

/** Shows on the connection how a scan has ended; nothing waits for a retry any more. */
export async function endSync(sql: Sql, connectionId: ConnectionId, to: 'READY' | 'PARTIAL' | 'FAILED'): Promise<void> {
  await sql`
    update connection set sync_status = ${to}, next_retry_at = null,
      last_successful_sync_at = case when ${to} = 'FAILED' then last_successful_sync_at else business_now() end
    where connection_id = ${connectionId} and sync_status = any(${[...sourcesOf('sync', to)]})
  `;
}

/** Stores a page and where the listing goes on, together: a page read twice after a crash is stored once. */
export async function storePage(
  sql: Database,
  job: ReadJob,
  page: ContentListing,
  options: { withMetrics: boolean },
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await holdConnection(tx, job.connectionId);
    const rows = await tx`
      update read_job set provider_cursor = ${page.cursor}, item_count = item_count + ${page.items.length},
        reached_end = ${page.reachedEnd}, next_retry_at = null, tries = 0
      where job_id = ${job.jobId} and status = 'RUNNING' and provider_cursor is not distinct from ${job.providerCursor}
        and item_count = ${job.itemCount}
      returning job_id
    `;
    if (rows.length > 0) await storeContent(tx, job.connectionId, page.items, options);
  });
}
