import { setTimeout as delay } from 'node:timers/promises';
import { type Rate, TokenBuckets } from './token-buckets.ts';

export interface FailureDelayOptions {
  /** Failures of one address up to this rate are answered at once. */
  readonly rate: Rate;
  /** How long each further answer waits. */
  readonly delayMs: number;
  /** How many answers may wait at the same time, over all addresses. Further ones are sent at once. */
  readonly maxWaiting: number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Delays the answers to repeated authentication failures of an address. Requests with valid credentials from the same
 * address are never delayed. A waiting answer holds only its socket, and `maxWaiting` bounds how many wait.
 */
export class FailureDelay {
  readonly #options: FailureDelayOptions;
  readonly #failures: TokenBuckets;
  #waiting = 0;

  /** @param nowMs a monotonic clock. */
  constructor(options: FailureDelayOptions, nowMs?: () => number) {
    this.#options = options;
    this.#failures = new TokenBuckets(nowMs);
  }

  /** Call this after a failed try and before answering it, while holding no database connection. */
  async delayFailure(address: string): Promise<void> {
    const { rate, delayMs, maxWaiting, wait = delay } = this.#options;
    if (this.#failures.take(address, rate) || this.#waiting >= maxWaiting) return;
    this.#waiting += 1;
    try {
      await wait(delayMs);
    } finally {
      this.#waiting -= 1;
    }
  }
}
