import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../kit/graphql.ts';
import type { TestService } from '../kit/service.ts';

const EVERY_MS = { read: 100, write: 250, ready: 100 } as const;
const PATIENCE_MS = 9_000;
const STEADY_MS = 5_000;
type Kind = keyof typeof EVERY_MS;

interface Answer {
  readonly kind: Kind;
  /** When it was asked and answered, by `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Undefined if it was answered well. */
  readonly fault: string | undefined;
}

const isGood = ({ fault }: Answer): boolean => fault === undefined;

/** A session that the service has accepted. */
export interface Accepted {
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly id: string;
}

/** Asks the service the whole time, as callers and a load balancer do. */
export class Probes {
  readonly accepted: Accepted[] = [];
  readonly #answers: Answer[] = [];
  readonly #service: TestService;
  readonly #stopped = new AbortController();
  readonly #running: Promise<unknown>;

  /** @param read asks for something that must be there. */
  constructor(service: TestService, read: () => Promise<unknown>) {
    this.#service = service;
    this.#running = Promise.all([
      this.#repeat('read', read),
      this.#repeat('write', () => this.#write()),
      this.#repeat('ready', () => this.#ready()),
    ]);
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

  async #repeat(kind: Kind, act: () => Promise<unknown>): Promise<void> {
    const asked = new Set<Promise<void>>();
    while (!this.#stopped.signal.aborted) {
      const one = this.#record(kind, act).finally(() => void asked.delete(one));
      asked.add(one);
      await delay(EVERY_MS[kind]);
    }
    await Promise.all(asked);
  }

  async #record(kind: Kind, act: () => Promise<unknown>): Promise<void> {
    const from = performance.now();
    const late = delay(PATIENCE_MS).then(() => Promise.reject(new Error('late')));
    late.catch(() => undefined);
    const fault = await Promise.race([act(), late]).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    this.#answers.push({ kind, from, to: performance.now(), fault });
  }

  /** A new person each time: nobody has more than a few open sessions. */
  async #write(): Promise<void> {
    const { app, apiUrls } = this.#service;
    const scope = { tenantKey: app.tenantKey, externalSubjectId: `probe-${randomUUID()}` };
    const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: app.returnUrl };
    const { id } = await ask(`${apiUrls[0]}/graphql`, app.key, 'createConnectSession', { input });
    this.accepted.push({ scope, id });
  }

  async #ready(): Promise<void> {
    const response = await fetch(`${this.#service.apiUrls[0]}/readyz`);
    const text = await response.text();
    if (!response.ok) throw new Error(`Not ready: ${text}`);
  }
}
