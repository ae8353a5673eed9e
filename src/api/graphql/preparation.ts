import { ServiceError } from '../../basics/errors.ts';
import { TokenBuckets } from '../http/token-buckets.ts';

/** Milliseconds of processor time: a seventh of a core. A document of usual size takes one or two, and a known one none. */
const TIME = { perSecond: 150, burst: 500 };

/**
 * Bounds the processor time that a caller takes by documents that are new, or that ask for the schema. Meanwhile no one else is
 * answered. It counts the time itself, since the size of a document does not predict its cost.
 */
export class Preparation {
  readonly #left: TokenBuckets;

  /** @param nowMs a monotonic clock. */
  constructor(nowMs?: () => number) {
    this.#left = new TokenBuckets(nowMs);
  }

  hasTime(callerId = ''): boolean {
    return this.#left.has(callerId, TIME);
  }

  /** @throws ServiceError `RATE_LIMITED` if the caller has used up its time */
  require(callerId = ''): void {
    if (this.hasTime(callerId)) return;
    throw new ServiceError(
      'RATE_LIMITED',
      `Reading new documents may take ${TIME.perSecond} ms of processor time a second. Send the same document with other variables.`,
      { retryAfterSeconds: 1 },
    );
  }

  /** Does work that takes a caller's time. */
  spend<T>(callerId: string | undefined, work: () => T): T {
    const { result, ms } = measure(work);
    this.charge(callerId, ms);
    return result;
  }

  charge(callerId = '', ms: number): void {
    this.#left.charge(callerId, ms, TIME);
  }
}

/** @returns the result, and the processor time of this process meanwhile. A busy machine does not make it longer. */
export function measure<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}
