import { setTimeout as delay } from 'node:timers/promises';
import { PROVIDER_NAMES, type ProviderName } from '../providers/provider.ts';
import { type Turn, takeTurn } from '../store/provider-rate-limit.ts';
import type { Database } from '../store/sql.ts';

/** A read that waits for its turn. */
interface Waiting {
  readonly appKey: string;
  /** By `performance.now()`. */
  readonly latestAtMs: number;
  readonly resolve: (turn: ReadTurn) => void;
  readonly reject: (error: unknown) => void;
}

/** A turn that is now, or the seconds until one is free, which is too late. */
export type ReadTurn = { readonly taken: true } | { readonly taken: false; readonly waitSeconds: number };

/** A statement without an answer for so long has lost its connection, although no error says so. */
const LONGEST_ANSWER_MS = 10_000;
/** How long the line trusts what it knows. */
const LONGEST_PAUSE_MS = 1_000;
/** So many apps are remembered. A forgotten one counts as one that has made no call yet. */
const MOST_APPS = 1_000;

/**
 * The reads of this process that wait for their turns at one provider. The line takes a turn only once that is free, and gives it to
 * the app whose last turn is longest ago. So an app's backlog is not in the way of another app's single read, and no exchange or
 * revoke finds a long line of reads before it.
 */
export class ReadLine {
  readonly #take: () => Promise<Turn>;
  readonly #waiting = new Set<Waiting>();
  /** The apps in the order of their last turns. */
  readonly #served = new Set<string>();
  #isMoving = false;
  /** When a turn is free, as far as this line knows; by `performance.now()`. */
  #freeAtMs = 0;

  /** @param take takes a turn if one is free now */
  constructor(take: () => Promise<Turn>) {
    this.#take = take;
  }

  /**
   * Waits for a turn, until `latestAtMs` (by `performance.now()`). Ends at once if no turn is free by then.
   * @throws what `take` throws, and the signal's reason if it aborts first
   */
  async waitForTurn(appKey: string, latestAtMs: number, signal: AbortSignal): Promise<ReadTurn> {
    const over = new AbortController();
    try {
      return await new Promise<ReadTurn>((resolve, reject) => {
        const waiting: Waiting = { appKey, latestAtMs, resolve, reject };
        this.#waiting.add(waiting);
        const leave = () => {
          this.#waiting.delete(waiting);
          if (signal.aborted) reject(signal.reason);
          else resolve(this.#refuse());
        };
        const ms = Math.max(0, latestAtMs - performance.now());
        delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).then(leave, leave);
        if (this.#isMoving) this.#refuseLate();
        else void this.#move();
      });
    } finally {
      over.abort();
    }
  }

  /** Gives turns until no read waits. */
  async #move(): Promise<void> {
    this.#isMoving = true;
    while (this.#waiting.size > 0) {
      try {
        const { taken, waitSeconds } = await this.#takeInTime();
        this.#freeAtMs = performance.now() + waitSeconds * 1000;
        if (taken) this.#giveTurn();
        else {
          this.#refuseLate();
          await delay(Math.min(LONGEST_PAUSE_MS, waitSeconds * 1000));
        }
      } catch (error) {
        for (const { reject } of this.#waiting) reject(error);
        this.#waiting.clear();
      }
    }
    this.#isMoving = false;
  }

  /** One lost answer must not stop the reads of a whole process. */
  async #takeInTime(): Promise<Turn> {
    const over = new AbortController();
    const late = delay(LONGEST_ANSWER_MS, undefined, { signal: over.signal }).then(() => {
      throw new Error('Postgres does not say whether a turn is free.');
    });
    try {
      return await Promise.race([this.#take(), late]);
    } finally {
      over.abort();
    }
  }

  #giveTurn(): void {
    const next = this.#findNext();
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#served.delete(next.appKey);
    this.#served.add(next.appKey);
    const [oldest] = this.#served;
    if (oldest !== undefined && this.#served.size > MOST_APPS) this.#served.delete(oldest);
    next.resolve({ taken: true });
  }

  /** The earliest read of the app whose last turn is longest ago. */
  #findNext(): Waiting | undefined {
    const waiting = [...this.#waiting];
    const newcomer = waiting.find(({ appKey }) => !this.#served.has(appKey));
    if (newcomer || waiting.length === 0) return newcomer;
    const next = [...this.#served].find((served) => waiting.some(({ appKey }) => appKey === served));
    return waiting.find(({ appKey }) => appKey === next);
  }

  /** Ends the reads for which the next free turn is too late. */
  #refuseLate(): void {
    for (const waiting of this.#waiting) {
      if (waiting.latestAtMs >= this.#freeAtMs) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(this.#refuse());
    }
  }

  #refuse(): ReadTurn {
    return { taken: false, waitSeconds: Math.max(0, this.#freeAtMs - performance.now()) / 1000 };
  }
}

/** @param callsPerSecond the most HTTP calls a second to each provider, over all workers */
export const createReadLines = (sql: Database, callsPerSecond: Readonly<Record<ProviderName, number>>) => {
  const open = (provider: ProviderName) =>
    new ReadLine(() => takeTurn(sql, provider, { callsPerSecond: callsPerSecond[provider], patienceSeconds: 0 }));
  return Object.fromEntries(PROVIDER_NAMES.map((provider) => [provider, open(provider)])) as Record<
    ProviderName,
    ReadLine
  >;
};
