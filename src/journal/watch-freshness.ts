import { setTimeout as delay } from 'node:timers/promises';
import { StaleDatabaseError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/sql.ts';
import type { JournalKeeper } from './keep.ts';

/** Between two looks at which server answers. */
const LOOK_EVERY_MS = 1_000;
/** The journal itself, which may be a bucket, is asked after each change of the server, and else in this time. */
const CHECK_EVERY_MS = 60_000;

/** Knows whether the database may serve this process now. */
export interface FreshnessWatch {
  /** Why the database may not serve; undefined if it may. */
  findReason(): string | undefined;
  close(): void;
}

/**
 * Compares the database with the erasure journal while the process runs: after a fail-over it may have lost accepted disconnects. While
 * it is older than the journal, the process serves nobody and takes no work. It goes on by itself after `restore replay`. An
 * unreadable journal changes nothing: erasures wait for it themselves.
 */
export function watchFreshness(
  sql: Database,
  journal: Pick<JournalKeeper, 'isKept' | 'check'>,
  log: Log,
  lookEveryMs: number = LOOK_EVERY_MS,
): FreshnessWatch {
  let reason: string | undefined;
  let checkedServer: string | undefined;
  let checkedAtMs = performance.now();
  const over = new AbortController();

  async function look(): Promise<void> {
    const server = await identifyServer(sql);
    const isDue = server !== checkedServer || reason !== undefined || performance.now() - checkedAtMs > CHECK_EVERY_MS;
    if (!isDue) return;
    try {
      await journal.check();
      if (reason !== undefined) log.info('The database is as new as the erasure journal again');
      reason = undefined;
      [checkedServer, checkedAtMs] = [server, performance.now()];
    } catch (error) {
      if (!(error instanceof StaleDatabaseError)) throw error;
      if (reason === undefined)
        log.error('The database is older than the erasure journal: nothing is served', { error });
      reason = error.message;
    }
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      // What cannot be asked now is asked again.
      await look().catch(() => {
        checkedServer = undefined;
      });
      await delay(lookEveryMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined); // Only the signal rejects it.
    }
  }
  if (journal.isKept) void run();
  return { findReason: () => reason, close: () => over.abort() };
}

/** A fail-over, a restart and a restore change it. */
async function identifyServer(sql: Database): Promise<string> {
  const [row] = await sql`
    select concat_ws('/', current_timeline(), pg_postmaster_start_time(),
      (select oid from pg_database where datname = current_database())) as server
  `;
  return String(row?.server);
}
