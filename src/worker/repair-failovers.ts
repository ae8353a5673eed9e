import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../basics/log.ts';
import { type Database, inTransaction } from '../store/driver/sql.ts';
import {
  finishFailover,
  listConnectionsWithoutReceipts,
  listLostEvents,
  takeFailover,
  writeCorrections,
} from '../store/failovers.ts';
import type { Recall } from '../temporal/recall.ts';

interface Times {
  /** The pause between two checks for a fail-over. */
  readonly everyMs: number;
  /** After this time, Temporal has the requests of workers that died with the database. */
  readonly settleMs: number;
}

const TIMES: Times = { everyMs: 5_000, settleMs: 30_000 };

/** Commits older than this have reached a streaming standby. */
const LOOK_BACK_MS = 3_600_000;
const BATCH = 1_000;

export interface RepairDeps {
  readonly sql: Database;
  readonly recall: Recall;
  readonly log: Log;
}

/**
 * After each fail-over, repairs lost rows from Temporal's histories: it repeats disconnects that were accepted and
 * have left no receipt, and corrects webhooks about events that are gone (D-340). After a fail-over without a loss it finds nothing.
 * @param mayWork false while the database is older than the journal: the replay comes first.
 */
export function watchFailovers(
  deps: RepairDeps,
  mayWork: () => boolean,
  { everyMs, settleMs }: Times = TIMES,
): { close(): Promise<void> } {
  const over = new AbortController();
  const { signal } = over;
  const sleep = (ms: number) => delay(ms, undefined, { signal, ref: false });

  async function look(): Promise<void> {
    const timeline = mayWork() ? await takeFailover(deps.sql) : undefined;
    if (timeline === undefined) return;
    const since = new Date(Date.now() - LOOK_BACK_MS);
    const disconnects = await repeatDisconnects(deps, since);
    await sleep(settleMs);
    const corrections = await correctWebhooks(deps, since);
    await finishFailover(deps.sql, timeline);
    deps.log.info('The database has failed over: its rows were compared with Temporal', {
      count: disconnects + corrections,
    });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // Postgres or Temporal may be away: another check follows, by this worker or another one.
      await look().catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn('Nothing repaired yet after a fail-over', { error });
      });
      await sleep(everyMs).catch(() => undefined); // Only the signal rejects it.
    }
  }
  const running = run();
  return {
    async close() {
      over.abort();
      await running;
    },
  };
}

/** @returns how many were repeated. @internal */
export async function repeatDisconnects({ sql, recall, log }: RepairDeps, since: Date): Promise<number> {
  const begun = await recall.listDisconnects(since);
  let count = 0;
  for (const batch of batchesOf(begun)) {
    for (const connectionId of await listConnectionsWithoutReceipts(sql, batch)) {
      log.warn('The rows of an accepted disconnect were lost: it is carried out again', { connectionId });
      await recall.repeatDisconnect(connectionId);
      count += 1;
    }
  }
  return count;
}

/** @returns the number of connections whose endpoints got a correction. @internal */
export async function correctWebhooks({ sql, recall, log }: RepairDeps, since: Date): Promise<number> {
  let count = 0;
  for await (const { endpointId, told } of recall.listToldEvents(since)) {
    for (const batch of batchesOf(told)) {
      const lost = await listLostEvents(sql, batch);
      if (lost.length === 0) continue;
      log.warn('Webhooks were sent for events that are now lost: they are corrected', {
        endpointId,
        count: lost.length,
      });
      await inTransaction(sql, (tx) => writeCorrections(tx, endpointId, lost));
      count += lost.length;
    }
  }
  return count;
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}
