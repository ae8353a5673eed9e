import { ServiceError } from '../../errors.ts';
import type { Exchange } from './exchange.ts';

/** Bounds how many requests one app has under way in this process, so that it cannot have all who wait for the database. */
export class InFlight {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a request until its exchange ends. @throws ServiceError `RATE_LIMITED` for one too many. */
  enter(key: string, { atEnd }: Exchange): void {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#max) {
      throw new ServiceError('RATE_LIMITED', `The app has ${this.#max} requests under way.`, { retryAfterSeconds: 1 });
    }
    this.#counts.set(key, count + 1);
    atEnd.push(() => this.#leave(key));
  }

  #leave(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
