import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './sql.ts';

interface Times {
  /** Between two questions. */
  readonly everyMs: number;
  /** Nothing else uses the connection, so a healthy Postgres answers much sooner. */
  readonly silentMs: number;
  /** Between two new connections, while the old one is silent. */
  readonly retryEveryMs: number;
  /** A healthy Postgres accepts a connection and answers it within this time. */
  readonly answerWithinMs: number;
}

const TIMES: Times = { everyMs: 1_000, silentMs: 5_000, retryEveryMs: 500, answerWithinMs: 3_000 };

/** The way to Postgres, which outlives its connections. */
export interface Link {
  /** Opens a pool. @param open opens it, and later each one that replaces it. */
  openPool(open: () => Database): Database;
  /** Its own connection, for small questions that must not wait for a pool. */
  readonly watch: Database;
  close(): Promise<void>;
}

/*
 * Answers porsager/postgres 1089: the driver has no time limit for an answer, so a statement on a connection that has gone silent waits
 * until the operating system gives up. This file can go when the driver has one (`test/store/reconnecting-pool.test.ts` must still pass).
 */

/**
 * Watches the way to Postgres. A server may be gone without a word, for example after a fail-over. Its connections then wait until the
 * operating system gives up, on Linux after a quarter of an hour. So one connection of its own gets a small question every second.
 * While that is not answered, new connections are tried. As soon as one of them is answered, new pools replace those of the link. The
 * statements that waited on the old ones fail with CONNECTION_DESTROYED.
 * @param openWatch opens a pool of one connection.
 * @param replaced called after each replacement.
 */
export function openLink(openWatch: () => Database, replaced: () => void, times: Times = TIMES): Link {
  const pools = new Set<LastingPool>();
  const over = new AbortController();
  const sleep = (ms: number) => delay(ms, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  let watch = openWatch();

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      const asked = new Probe(watch);
      await waitAtMost(times.silentMs, asked.settled);
      if (!asked.isAnswered && !over.signal.aborted) await replaceIfBetter(asked);
      await sleep(times.everyMs);
    }
  }

  /** Tries new connections until one is answered, or the old one after all. */
  async function replaceIfBetter(asked: Probe): Promise<void> {
    let better: Database | undefined;
    while (!asked.isAnswered && !over.signal.aborted && better === undefined) {
      void tryNew().then((found) => {
        if (found === undefined) return;
        if (better === undefined) better = found;
        else void found.end({ timeout: 0 });
      });
      await sleep(times.retryEveryMs);
    }
    if (better === undefined) return;
    // A process that was frozen finds the first answer only now.
    await sleep(times.retryEveryMs);
    if (asked.isAnswered || over.signal.aborted) return void better.end({ timeout: 0 });
    void watch.end({ timeout: 0 });
    watch = better;
    for (const pool of pools) pool.replace();
    replaced();
  }

  /** @returns a connection that Postgres answers. */
  async function tryNew(): Promise<Database | undefined> {
    const next = openWatch();
    const asked = new Probe(next);
    await waitAtMost(times.answerWithinMs, asked.settled);
    if (asked.hasSucceeded) return next;
    void next.end({ timeout: 0 });
    return undefined;
  }

  void run();
  return {
    openPool(open) {
      const pool = new LastingPool(open, () => void pools.delete(pool));
      pools.add(pool);
      return pool.proxy;
    },
    get watch() {
      return watch;
    },
    async close() {
      over.abort();
      await watch.end({ timeout: 0 });
    },
  };
}

const waitAtMost = (ms: number, settled: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, ms).unref();
    void settled.then(() => {
      clearTimeout(late);
      resolve();
    });
  });

/** A pool under a name that stays while others replace it. */
class LastingPool {
  readonly proxy: Database;
  readonly #open: () => Database;
  #pool: Database;

  constructor(open: () => Database, ended: () => void) {
    this.#open = open;
    this.#pool = open();
    const end: Database['end'] = async (options) => {
      ended();
      await this.#pool.end(options);
    };
    this.proxy = new Proxy(this.#pool, {
      apply: (_first, self, args) => Reflect.apply(this.#pool, self, args),
      get: (_first, name) => (name === 'end' ? end : Reflect.get(this.#pool, name)),
    });
  }

  replace(): void {
    void this.#pool.end({ timeout: 0 });
    this.#pool = this.#open();
  }
}

/** A connection that could not be opened in time is as silent as one that does not answer. */
const SILENT: readonly unknown[] = ['CONNECT_TIMEOUT', 'ETIMEDOUT'];

/** The smallest question to Postgres. */
class Probe {
  readonly settled: Promise<void>;
  /** True also if it has failed: the driver reconnects automatically. */
  isAnswered = false;
  hasSucceeded = false;

  constructor(pool: Database) {
    this.settled = pool`select`.then(
      () => {
        this.isAnswered = true;
        this.hasSucceeded = true;
      },
      (error: unknown) => {
        this.isAnswered = !SILENT.includes((error as { code?: unknown }).code);
      },
    );
  }
}
