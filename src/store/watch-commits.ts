import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../basics/log.ts';
import type { Link } from './driver/reconnecting-pool.ts';
import type { Database } from './driver/sql.ts';

const LOOK_EVERY_MS = 5_000;
/** A healthy standby confirms a commit within milliseconds. */
const WAITING = '2 seconds';

/**
 * Logs when commits wait for a synchronous standby. They wait without limit and without an error, while reads continue: nothing
 * else names the reason.
 */
export function watchCommits(
  link: Pick<Link, 'watch'>,
  log: Log,
  lookEveryMs: number = LOOK_EVERY_MS,
): { close(): void } {
  const over = new AbortController();
  let isWaiting = false;

  async function look(): Promise<void> {
    const count = await countWaitingCommits(link.watch);
    if (count > 0 && !isWaiting) log.error('Commits wait for a synchronous standby', { count });
    if (count === 0 && isWaiting) log.info('Commits no longer wait for a standby');
    isWaiting = count > 0;
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      await look().catch(() => undefined); // The users of the database report it.
      await delay(lookEveryMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined); // Only the signal rejects it.
    }
  }
  void run();
  return { close: () => over.abort() };
}

/** Counts commits of this role: wait events of others' sessions are hidden. */
async function countWaitingCommits(sql: Database): Promise<number> {
  const [row] = await sql`
    select count(*)::int as count from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep' and query_start < clock_timestamp() - ${WAITING}::interval
  `;
  return Number(row?.count);
}
