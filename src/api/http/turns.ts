import { ServiceError } from '../../basics/errors.ts';
import type { Exchange } from './exchange.ts';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Queues the requests of each app, or operator, separately. All share a few database connections, so one that sends requests
 * faster than we answer them must not delay the others.
 */
export class Turns {
  readonly #max: { readonly running: number; readonly waiting: number };
  readonly #lines = new Map<string, Line>();

  /** @param max.running requests of one app at the same time. @param max.waiting queued requests of one app. */
  constructor(max: { running: number; waiting: number }) {
    this.#max = max;
  }

  /** Takes a turn, which ends with the exchange, if one is free. @returns whether it was. */
  takeNow(key: string, { atEnd }: Pick<Exchange, 'atEnd'>): boolean {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    if (line.running >= this.#max.running) return false;
    this.#lines.set(key, line);
    line.running += 1;
    atEnd.push(() => this.#end(key, line));
    return true;
  }

  /** Waits for a turn, which ends with the exchange. @throws ServiceError `RATE_LIMITED` if the app's queue is full. */
  async take(key: string, exchange: Pick<Exchange, 'atEnd'>): Promise<void> {
    if (this.takeNow(key, exchange)) return;
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    if (line.waiting.length < this.#max.waiting) {
      await new Promise<void>((resolve) => void line.waiting.push(resolve)); // `#end` hands its turn over directly.
    } else {
      throw new ServiceError('RATE_LIMITED', `${this.#max.waiting} of your requests are waiting already.`, {
        retryAfterSeconds: 1,
      });
    }
    exchange.atEnd.push(() => this.#end(key, line));
  }

  #end(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(key);
  }
}
