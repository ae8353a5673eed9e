import { setTimeout as delay } from 'node:timers/promises';
import { StaleDatabaseError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import type { Database } from '../store/driver/sql.ts';
import type { JournalKeeper } from './keep.ts';

/** The pause between two checks of the server that answers. */
const LOOK_EVERY_MS = 1_000;
/** The same while none has answered: nothing is served until the next one is compared. */
const LOOK_AGAIN_MS = 250;
const UNSURE = 'The database has been away, and has not been compared with the erasure journal since.';
/** The process reads the journal, which may be a bucket, after each change of the server, and otherwise this often. */
const CHECK_EVERY_MS = 60_000;
/** The pause between two tries to repeat lines that a fail-over has lost. */
const REPEAT_EVERY_MS = 5_000;

/** Whether the database may serve this process now. */
export interface FreshnessWatch {
  /** Why the database may not serve; undefined if it may. */
  findReason(): string | undefined;
  close(): void;
}

interface WatchOptions {
  readonly lookEveryMs?: number;
  /**
   * Repeats the lines that a fail-over has lost.
   * @param seenAt the last time before at which this process reached the database
   */
  readonly repeat?: (seenAt: Date) => Promise<void>;
}

/** The server that answers. */
interface Server {
  /** A fail-over, a restart and a restore change it. */
  readonly identity: string;
  /** Identifies the cluster and the database. A fail-over keeps it. Null if the server does not expose it. */
  readonly cluster: string | null;
  /** A fail-over begins a new one. */
  readonly timeline: string | null;
  readonly at: Date;
}

/**
 * Compares the database with the erasure journal while the process runs: after a fail-over it may have lost accepted disconnects. While
 * it is older than the journal, and from the moment at which no server answers until one is compared, the process serves no request and
 * takes no work. It resumes when the missing lines have been repeated: by a worker that has seen the fail-over, or by `restore
 * replay` (D-288). An unreadable journal changes nothing: erasures wait for it themselves.
 */
export function watchFreshness(
  sql: Database,
  journal: Pick<JournalKeeper, 'isKept' | 'check'>,
  log: Log,
  { lookEveryMs = LOOK_EVERY_MS, repeat }: WatchOptions = {},
): FreshnessWatch {
  let reason: string | undefined;
  let isAway = false;
  let checkedServer: string | undefined;
  let checkedAtMs = performance.now();
  /** The server at the last successful comparison with the journal. */
  let seen: Server | undefined;
  let repeatedAtMs = Number.NEGATIVE_INFINITY;
  const over = new AbortController();

  async function look(): Promise<void> {
    const server = await identifyServer(sql).catch((error: unknown) => {
      isAway = true;
      throw error;
    });
    const isDue =
      server.identity !== checkedServer || reason !== undefined || performance.now() - checkedAtMs > CHECK_EVERY_MS;
    if (!isDue) {
      [seen, isAway] = [server, false];
      return;
    }
    try {
      await journal.check();
      isAway = false;
      if (reason !== undefined) log.info('The database is as new as the erasure journal again');
      reason = undefined;
      seen = server;
      [checkedServer, checkedAtMs] = [server.identity, performance.now()];
    } catch (error) {
      const isStale = error instanceof StaleDatabaseError;
      if (!isStale) await identifyServer(sql); // If it answers, only the journal could not be read.
      isAway = false;
      if (!isStale) throw error;
      if (reason === undefined)
        log.error('The database is older than the erasure journal: nothing is served', { error });
      reason = error.message;
      if (await repeatAfterFailover(server)) await look();
    }
  }

  /** @returns whether it has repeated the lines that a fail-over has lost. */
  async function repeatAfterFailover(server: Server): Promise<boolean> {
    if (repeat === undefined || seen === undefined || !hasFailedOver(seen, server)) return false;
    if (performance.now() - repeatedAtMs < REPEAT_EVERY_MS) return false;
    repeatedAtMs = performance.now();
    try {
      await repeat(seen.at);
      return true;
    } catch (error) {
      log.error('The erasure journal is not repeated', { error });
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      // A query that fails now is repeated.
      await look().catch(() => {
        checkedServer = undefined;
      });
      await delay(isAway ? Math.min(lookEveryMs, LOOK_AGAIN_MS) : lookEveryMs, undefined, {
        ref: false,
        signal: over.signal,
      }).catch(() => undefined); // Only the signal rejects it.
    }
  }
  if (journal.isKept) void run();
  return { findReason: () => reason ?? (isAway ? UNSURE : undefined), close: () => over.abort() };
}

/** Whether the same database continues on a later timeline. A restore from a backup into the same cluster looks the same. */
const hasFailedOver = (before: Server, now: Server): boolean =>
  before.cluster !== null &&
  before.cluster === now.cluster &&
  before.timeline !== null &&
  now.timeline !== null &&
  before.timeline < now.timeline;

async function identifyServer(sql: Database): Promise<Server> {
  const [row] = await sql`
    select current_timeline() as timeline, current_cluster() as cluster,
      concat_ws('/', current_timeline(), current_cluster(), pg_postmaster_start_time()) as identity, clock_timestamp() as at
  `;
  return row as unknown as Server;
}
