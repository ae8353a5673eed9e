import { setTimeout as delay } from 'node:timers/promises';
import { type Rate, TokenBuckets } from './token-buckets.ts';

export interface FailureDelayOptions {
  /** How many failures of one address are answered at once. */
  readonly rate: Rate;
  /** How long an answer beyond that waits. */
  readonly delayMs: number;
  /** How many answers wait at the same time, of all addresses. Beyond it they are given at once. */
  readonly maxWaiting: number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Slows down whoever keeps failing to prove who they are, by address. Only the answer to a failure waits: who shares
 * the address and has good credentials notices nothing. Nothing is held meanwhile but the socket, and of those only so
 * many.
 */
export class FailureDelay {
  readonly #options: FailureDelayOptions;
  readonly #failures: TokenBuckets;
  #waiting = 0;

  /** @param nowMs A clock that never goes back. */
  constructor(options: FailureDelayOptions, nowMs?: () => number) {
    this.#options = options;
    this.#failures = new TokenBuckets(nowMs);
  }

  /** Call it when a try has failed, with no connection to the database in hand, before saying so. */
  async failed(address: string): Promise<void> {
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
