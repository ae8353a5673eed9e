import { setTimeout as delay } from 'node:timers/promises';
import { PROVIDER_NAMES, type ProviderName } from '../providers/provider.ts';

/** A read that waits to be the first. */
interface Waiting {
  readonly appKey: string;
  begin(): void;
}

/** So many apps are remembered. A forgotten one counts as one that has made no call yet. */
const MOST_APPS = 1_000;

/**
 * The reads of this process that want to call one provider. One of them at a time asks for a turn: the others wait here, where
 * the app whose last turn is longest ago goes first. So an app's backlog is not in the way of another app's single read.
 */
export class ReadLine {
  readonly #waiting: Waiting[] = [];
  /** The apps in the order of their last turns. */
  readonly #served = new Set<string>();
  #isTaken = false;

  /** How many reads wait for the first one. */
  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Takes a turn for an app, once no other read asks for one.
   * @param ms how long the read waits for the others
   * @returns undefined if that was too short. @throws what `take` throws, or the signal's reason if it aborts while the read waits
   */
  async takeTurn<T>(appKey: string, ms: number, signal: AbortSignal, take: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#become(appKey, ms, signal))) return undefined;
    try {
      const turn = await take();
      this.#noteTurn(appKey);
      return turn;
    } finally {
      this.#pass();
    }
  }

  /** @returns whether the read has become the first. */
  async #become(appKey: string, ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return true;
    }
    const over = new AbortController();
    const isFirst = await new Promise<boolean>((resolve) => {
      const waiting: Waiting = { appKey, begin: () => resolve(true) };
      this.#waiting.push(waiting);
      const giveUp = () => {
        if (this.#remove(waiting)) resolve(false);
      };
      delay(ms, undefined, { signal: AbortSignal.any([signal, over.signal]) }).then(giveUp, giveUp);
    });
    over.abort();
    if (!isFirst) signal.throwIfAborted();
    return isFirst;
  }

  #pass(): void {
    const next = this.#findNext();
    this.#isTaken = next !== undefined;
    if (next === undefined) return;
    this.#remove(next);
    next.begin();
  }

  #noteTurn(appKey: string): void {
    this.#served.delete(appKey);
    this.#served.add(appKey);
    const [oldest] = this.#served;
    if (oldest !== undefined && this.#served.size > MOST_APPS) this.#served.delete(oldest);
  }

  /** The earliest read of the app whose last turn is longest ago. */
  #findNext(): Waiting | undefined {
    const newcomer = this.#waiting.find(({ appKey }) => !this.#served.has(appKey));
    if (newcomer || this.#waiting.length === 0) return newcomer;
    for (const served of this.#served) {
      const next = this.#waiting.find(({ appKey }) => appKey === served);
      if (next) return next;
    }
    return undefined;
  }

  /** @returns false if it no longer waits. */
  #remove(waiting: Waiting): boolean {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }
}

export const createReadLines = (): Readonly<Record<ProviderName, ReadLine>> =>
  Object.fromEntries(PROVIDER_NAMES.map((provider) => [provider, new ReadLine()])) as Record<ProviderName, ReadLine>;
