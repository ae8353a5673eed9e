import { type CorrelationId, newId } from '../../ids.ts';
import { buildReadJobDispatch } from '../../outbox/dispatches.ts';
import { type DueRefresh, takeDueRefreshes } from '../../store/automatic-refresh.ts';
import { findConnection } from '../../store/connections.ts';
import type { Due } from '../../store/due.ts';
import { insertDispatches } from '../../store/outbox.ts';
import { findScanInFlight, insertScan, type ReadJob } from '../../store/read-jobs.ts';
import { getBusinessTime, type Transaction } from '../../store/sql.ts';
import { findUseFault } from './usable.ts';

const DAY_MS = 86_400_000;
/** The default window of a caller's request. */
const DEFAULT_DAYS = 7;

/**
 * Starts the automatic refreshes that are due. A connection that cannot be read now, or is being scanned, is passed over
 * until its next slot. Wake the outbox after the commit.
 * @returns the number of scans started.
 */
export async function startRefreshes(tx: Transaction, due: readonly Due[]): Promise<number> {
  const now = await getBusinessTime(tx);
  const started: ReadJob[] = [];
  for (const refresh of await takeDueRefreshes(tx, due)) {
    const job = await startRefresh(tx, refresh, now);
    if (job !== undefined) started.push(job);
  }
  await insertDispatches(tx, started.map(buildReadJobDispatch));
  return started.length;
}

async function startRefresh(tx: Transaction, refresh: DueRefresh, now: Date): Promise<ReadJob | undefined> {
  const { connectionId, appId, provider, windowDays, newestPosts } = refresh;
  const connection = await findConnection(tx, connectionId);
  if (connection === undefined || findUseFault(connection, ['CONTENT_LIST']) !== undefined) return undefined;
  if ((await findScanInFlight(tx, connectionId)) !== undefined) return undefined;
  // A window that a caller omits is the same as an omitted one: the caller joins the scan.
  const window =
    windowDays === DEFAULT_DAYS
      ? null
      : { publishedAfter: new Date(now.getTime() - windowDays * DAY_MS), publishedBefore: now };
  return await insertScan(tx, {
    connectionId,
    appId,
    provider,
    correlationId: newId<CorrelationId>(),
    requestedBy: 'SERVICE',
    isRefresh: true,
    window,
    maxItems: newestPosts,
    continues: null,
  });
}
