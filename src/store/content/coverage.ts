import { z } from 'zod';
import { FINISHED_JOB, OPEN_JOB } from '../../basics/codes.ts';
import type { ConnectionId } from '../../basics/ids.ts';
import { type Fragment, mostAhead, type Sql } from '../driver/sql.ts';
import type { ReadJob } from '../jobs/read-jobs.ts';
import { listOf } from '../rows.ts';

/** Whether stored posts cover a window, and if not, why. */
export type Coverage =
  | { readonly complete: true }
  | {
      readonly complete: false;
      readonly reason: 'NEVER_SCANNED' | 'SCAN_RUNNING' | 'SCAN_STALE' | 'SCAN_FAILED' | 'PARTLY_SCANNED';
    };

/** The most ranges of one connection. It bounds the cost of judging a page, regardless of the number of scans. */
const MAX_RANGES = 1_000;

/**
 * Adds the range that a scan has read to its end, up to the time at which its chain asked for its first page. Adds none
 * for a chain so long that its first posts are no longer listed while the range would still count.
 * Cuts older ranges back to the parts outside the new one, merges those that touch and are too old to count, and deletes those of a clock
 * that has been set back, and the oldest above the limit: repeated scans leave few rows. The caller holds the connection's lock.
 */
export async function insertCoverage(
  sql: Sql,
  scan: Pick<ReadJob, 'connectionId' | 'publishedAfter' | 'readBefore' | 'chainStartedAt'>,
): Promise<void> {
  await sql`
    with scanned as (
      -- The planner computes a range even if the filter leaves no row, and a range that ends before it starts is an error.
      select tstzrange(least(${scan.publishedAfter}, read_to), read_to) as range
      from (select least(${scan.readBefore}, ${scan.chainStartedAt}::timestamptz) as read_to) as end_of_scan
      where read_to > ${scan.publishedAfter} and ${scan.chainStartedAt} > business_now() - interval '29 days'
    ),
    before as (
      delete from coverage using scanned
      where connection_id = ${scan.connectionId}
        and (published && range or scanned_at <= business_now() - interval '24 hours' or scanned_at > ${mostAhead(sql)})
      returning published, scanned_at, scanned_at <= business_now() - interval '24 hours' as is_old,
        scanned_at > ${mostAhead(sql)} as is_wrong
    ),
    remaining as (
      select unnest(tstzmultirange(published) - tstzmultirange(range)) as published, scanned_at
      from before, scanned where not is_old and not is_wrong
      union all
      -- Each with its own age, so that it goes 30 days after its last scan, however often other windows are scanned.
      select unnest(tstzmultirange(whole) - tstzmultirange(range)), (
        select max(scanned_at) from before where is_old and published <@ whole
      )
      from (select unnest(range_agg(published)) as whole from before where is_old) as old, scanned
      union all
      select range, business_now() from scanned
    )
    insert into coverage (coverage_id, connection_id, published, scanned_at)
    select gen_random_uuid(), ${scan.connectionId}, published, scanned_at from remaining
  `;
  await sql`
    delete from coverage where connection_id = ${scan.connectionId} and coverage_id in (
      select coverage_id from coverage where connection_id = ${scan.connectionId}
      order by scanned_at desc, coverage_id offset ${MAX_RANGES}
    )
  `;
}

/** The number of latest scans that can explain an incomplete window. */
const MAX_SCANS = 20;

export const CoverageJson = z.object({
  complete: z.boolean(),
  running: z.boolean(),
  ever: z.boolean(),
  failed: z.boolean(),
  /** The window was covered, but part or all of that coverage is too old. */
  stale: z.boolean(),
});

/**
 * Judges in one row, which `judgeCoverage` reads, whether recent scans cover a window. Recent means finished in the last
 * 24 hours, and not after now: that would be by a clock that has been set back. Each range ages alone, and several together may cover a window. Call it before reading posts, or in the same
 * snapshot: a window judged complete then lacks no post.
 */
export const coverageOf = (sql: Sql, connectionId: Fragment, range: Fragment) => sql`
    with wanted as (select ${range} as range),
    covered as (
      select coalesce(range_agg(published), '{}') as ever,
        coalesce(range_agg(published) filter (
          where scanned_at > business_now() - interval '24 hours' and scanned_at <= ${mostAhead(sql)}
        ), '{}') as recent
      from coverage where connection_id = ${connectionId}
    ),
    scan as (
      select status, finished_at, tstzrange(published_after, published_before) && wanted.range as is_of_window
      from wanted, (
        select status, finished_at, published_after, published_before from read_job
        where connection_id = ${connectionId} and kind = 'SCAN' order by created_at desc limit ${sql.unsafe(String(MAX_SCANS))}
      ) as last_scans
    ),
    last_of_window as (
      select status from scan where is_of_window and status in ${listOf(sql, FINISHED_JOB)} order by finished_at desc limit 1
    )
    select
      recent @> range as complete,
      -- Only an incomplete window needs the rest.
      not recent @> range and exists (select from scan where is_of_window and status in ${listOf(sql, OPEN_JOB)}) as running,
      not isempty(ever) or exists (select from scan where status in ${listOf(sql, FINISHED_JOB)})
        or exists (select from connection where connection_id = ${connectionId} and last_successful_sync_at is not null) as ever,
      not recent @> range and exists (select from last_of_window where status = 'FAILED') as failed,
      ever @> range or ever && range and not recent && range as stale
    from wanted, covered
`;

/** How far the stored posts answer for a window. `readContentListing` asks the same together with the posts. @internal */
export async function getCoverage(
  sql: Sql,
  connectionId: ConnectionId,
  window: { readonly publishedAfter: Date; readonly publishedBefore: Date },
): Promise<Coverage> {
  const { publishedAfter, publishedBefore } = window;
  const [row] = await coverageOf(sql, sql`${connectionId}`, sql`tstzrange(${publishedAfter}, ${publishedBefore})`);
  return judgeCoverage(CoverageJson.parse(row));
}

export function judgeCoverage(found: z.infer<typeof CoverageJson>): Coverage {
  if (found.complete) return { complete: true };
  if (found.running) return { complete: false, reason: 'SCAN_RUNNING' };
  if (!found.ever) return { complete: false, reason: 'NEVER_SCANNED' };
  if (found.failed) return { complete: false, reason: 'SCAN_FAILED' };
  if (found.stale) return { complete: false, reason: 'SCAN_STALE' };
  return { complete: false, reason: 'PARTLY_SCANNED' };
}
