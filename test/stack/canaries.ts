import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { Secrets, type Writing } from '../kit/leaks.ts';

/** Headers that a caller, a browser or a proxy might send. */
const HEADERS = `
  baggage client-ip cookie forwarded from idempotency-key proxy-authorization referer tracestate user-agent via webhook-id x-api-key
  x-auth-token x-correlation-id x-forwarded-for x-forwarded-user x-real-ip x-request-id x-session-id x-token x-user-id
`;

/** Words that a test plants in inputs, one for each, and looks for in everything that comes out. */
export class Canaries {
  readonly #planted = new Secrets();
  /** The bytes that clients received. */
  readonly #answers: Writing[] = [];
  /** Every header as lines of text: one that only names itself, and the trace of the sender. */
  readonly headers: Readonly<Record<string, string>>;

  constructor() {
    const names = HEADERS.trim().split(/\s+/);
    const trace = randomBytes(16).toString('hex');
    this.#planted.add('the header traceparent', trace);
    this.headers = {
      ...Object.fromEntries(names.map((name) => [name, this.plant(`the header ${name}`)])),
      traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01`,
    };
  }

  plant(where: string): string {
    const word = `canary${randomUUID().replaceAll('-', '')}`;
    this.#planted.add(where, word);
    return word;
  }

  /** Puts a canary in place of each text of a value, at any depth. @param keep texts that stay. */
  plantIn(value: unknown, where: string, keep: readonly unknown[] = []): unknown {
    if (typeof value === 'string') return keep.includes(value) ? value : this.plant(where);
    if (Array.isArray(value)) return value.map((one) => this.plantIn(one, where, keep));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.plantIn(member, `${where}.${name}`, keep)]),
    );
  }

  /** @returns parameters of a URL or form, each with a canary */
  query(of: string, names: readonly string[]): string {
    return names.map((name) => `${name}=${this.plant(`the parameter ${name} of ${of}`)}`).join('&');
  }

  /** Sends a request with every header and keeps its answer. @param headers replace planted ones. */
  async send(
    method: 'GET' | 'POST',
    url: string,
    { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string } = {},
  ): Promise<number> {
    const response = await request(url, { method, headers: { ...this.headers, ...headers }, body: body ?? null });
    const text = await response.body.text();
    this.keep(`an answer to ${method} ${new URL(url).pathname}`, `${JSON.stringify(response.headers)}\n${text}`);
    return response.statusCode;
  }

  /** Keeps the bytes that a client received. */
  keep(where: string, text: string): void {
    this.#answers.push({ where, text });
  }

  /** @returns the input and the place of each canary that came out. */
  findIn(writings: readonly Writing[] = []): string[] {
    return this.#planted.findIn([...this.#answers, ...writings]);
  }
}
