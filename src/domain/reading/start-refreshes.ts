import { type CorrelationId, newId } from '../../basics/ids.ts';
import { type DueRefresh, takeDueRefreshes } from '../../store/connections/automatic-refresh.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { getBusinessTime, type Transaction } from '../../store/driver/sql.ts';
import type { Due } from '../../store/due.ts';
import { insertScan } from '../../store/jobs/new-reads.ts';
import { findScanInFlight, type ReadJob } from '../../store/jobs/read-jobs.ts';
import { insertDispatches } from '../../store/outbox.ts';
import { buildReadJobDispatch } from '../../workflows/dispatches.ts';
import { mayRead } from '../access/may-read.ts';

const DAY_MS = 86_400_000;
/** The default window of a caller's request. */
const DEFAULT_DAYS = 7;

/**
 * Starts the automatic refreshes that are due. A connection that cannot be read now, or is being scanned, is passed over
 * until its next refresh. Wake the outbox after the commit.
 * @returns the number of scans started.
 */
export async function startRefreshes(tx: Transaction, due: readonly Due[]): Promise<number> {
  const now = await getBusinessTime(tx);
  const refreshes = await takeDueRefreshes(tx, due);
  const jobs = await Promise.all(refreshes.map((refresh) => startRefresh(tx, refresh, now)));
  const started = jobs.filter((job) => job !== undefined);
  await insertDispatches(tx, started.map(buildReadJobDispatch));
  return started.length;
}

async function startRefresh(tx: Transaction, refresh: DueRefresh, now: Date): Promise<ReadJob | undefined> {
  const { connectionId, appId, provider, refreshDays, refreshPosts } = refresh;
  const connection = await findConnection(tx, connectionId);
  if (connection === undefined || mayRead(connection, ['CONTENT_LIST']) !== undefined) return undefined;
  if ((await findScanInFlight(tx, connectionId)) !== undefined) return undefined;
  // The default window counts as omitted, so that a caller who omits it joins this scan.
  const window =
    refreshDays === DEFAULT_DAYS
      ? null
      : { publishedAfter: new Date(now.getTime() - refreshDays * DAY_MS), publishedBefore: now };
  return await insertScan(tx, {
    connectionId,
    appId,
    provider,
    correlationId: newId<CorrelationId>(),
    requestedBy: 'SERVICE',
    isRefresh: true,
    window,
    maxItems: refreshPosts,
    continues: null,
  });
}
