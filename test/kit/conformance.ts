import { randomBytes, randomUUID } from 'node:crypto';
import { inject, test as plainTest } from 'vitest';
import { startApi } from '../../src/api/main.ts';
import { readConfig } from '../../src/config.ts';
import { type DevelopmentKeys, makeKeys } from '../../src/local/development-keys.ts';
import { NAMESPACE } from '../../src/local/temporal.ts';
import { createLog } from '../../src/log.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import type { Database } from '../../src/store/sql.ts';
import { createSeal, type Seal } from '../../src/vault/seal.ts';
import { type Answer, DOCUMENTS, Refusal, type RootField } from './graphql.ts';
import { createTestDatabase } from './postgres.ts';
import { releaseClock, type SeededApp, seedApp } from './seed.ts';

/**
 * The api as callers meet it: over HTTP, on a database of its own, delivering to a real Temporal. Nobody works there, so
 * that what is queued stays queued and a test says how it ends.
 */
export interface ServedApi {
  readonly sql: Database;
  readonly url: string;
  /** What it has logged, a JSON line each. */
  readonly lines: readonly string[];
  /** As the worker seals what a redeem opens. */
  readonly sealEdge: Seal;
  /** An app of its own for each test: tests sharing a database do not meet. */
  newCaller(): Promise<Caller>;
  close(): Promise<void>;
}

/** Variables an api needs beside where its database and Temporal are. */
export const apiEnvironment = (keys: DevelopmentKeys, databaseUrl: string) => ({
  DEPLOYMENT: 'development',
  DATABASE_URL: databaseUrl,
  CONNECT_URL,
  API_PORT: '0',
  TASK_QUEUE: `nobody-${randomUUID()}`,
  // Each caller names an address of its own, or their tries with new keys would add up.
  TRUSTED_PROXIES: '1',
  VAULT_EDGE_KEYS: keys.VAULT_EDGE_KEYS,
  VAULT_MAC_KEYS: keys.VAULT_MAC_KEYS,
  VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
});

export const CONNECT_URL = 'http://connect.example';

/** Where the Temporal of all tests is, as variables. */
export const temporalEnvironment = () => ({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_NAMESPACE: NAMESPACE,
});

async function serveApi(adjustments: Readonly<Record<string, string>> = {}): Promise<ServedApi> {
  const [database, keys] = await Promise.all([createTestDatabase(), makeKeys()]);
  Object.assign(process.env, temporalEnvironment());
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const api = await startApi(readConfig('api', { ...apiEnvironment(keys, database.urls.api), ...adjustments }), log);
  const url = `http://127.0.0.1:${api.port}`;
  const { sql } = database;
  return {
    sql,
    url,
    lines,
    sealEdge: await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS)),
    newCaller: async () => new Caller([url], await seedApp(sql)),
    async close() {
      await api.close();
      await database.drop();
    },
  };
}

/** An HTTP answer of the GraphQL endpoint. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of a body that is JSON. */
  readonly body: Answer;
}

/** An app's backend: its key, a scope of its own, and plain HTTP. */
export class Caller {
  readonly seeded: SeededApp;
  readonly scope: SubjectScope;
  /** The bases of all api processes. */
  readonly urls: readonly string[];
  readonly #address: string;

  constructor(urls: readonly string[], seeded: SeededApp, scope = seeded.newScope(), address: string = randomUUID()) {
    this.urls = urls;
    this.seeded = seeded;
    this.scope = scope;
    this.#address = address;
  }

  /** The same app for another scope; a new subject when none is given. */
  for(scope: Partial<SubjectScope> = {}): Caller {
    return new Caller(this.urls, this.seeded, { ...this.seeded.newScope(), ...scope }, this.#address);
  }

  /** Posts a body as it is. A header set to the empty text is left out. */
  async post(body: string, headers: Readonly<Record<string, string>> = {}, api = 0): Promise<Reply> {
    const all = {
      'content-type': 'application/json',
      authorization: `Bearer ${this.seeded.key}`,
      'x-forwarded-for': this.#address,
      ...headers,
    };
    const response = await fetch(`${this.urls[api]}/graphql`, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      body,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Sends a document. */
  async send(query: string, variables: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return await this.post(JSON.stringify({ query, variables }), headers);
  }

  /** Asks one root field for all there is, in this scope unless told otherwise. @throws Refusal */
  async ask(field: RootField, variables: object = {}, { api = 0 } = {}): Promise<Answer> {
    const body = JSON.stringify({ query: DOCUMENTS[field], variables: { scope: this.scope, ...variables } });
    const { data, errors } = (await this.post(body, {}, api)).body;
    if (errors) throw new Refusal(errors[0]);
    return data[field];
  }

  /** The code an operation is refused with, or `answered`. */
  async outcome(field: RootField, variables: object = {}, options: { api?: number } = {}): Promise<string> {
    return await outcomeOf(this.ask(field, variables, options));
  }

  /** Asks for a Connect attempt with all there may be; `input` is put over it. */
  async createSession(input: object = {}, options: { api?: number } = {}): Promise<Answer> {
    const { returnUrl } = this.seeded;
    const asked = { scope: this.scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl, ...input };
    return await this.ask('createConnectSession', { input: asked }, options);
  }

  /** Asks for a sign-in with all that is needed; `input` is put over it. */
  async createSignIn(input: object = {}, options: { api?: number } = {}): Promise<Answer> {
    const { tenantKey, identityReturnUrl } = this.seeded;
    const asked = { tenantKey, returnUrl: identityReturnUrl, ...input };
    return await this.ask('createIdpIdentitySession', { input: asked }, options);
  }

  /** Posts a launch token as a page of the app does. @returns the HTTP status, and where it leads. */
  async launch(flow: 'connect' | 'identity', launchToken: string, api = 0) {
    const response = await fetch(`${this.urls[api]}/api/${flow}/redeem`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(this.seeded.returnUrl).origin, 'x-forwarded-for': randomUUID() },
      body: new URLSearchParams({ launchToken }),
    });
    await response.body?.cancel();
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status: response.status, location: response.headers.get('location'), cookie: cookie.join('; ') };
  }
}

/** The code a call is refused with, or `answered`. */
export async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'answered';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** How often each outcome came out of many calls at once. */
export async function tally(answers: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(answers.map(outcomeOf))) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** A random text of hexadecimal digits. */
export const hex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);

/** `test` with an api that all tests of one file share, a client of each test's own, and a clock that runs again. */
export const conformanceTest = (adjustments: Readonly<Record<string, string>> = {}) =>
  plainTest.extend<{ $file: { api: ServedApi; sql: Database }; $test: { client: Caller } }>({
    api: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
      async ({}, use) => {
        const api = await serveApi(adjustments);
        await use(api);
        await api.close();
      },
      { scope: 'file' },
    ],
    sql: [async ({ api }, use) => await use(api.sql), { scope: 'file' }],
    client: async ({ api }, use) => {
      await use(await api.newCaller());
      await releaseClock(api.sql);
    },
  });

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** An instant for tests that stop the clock. */
export const NOW = Date.parse('2030-06-01T00:00:00.000Z');
export const iso = (ms: number): string => new Date(ms).toISOString();
