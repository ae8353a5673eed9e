import type { ServiceError } from '../basics/errors.ts';

/** More than there are apps at their limits. */
const MAX_KEYS = 1_000;

/**
 * Remembers for a moment who was refused, so that a refusal which takes a transaction to find is found once in that time,
 * regardless of the number of requests.
 */
export class RecentRefusals {
  readonly #keepMs: number;
  readonly #refusals = new Map<string, { readonly error: ServiceError; readonly untilMs: number }>();

  constructor(keepMs = 1_000) {
    this.#keepMs = keepMs;
  }

  /** @param isLasting whether a refusal would be the same a moment later. @throws the error of `work`, of now or of a moment ago */
  async run<T>(key: string, isLasting: (error: unknown) => error is ServiceError, work: () => Promise<T>): Promise<T> {
    const known = this.#refusals.get(key);
    if (known !== undefined && performance.now() < known.untilMs) throw known.error;
    this.#refusals.delete(key);
    try {
      return await work();
    } catch (error) {
      if (isLasting(error)) this.#keep(key, error);
      throw error;
    }
  }

  #keep(key: string, error: ServiceError): void {
    const ms = Math.min(this.#keepMs, (error.details.retryAfterSeconds ?? 0) * 1_000);
    this.#refusals.set(key, { error, untilMs: performance.now() + ms });
    const [oldest] = this.#refusals.size > MAX_KEYS ? this.#refusals.keys() : [];
    if (oldest !== undefined) this.#refusals.delete(oldest);
  }
}
