import { ServiceError } from '../../basics/errors.ts';
import type { Exchange } from './exchange.ts';

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Queues the requests of each app, or operator, separately. All share a few database connections, so one that sends requests
 * faster than we answer them must not delay the others.
 */
export class Turns {
  readonly #max: { readonly running: number; readonly waiting: number };
  readonly #queues = new Map<string, Queue>();

  /** @param max.running requests of one app at the same time. @param max.waiting queued requests of one app. */
  constructor(max: { running: number; waiting: number }) {
    this.#max = max;
  }

  /** Takes a turn, which ends with the exchange, if one is free. @returns whether it was. */
  takeNow(key: string, { atEnd }: Pick<Exchange, 'atEnd'>): boolean {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    if (queue.running >= this.#max.running) return false;
    this.#queues.set(key, queue);
    queue.running += 1;
    atEnd.push(() => this.#end(key, queue));
    return true;
  }

  /** Waits for a turn, which ends with the exchange. @throws ServiceError `RATE_LIMITED` if the app's queue is full. */
  async take(key: string, exchange: Pick<Exchange, 'atEnd'>): Promise<void> {
    if (this.takeNow(key, exchange)) return;
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    if (queue.waiting.length < this.#max.waiting) {
      await new Promise<void>((resolve) => void queue.waiting.push(resolve)); // `#end` hands its turn over directly.
    } else {
      throw new ServiceError('RATE_LIMITED', `${this.#max.waiting} of your requests are waiting already.`, {
        retryAfterSeconds: 1,
      });
    }
    exchange.atEnd.push(() => this.#end(key, queue));
  }

  #end(key: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) this.#queues.delete(key);
  }
}
