import { setTimeout as delay } from 'node:timers/promises';
import type { History } from '../history/history.ts';
import { type Answer, DOCUMENTS, type RootField } from '../kit/graphql.ts';

const TIMEOUT_MS = 8_000;
const PAUSE_MS = 250;
/** After these answers a caller tries again later, as docs/callers-codes.md requires. */
const PASSING = ['UPSTREAM_UNAVAILABLE', 'RATE_LIMITED'];

/** The end of a call: data, or a code. Undefined if no call in the given time had either. */
export type Outcome = { readonly value: Answer } | { readonly code: string } | undefined;

let calls = 0;

/** An app's backend during faults. It records every request and its end, and repeats requests without a clear end. */
export class Caller {
  readonly #urls: readonly string[];
  readonly #key: string;
  readonly #history: History;
  readonly #flow: string;
  #turn = 0;

  constructor(urls: readonly string[], key: string, history: History, flow: string) {
    this.#urls = urls;
    this.#key = key;
    this.#history = history;
    this.#flow = flow;
  }

  /** Repeats a call until it has a clear end. */
  async ask(field: RootField, variables: object, withinMs = 60_000): Promise<Outcome> {
    const giveUpAt = Date.now() + withinMs;
    do {
      const outcome = await this.#once(field, variables);
      if (outcome !== undefined && !('code' in outcome && PASSING.includes(outcome.code))) return outcome;
      await delay(PAUSE_MS);
    } while (Date.now() < giveUpAt);
    return undefined;
  }

  async #once(field: RootField, variables: object): Promise<Outcome> {
    calls += 1;
    this.#turn += 1;
    const call = calls;
    const note = (entry: object) => this.#history.add(this.#flow, { call, field, ...entry } as never);
    note({ type: 'asked', variables });
    try {
      const response = await fetch(`${this.#urls[this.#turn % this.#urls.length]}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#key}` },
        body: JSON.stringify({ query: DOCUMENTS[field], variables }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { data, errors } = (await response.json()) as Answer;
      if (errors) {
        const code = String(errors[0].extensions.code);
        note({ type: 'refused', code });
        return { code };
      }
      const value = data[field];
      note({ type: 'answered', value });
      return { value };
    } catch (error) {
      note({ type: 'lost', reason: error instanceof Error ? error.name : String(error) });
      return undefined;
    }
  }
}
