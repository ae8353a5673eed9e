import { ServiceError } from '../../errors.ts';
import type { Exchange } from './exchange.ts';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Has the requests of one app take turns. All apps wait for the same few connections to the database: one that asks faster
 * than it is served has to stand in a line of its own.
 */
export class Turns {
  readonly #max: { readonly running: number; readonly waiting: number };
  readonly #lines = new Map<string, Line>();

  /** @param max.running requests of one app at the same time. @param max.waiting those behind them. */
  constructor(max: { running: number; waiting: number }) {
    this.#max = max;
  }

  /** Waits for a turn, which ends with the exchange. @throws ServiceError `RATE_LIMITED` when too many wait already. */
  async take(key: string, { atEnd }: Exchange): Promise<void> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.#max.running) {
      line.running += 1;
    } else if (line.waiting.length < this.#max.waiting) {
      await new Promise<void>((resolve) => void line.waiting.push(resolve)); // Its turn is handed on, not given back.
    } else {
      throw new ServiceError('RATE_LIMITED', `The app has ${this.#max.waiting} requests waiting.`, {
        retryAfterSeconds: 1,
      });
    }
    atEnd.push(() => this.#end(key, line));
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
