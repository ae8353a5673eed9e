import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../sandbox/src/random.ts';
import { type Answer, DOCUMENTS } from '../kit/graphql.ts';
import type { Stage } from './stage.ts';

const AT_ONCE = 16;
const MEASURED_MS = 5_000;
/** A request in flight longer than this counts as lost. */
const TIMEOUT_MS = 10_000;
/** More would only wait: a load that the service cannot take now is left out. */
const MOST_IN_FLIGHT = 200;

/** Steady reads of all posts, beside the people of a run. */
export class Load {
  readonly #stage: Stage;
  readonly #random: Random;
  #times: number[] = [];
  #inFlight = 0;
  #isStopping = false;
  answered = 0;
  /** Without an answer in time, or refused as unavailable. */
  failed = 0;

  constructor(stage: Stage, seed: string) {
    this.#stage = stage;
    this.#random = new Random(`${seed}/load`);
  }

  /** @returns the answers per second that the service gives now to as many callers as it likes */
  async measureMaximum(): Promise<number> {
    const until = Date.now() + MEASURED_MS;
    const before = this.answered;
    const ask = async () => {
      while (Date.now() < until) await this.#ask();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    return (this.answered - before) / (MEASURED_MS / 1_000);
  }

  /** Asks so many times a second, whether answers come or not, until `stop`. */
  async run(perSecond: number): Promise<void> {
    const startedAt = Date.now();
    let asked = 0;
    while (!this.#isStopping) {
      for (; asked < ((Date.now() - startedAt) / 1_000) * perSecond; asked += 1) {
        if (this.#inFlight < MOST_IN_FLIGHT) void this.#ask();
      }
      await delay(10);
    }
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** @returns how long each answer took since the last call, in ms */
  takeTimes(): number[] {
    return this.#times.splice(0);
  }

  async #ask(): Promise<void> {
    const { service, readers } = this.#stage;
    const reader = readers[this.#random.int(0, Math.max(0, readers.length - 1))];
    const { tenantKey } = service.app;
    const now = this.#stage.now();
    const [field, variables] =
      reader === undefined
        ? (['connections', { scope: { tenantKey, externalSubjectId: 'nobody' } }] as const)
        : ([
            'content',
            { ...reader, window: { publishedAfter: at(now - WEEK_MS), publishedBefore: at(now), first: 20 } },
          ] as const);
    const url = service.apiUrls[this.#random.int(0, service.apiUrls.length - 1)];
    const startedAt = performance.now();
    this.#inFlight += 1;
    try {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${service.app.key}` },
        body: JSON.stringify({ query: DOCUMENTS[field], variables }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { errors } = (await response.json()) as Answer;
      if (errors?.[0].extensions.code === 'UPSTREAM_UNAVAILABLE') throw new Error('unavailable');
      this.answered += 1;
      this.#times.push(performance.now() - startedAt);
    } catch {
      this.failed += 1;
      await delay(10);
    } finally {
      this.#inFlight -= 1;
    }
  }
}

const WEEK_MS = 7 * 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();
