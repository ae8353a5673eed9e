import { setTimeout as sleep } from 'node:timers/promises';

/** A callback sent to the service under test. */
export interface CallbackDelivery {
  readonly at: number;
  readonly url: string;
  readonly what: string;
  readonly tries: number;
  /** The last answer's status. Null without an answer. */
  readonly status: number | null;
  /** The start of the last answer's body. */
  readonly answer: string;
}

const RETRY_AFTER_MS = [200, 1000, 5000];

/** Sends platforms' callbacks. Retries after a failed request or a 5xx answer, up to four tries. */
export class Deliveries {
  readonly #closing = new AbortController();
  readonly #now: () => number;
  #done: CallbackDelivery[] = [];
  #pending = new Set<Promise<unknown>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  list(): readonly CallbackDelivery[] {
    return this.#done;
  }

  clear(): void {
    this.#done = [];
  }

  /** Sends in the background. Await the result only if you need the outcome. */
  send(
    what: string,
    url: string,
    contentType: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<CallbackDelivery> {
    const sending = this.#send(what, url, { 'content-type': contentType, ...headers }, body);
    this.#pending.add(sending);
    return sending.finally(() => this.#pending.delete(sending));
  }

  /** Aborts pending deliveries. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#pending);
  }

  async #send(what: string, url: string, headers: Record<string, string>, body: string): Promise<CallbackDelivery> {
    let outcome: { status: number | null; answer: string } = { status: null, answer: '' };
    let tries = 0;
    for (const pauseMs of [0, ...RETRY_AFTER_MS]) {
      if (this.#closing.signal.aborted) break;
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined); // Closing ends the pause: one last try.
      tries += 1;
      outcome = await this.#post(url, headers, body);
      if (outcome.status !== null && outcome.status < 500) break;
    }
    const delivery = { at: this.#now(), url, what, tries, ...outcome };
    this.#done.push(delivery);
    return delivery;
  }

  async #post(url: string, headers: Record<string, string>, body: string) {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(10_000)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      return { status: response.status, answer: (await response.text()).slice(0, 500) };
    } catch (error) {
      return { status: null, answer: error instanceof Error ? error.message : String(error) };
    }
  }
}
