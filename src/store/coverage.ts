import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ConnectionId } from '../ids.ts';
import type { Sql } from './sql.ts';

/** How far the stored posts answer for a window, and why not for all of it. */
export type Coverage =
  | { readonly complete: true }
  | {
      readonly complete: false;
      readonly reason: 'NEVER_SCANNED' | 'SCAN_RUNNING' | 'SCAN_STALE' | 'SCAN_FAILED' | 'PARTLY_SCANNED';
    };

/**
 * Adds a range that a scan has read to its end. One that reached the scan's own start is kept without an upper end:
 * what is published from then on is newer than the scan, and a caller asking for "up to now" a minute later is covered.
 */
export async function insertCoverage(
  sql: Sql,
  connectionId: ConnectionId,
  range: { publishedAfter: Date; publishedBefore: Date; scannedAt: Date },
): Promise<void> {
  const open = range.publishedBefore >= range.scannedAt;
  await sql`
    insert into coverage (coverage_id, connection_id, published, scanned_at)
    values (${randomUUID()}, ${connectionId},
      tstzrange(${range.publishedAfter}, ${open ? null : range.publishedBefore}), ${range.scannedAt})
  `;
}

const Row = z.object({
  complete: z.boolean(),
  once: z.boolean(),
  ever: z.boolean(),
  running: z.boolean(),
  failed: z.boolean(),
});

/** Recent means scanned in the last 24 hours; each range ages alone, and together they may cover what none covers alone. */
export async function readCoverage(
  sql: Sql,
  connectionId: ConnectionId,
  window: { publishedAfter: Date; publishedBefore: Date },
): Promise<Coverage> {
  const [row] = await sql`
    with asked as (select tstzrange(${window.publishedAfter}, ${window.publishedBefore}) as range),
    recent as (
      select range_agg(published) as ranges from coverage
      where connection_id = ${connectionId} and scanned_at > business_now() - interval '24 hours'
    ),
    ever as (select range_agg(published) as ranges from coverage where connection_id = ${connectionId}),
    last_scan as (
      select status from read_job
      where connection_id = ${connectionId} and kind = 'SCAN' and status in ('SUCCEEDED', 'FAILED')
      order by finished_at desc limit 1
    )
    select
      coalesce(recent.ranges @> asked.range, false) as complete,
      coalesce(ever.ranges @> asked.range, false) as once,
      ever.ranges is not null or exists (select from last_scan) as ever,
      exists (select from read_job where connection_id = ${connectionId} and kind = 'SCAN' and status in ('QUEUED', 'RUNNING')
        and tstzrange(published_after, published_before) && asked.range) as running,
      exists (select from last_scan where status = 'FAILED') as failed
    from asked, recent, ever
  `;
  const found = Row.parse(row);
  if (found.complete) return { complete: true };
  if (found.running) return { complete: false, reason: 'SCAN_RUNNING' };
  if (!found.ever) return { complete: false, reason: 'NEVER_SCANNED' };
  if (found.failed) return { complete: false, reason: 'SCAN_FAILED' };
  if (found.once) return { complete: false, reason: 'SCAN_STALE' };
  return { complete: false, reason: 'PARTLY_SCANNED' };
}
