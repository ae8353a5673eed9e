import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './sql.ts';

interface Times {
  /** Between two questions. */
  readonly everyMs: number;
  /** Longer than any statement may take, also behind another one on the same connection. */
  readonly silentMs: number;
  /** A healthy Postgres accepts a connection and answers it within this time. */
  readonly answerWithinMs: number;
}

const TIMES: Times = { everyMs: 10_000, silentMs: 60_000, answerWithinMs: 5_000 };

/**
 * Opens a pool that outlives its connections. A server may be gone without a word, for example after a fail-over. Its
 * connections then wait until the operating system gives up, on Linux after a quarter of an hour. So the pool gets a small
 * question from time to time. If that is not answered in time, but a new connection answers, a new pool replaces it.
 * The statements that waited on the old one fail with CONNECTION_DESTROYED.
 * @param open opens the pool, and later each one that replaces it.
 * @param replaced called after each replacement.
 */
export function openLastingPool(open: () => Database, replaced: () => void, times: Times = TIMES): Database {
  let pool = open();
  let isAsking = false;
  let isOver = false;

  async function ask(): Promise<void> {
    const asked = new Question(pool);
    await asked.wait(times.silentMs);
    if (asked.isAnswered || isOver) return;
    const next = open();
    const askedNext = new Question(next);
    await askedNext.wait(times.answerWithinMs);
    // A process that was frozen finds the first answer only now.
    const isBetter = askedNext.hasSucceeded && !asked.isAnswered && !isOver;
    const useless = isBetter ? pool : next;
    if (isBetter) {
      pool = next;
      replaced();
    }
    void useless.end({ timeout: 0 });
  }

  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void ask().finally(() => {
      isAsking = false;
    });
  }, times.everyMs).unref();

  const end: Database['end'] = async (options) => {
    isOver = true;
    clearInterval(timer);
    await pool.end(options);
  };
  return new Proxy(pool, {
    apply: (_first, self, args) => Reflect.apply(pool, self, args),
    get: (_first, name) => (name === 'end' ? end : Reflect.get(pool, name)),
  });
}

/** The smallest question to Postgres. */
class Question {
  readonly #answer: Promise<void>;
  /** True also if it has failed: the driver connects again by itself. */
  isAnswered = false;
  hasSucceeded = false;

  constructor(pool: Database) {
    const end = (hasSucceeded: boolean) => {
      this.isAnswered = true;
      this.hasSucceeded = hasSucceeded;
    };
    this.#answer = pool`select`.then(
      () => end(true),
      () => end(false),
    );
  }

  async wait(ms: number): Promise<void> {
    const over = new AbortController();
    const late = delay(ms, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#answer, late]);
    over.abort();
  }
}
