import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 9_000;
const STEADY_MS = 5_000;

/** The request, and its interval. It throws if the answer is not good. */
export interface Question {
  readonly everyMs: number;
  ask(): Promise<unknown>;
}

interface Answer<Kind> {
  readonly kind: Kind;
  /** When it was asked and answered, by `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Undefined if it was answered well. */
  readonly fault: string | undefined;
}

const isGood = ({ fault }: Answer<unknown>): boolean => fault === undefined;

/** Asks the service the whole time, as callers and a load balancer do. */
export class Probes<Kind extends string> {
  readonly #answers: Answer<Kind>[] = [];
  readonly #stopped = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(questions: Readonly<Record<Kind, Question>>) {
    const all = Object.entries(questions) as [Kind, Question][];
    this.#running = Promise.all(all.map(([kind, question]) => this.#repeat(kind, question)));
  }

  /**
   * @returns the seconds from `from` until all requests are answered well again, for `STEADY_MS` at least: until the first good
   * answer after the last bad one.
   */
  async secondsUntilGood(kind: Kind, from: number, withinMs = 150_000): Promise<number> {
    const giveUpAt = performance.now() + withinMs;
    while (performance.now() < giveUpAt) {
      const since = this.#answers.filter((one) => one.kind === kind && one.from >= from);
      const lastBad = since.filter((one) => !isGood(one)).reduce((latest, one) => Math.max(latest, one.from), from);
      const good = since.filter((one) => isGood(one) && one.from >= lastBad);
      if (good.some((one) => one.from > lastBad + STEADY_MS)) {
        return (Math.min(...good.map(({ to }) => to)) - from) / 1_000;
      }
      await delay(50);
    }
    const faults = this.#answers.filter((one) => one.kind === kind && one.from >= from && !isGood(one));
    console.error(`The last faults of ${kind}: ${faults.slice(-5).map(({ fault }) => fault)}`);
    return Number.POSITIVE_INFINITY;
  }

  /** How many answers between two moments were good, and how many were not. */
  count(kind: Kind, from: number, to: number): { readonly good: number; readonly bad: number } {
    const answers = this.#answers.filter((one) => one.kind === kind && one.from >= from && one.to <= to);
    const good = answers.filter(isGood).length;
    return { good, bad: answers.length - good };
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #repeat(kind: Kind, { everyMs, ask }: Question): Promise<void> {
    const asked = new Set<Promise<void>>();
    while (!this.#stopped.signal.aborted) {
      const one = this.#record(kind, ask).finally(() => void asked.delete(one));
      asked.add(one);
      await delay(everyMs);
    }
    await Promise.all(asked);
  }

  async #record(kind: Kind, ask: () => Promise<unknown>): Promise<void> {
    const from = performance.now();
    const late = delay(PATIENCE_MS).then(() => Promise.reject(new Error('late')));
    late.catch(() => undefined);
    const fault = await Promise.race([ask(), late]).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    this.#answers.push({ kind, from, to: performance.now(), fault });
  }
}
