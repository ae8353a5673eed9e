import { setTimeout as delay } from 'node:timers/promises';
import { PROVIDER_NAMES, type ProviderName } from '../basics/codes.ts';
import type { Database } from '../store/driver/sql.ts';
import { type Share, type Slot, takeSlot } from '../store/provider-rate-limit.ts';

/** A call that waits for its slot. */
interface Waiting {
  readonly appKey: string;
  /** In the time of `performance.now()`. */
  readonly latestAtMs: number;
  readonly resolve: (slot: Slot) => void;
  readonly reject: (error: unknown) => void;
}

/** The queues at one provider: one for each guaranteed share, and one for the reads, which have none. */
export type QueueName = Share | 'READS';

/** How far ahead a call may reserve its slot. */
export const MOST_AHEAD_SECONDS = 20;
/** A statement without an answer for so long has lost its connection, even without an error. */
const LONGEST_ANSWER_MS = 10_000;
/** How long the queue trusts its cached state. */
const LONGEST_PAUSE_MS = 1_000;
/** The number of remembered apps. A forgotten one counts as one that has made no call yet. */
const MOST_APPS = 1_000;

/**
 * The calls of this process that wait for their slots in one queue at one provider. It gives each slot to the app whose last slot is
 * longest ago. So an app's backlog does not delay another app's single call. A read gets a slot only once it is free, so no revoke
 * waits behind a long queue of reads.
 */
export class ProviderQueue {
  readonly #take: () => Promise<Slot>;
  readonly #longestAnswerMs: number;
  readonly #waiting = new Set<Waiting>();
  /** The apps in the order of their last slots. */
  readonly #served = new Set<string>();
  #isMoving = false;
  /** The time of the next free slot, as far as this queue knows; in the time of `performance.now()`. */
  #freeAtMs = 0;

  /** @param take takes a slot if one can be taken now */
  constructor(take: () => Promise<Slot>, longestAnswerMs = LONGEST_ANSWER_MS) {
    this.#take = take;
    this.#longestAnswerMs = longestAnswerMs;
  }

  /**
   * Waits until a slot is taken, or until `latestAtMs` (by `performance.now()`). Ends at once if none can be taken by then.
   * @returns the slot, which may be ahead, or when one can be taken.
   * @throws the errors of `take`, and the signal's reason if it aborts first
   */
  async waitForSlot(appKey: string, latestAtMs: number, signal: AbortSignal): Promise<Slot> {
    const over = new AbortController();
    try {
      return await new Promise<Slot>((resolve, reject) => {
        const waiting: Waiting = { appKey, latestAtMs, resolve, reject };
        this.#waiting.add(waiting);
        const leave = () => {
          this.#waiting.delete(waiting);
          if (signal.aborted) reject(signal.reason);
          else resolve(this.#refuse());
        };
        const ms = Math.max(0, latestAtMs - performance.now());
        delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).then(leave, leave);
        if (this.#isMoving) this.#refuseIfLate(waiting);
        else void this.#move();
      });
    } finally {
      over.abort();
    }
  }

  /** Gives slots until no call waits. */
  async #move(): Promise<void> {
    this.#isMoving = true;
    while (this.#waiting.size > 0) {
      try {
        const slot = await this.#takeInTime();
        if (slot.taken) this.#giveSlot(slot);
        else {
          this.#freeAtMs = performance.now() + slot.waitSeconds * 1000;
          this.#refuseLate();
          await delay(Math.min(LONGEST_PAUSE_MS, slot.waitSeconds * 1000));
        }
      } catch (error) {
        for (const { reject } of this.#waiting) reject(error);
        this.#waiting.clear();
      }
    }
    this.#isMoving = false;
  }

  /** One lost answer must not stop the calls of a whole process. */
  async #takeInTime(): Promise<Slot> {
    const over = new AbortController();
    const late = delay(this.#longestAnswerMs, undefined, { signal: over.signal }).then(() => {
      throw new Error('Postgres did not answer in time whether a slot is free.');
    });
    try {
      return await Promise.race([this.#take(), late]);
    } finally {
      over.abort();
    }
  }

  #giveSlot(slot: Slot): void {
    const next = this.#findNext();
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#served.delete(next.appKey);
    this.#served.add(next.appKey);
    const [oldest] = this.#served;
    if (oldest !== undefined && this.#served.size > MOST_APPS) this.#served.delete(oldest);
    next.resolve(slot);
  }

  /** The earliest call of the app whose last slot is longest ago. */
  #findNext(): Waiting | undefined {
    const earliest = new Map<string, Waiting>();
    for (const waiting of this.#waiting) if (!earliest.has(waiting.appKey)) earliest.set(waiting.appKey, waiting);
    for (const [appKey, waiting] of earliest) if (!this.#served.has(appKey)) return waiting;
    for (const appKey of this.#served) if (earliest.has(appKey)) return earliest.get(appKey);
    return undefined;
  }

  /** Ends the calls for which the next slot is too late. */
  #refuseLate(): void {
    for (const waiting of this.#waiting) this.#refuseIfLate(waiting);
  }

  #refuseIfLate(waiting: Waiting): void {
    if (waiting.latestAtMs >= this.#freeAtMs) return;
    this.#waiting.delete(waiting);
    waiting.resolve(this.#refuse());
  }

  #refuse(): Slot {
    return { taken: false, waitSeconds: Math.max(0, this.#freeAtMs - performance.now()) / 1000 };
  }
}

export type ProviderQueues = Readonly<Record<QueueName, ProviderQueue>>;

/** @param callsPerSecond the most HTTP calls a second to each provider, over all workers */
export function createProviderQueues(
  sql: Database,
  callsPerSecond: Readonly<Record<ProviderName, number>>,
): Readonly<Record<ProviderName, ProviderQueues>> {
  const open = (provider: ProviderName, share: Share | null) => {
    const options = { callsPerSecond: callsPerSecond[provider], share, patienceSeconds: MOST_AHEAD_SECONDS };
    return new ProviderQueue(() => takeSlot(sql, provider, options));
  };
  const queues = PROVIDER_NAMES.map((provider) => [
    provider,
    { CONNECTS: open(provider, 'CONNECTS'), GRANTS: open(provider, 'GRANTS'), READS: open(provider, null) },
  ]);
  return Object.fromEntries(queues) as Record<ProviderName, ProviderQueues>;
}
