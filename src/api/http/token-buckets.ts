export interface Rate {
  readonly perSecond: number;
  /** How many requests may arrive at once after a pause. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** More than there are apps or busy addresses. The key unused for longest is evicted and starts again with a full bucket. */
const MAX_BUCKETS = 10_000;

/** One token bucket for each key, in this process's memory. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #nowMs: () => number;

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @returns true if `key` has a token. */
  has(key: string, rate: Rate): boolean {
    return this.#tokensAt(this.#nowMs(), key, rate) >= 1;
  }

  /** Takes one token of `key`. @returns false if there was none. */
  take(key: string, rate: Rate): boolean {
    const nowMs = this.#nowMs();
    const tokens = this.#tokensAt(nowMs, key, rate);
    const taken = tokens >= 1;
    this.#put(key, { tokens: taken ? tokens - 1 : tokens, filledAtMs: nowMs });
    return taken;
  }

  /** Takes tokens that have been used already. The key may owe up to a burst. */
  charge(key: string, count: number, rate: Rate): void {
    const nowMs = this.#nowMs();
    this.#put(key, { tokens: Math.max(-rate.burst, this.#tokensAt(nowMs, key, rate) - count), filledAtMs: nowMs });
  }

  /** Returns a token that the caller took but did not need. */
  refund(key: string, rate: Rate): void {
    const nowMs = this.#nowMs();
    this.#put(key, { tokens: Math.min(rate.burst, this.#tokensAt(nowMs, key, rate) + 1), filledAtMs: nowMs });
  }

  #tokensAt(nowMs: number, key: string, rate: Rate): number {
    const last = this.#buckets.get(key) ?? { tokens: rate.burst, filledAtMs: nowMs };
    return Math.min(rate.burst, last.tokens + ((nowMs - last.filledAtMs) / 1000) * rate.perSecond);
  }

  #put(key: string, bucket: Bucket): void {
    // Deleting first keeps the map's keys in the order of their last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_BUCKETS) {
      for (const [oldest] of this.#buckets) {
        this.#buckets.delete(oldest);
        break;
      }
    }
  }
}
