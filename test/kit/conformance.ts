import { randomBytes, randomUUID } from 'node:crypto';
import { inject, test as plainTest } from 'vitest';
import { type DevelopmentKeys, makeKeys } from '../../local/src/development-keys.ts';
import { NAMESPACE } from '../../local/src/temporal.ts';
import { startApi } from '../../src/api/main.ts';
import { readConfig } from '../../src/config/config.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { Backend } from './backend.ts';
import { findNextUrl } from './browser.ts';
import { checkBystanders } from './bystanders.ts';
import { FAST_PATHS } from './fast-paths.ts';
import { type Answer, DOCUMENTS, patiently, Refusal, type RootField } from './graphql.ts';
import { keepLog } from './keep-log.ts';
import { createCrowdedDatabase, type Database } from './postgres.ts';
import { releaseClock, type SeededApp, type SubjectScope, seedApp } from './seed.ts';

/**
 * The api over HTTP, on its own database and a real Temporal. No worker runs, so a queued job stays queued, and a test
 * writes its end.
 */
export type ServedApi = Awaited<ReturnType<typeof serveApi>>;

/** The variables that an api needs besides the address of Temporal. */
export const apiEnvironment = (keys: DevelopmentKeys, databaseUrl: string) => ({
  DEPLOYMENT: 'development',
  DATABASE_URL: databaseUrl,
  CONNECT_URL,
  API_PORT: '0',
  TASK_QUEUE: `nobody-${randomUUID()}`,
  // Each caller sends its own address; otherwise their wrong keys would add up.
  TRUSTED_PROXIES: '1',
  FAST_PATHS,
  VAULT_EDGE_KEYS: keys.VAULT_EDGE_KEYS,
  VAULT_MAC_KEYS: keys.VAULT_MAC_KEYS,
  VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
});

export const CONNECT_URL = 'http://connect.example';

/** The address of the tests' Temporal, as variables. */
export const temporalEnvironment = () => ({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_NAMESPACE: NAMESPACE,
});

async function serveApi(adjustments: Readonly<Record<string, string>> = {}) {
  const [database, keys] = await Promise.all([createCrowdedDatabase(), makeKeys()]);
  Object.assign(process.env, temporalEnvironment());
  const { log, lines } = keepLog();
  const api = await startApi(readConfig('api', { ...apiEnvironment(keys, database.urls.api), ...adjustments }), log);
  const url = `http://127.0.0.1:${api.port}`;
  const { sql } = database;
  return {
    sql,
    url,
    /** Its log, one JSON line each. */
    lines,
    /** Seals claims as the worker does, for a redeem. */
    sealEdge: await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS)),
    /** A new app for each test, so that tests on one database do not affect each other. */
    newCaller: async (): Promise<Caller> => new Caller([url], await seedApp(sql)),
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
  /** The parsed body, if it is JSON. */
  readonly body: Answer;
}

/** An app's backend with its key and its own scope, over plain HTTP. */
export class Caller extends Backend {
  readonly seeded: SeededApp;
  readonly scope: SubjectScope;
  /** The base URLs of all api processes. */
  readonly urls: readonly string[];
  readonly #address: string;

  constructor(urls: readonly string[], seeded: SeededApp, scope = seeded.newScope(), address: string = randomUUID()) {
    super();
    this.urls = urls;
    this.seeded = seeded;
    this.scope = scope;
    this.#address = address;
  }

  /** The same app with another scope, by default a new subject. */
  for(scope: Partial<SubjectScope> = {}): Caller {
    return new Caller(this.urls, this.seeded, { ...this.seeded.newScope(), ...scope }, this.#address);
  }

  /** Posts a body unchanged. Omits a header with an empty value. */
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

  /** Reads all fields of one root field, by default in this scope. @throws Refusal */
  async ask(field: RootField, variables: object = {}, { api = 0 } = {}): Promise<Answer> {
    const body = JSON.stringify({ query: DOCUMENTS[field], variables: { scope: this.scope, ...variables } });
    return await patiently(async () => {
      const { data, errors } = (await this.post(body, {}, api)).body;
      if (errors) throw new Refusal(errors[0]);
      return data[field];
    });
  }

  /** The code of a refused operation, or `answered`. */
  async outcome(field: RootField, variables: object = {}, options: { api?: number } = {}): Promise<string> {
    return await outcomeOf(this.ask(field, variables, options));
  }

  /** Creates a Connect attempt. `input` overrides the defaults. */
  async createSession(input: object = {}, options: { api?: number } = {}): Promise<Answer> {
    const { returnUrl } = this.seeded;
    const asked = { scope: this.scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl, ...input };
    return await this.ask('createConnectSession', { input: asked }, options);
  }

  /** Creates a sign-in. `input` overrides the defaults. */
  async createSignIn(input: object = {}, options: { api?: number } = {}): Promise<Answer> {
    const { tenantKey, identityReturnUrl } = this.seeded;
    const asked = { tenantKey, returnUrl: identityReturnUrl, ...input };
    return await this.ask('createIdpIdentitySession', { input: asked }, options);
  }

  /** Posts a launch token as a page of the app does. @returns the HTTP status, the URL that follows, and the cookie. */
  async launch(flow: 'connect' | 'identity', launchToken: string, api = 0) {
    const response = await fetch(`${this.urls[api]}/api/${flow}/redeem`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(this.seeded.returnUrl).origin, 'x-forwarded-for': randomUUID() },
      body: new URLSearchParams({ launchToken }),
    });
    const location = findNextUrl(await response.text()) ?? null;
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status: response.status, location, cookie: cookie.join('; ') };
  }
}

/** The code of a refused call, or `answered`. */
export async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'answered';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Counts the outcomes of parallel calls. */
export async function tally(answers: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(answers.map(outcomeOf))) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Random hexadecimal digits. */
export const hex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);

/** `test` with one api for each file and one client for each test. The clock runs again after each test. */
export const conformanceTest = (adjustments: Readonly<Record<string, string>> = {}) =>
  plainTest.extend<{ $file: { api: ServedApi; sql: Database }; $test: { client: Caller } }>({
    api: [
      async ({}, use) => {
        const api = await serveApi(adjustments);
        await use(api);
        await checkBystanders(api.sql); // The requests of tests without a client.
        await api.close();
      },
      { scope: 'file' },
    ],
    sql: [async ({ api }, use) => await use(api.sql), { scope: 'file' }],
    client: async ({ api }, use) => {
      await use(await api.newCaller());
      await releaseClock(api.sql);
      await checkBystanders(api.sql);
    },
  });

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The instant at which tests stop the clock. */
export const NOW = Date.parse('2030-06-01T00:00:00.000Z');
export const iso = (ms: number): string => new Date(ms).toISOString();
