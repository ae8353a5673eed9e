import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { listPlatformUrls } from '../../sandbox/src/emulations.ts';
import { Secret } from '../../src/basics/secret.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createHttp } from '../../src/providers/http.ts';
import { PROVIDER_SETTINGS, type ProviderConfig } from '../../src/providers/platforms.ts';
import {
  type Access,
  type Call,
  type Client,
  type Content,
  type Provider,
  ProviderError,
  type RevokePermit,
  type Tokens,
  type Window,
} from '../../src/providers/provider.ts';
import { WAIT_LIMIT_MS } from './limits.ts';
import { PERMIT } from './permit.ts';
import { openReceiver } from './webhook-receiver.ts';

/** Every secret in these tests contains this mark, so that the tests find a leak anywhere. */
export const MARK = 'SECRETMARK';

export const NOW = new Date('2026-11-21T12:00:00.000Z');
export const DAY_MS = 24 * 60 * 60 * 1000;

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly form: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends text unchanged, and any other body as JSON. */
  readonly body?: unknown;
}
type Script = Answer | ((request: Seen, response: ServerResponse) => Answer | undefined);

/** A server that sends the scripted answers in order and then repeats the last one. A step may answer itself. */
export async function openFakePlatform() {
  const seen: Seen[] = [];
  let script: Script[] = [];
  const receiver = await openReceiver();
  receiver.answer((response, { path, ...request }) => {
    const { pathname, searchParams } = new URL(path, receiver.url);
    const query = Object.fromEntries(searchParams);
    const form = Object.fromEntries(new URLSearchParams(request.body));
    const current: Seen = { ...request, path: pathname, query, form };
    seen.push(current);
    const step = script.length > 1 ? script.shift() : script[0];
    const answer = typeof step === 'function' ? step(current, response) : step;
    if (answer === undefined) return;
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(isText ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  return {
    url: new URL(receiver.url).origin,
    /** The requests since the last `script`. */
    seen,
    script(...steps: Script[]) {
      script = steps;
      seen.length = 0;
    },
    close: receiver.close,
  };
}

/** The settings of all platforms: the defaults, with the hosts of a sandbox at `url`. */
export const configFor = (url: string, changes: Partial<ProviderConfig> = {}): ProviderConfig => ({
  ...z.object(PROVIDER_SETTINGS).parse(listPlatformUrls(url)),
  ...changes,
});

/** Adapters that call a scripted platform, at `NOW`. */
export async function openAdapters(changes: Partial<ProviderConfig> = {}) {
  const platform = await openFakePlatform();
  const http = createHttp({ production: false, userAgent: 'adapter-tests/1' });
  const config = configFor(platform.url, changes);
  return {
    platform,
    http,
    config,
    providers: createAdapters(config, http, () => NOW),
    async close() {
      await http.close();
      await platform.close();
    },
  };
}

/** The same for all tests of a file or group. */
export function useAdapters(changes: Partial<ProviderConfig> = {}) {
  let opened: Awaited<ReturnType<typeof openAdapters>>;
  beforeAll(async () => {
    opened = await openAdapters(changes);
  });
  afterAll(() => opened.close());
  return {
    get platform() {
      return opened.platform;
    },
    get config() {
      return opened.config;
    },
    get providers() {
      return opened.providers;
    },
  };
}

/** These calls are not counted and never wait. */
export const call = (changes: Partial<Call<RevokePermit>> = {}): Call<RevokePermit> => ({
  signal: AbortSignal.timeout(WAIT_LIMIT_MS),
  admit: async () => PERMIT,
  ...changes,
});

export const client: Client = { clientId: 'client-1', clientSecret: new Secret(`${MARK}-client-secret`) };

export const code = { code: new Secret(`${MARK}-code`), redirectUri: 'https://connect.example/callback' };
export const exchange = { ...code, codeVerifier: new Secret(`${MARK}-verifier-${'v'.repeat(43)}`) };

export const tokens = (changes: Partial<Tokens> = {}): Tokens => ({
  accessToken: new Secret(`${MARK}-access`),
  accessExpiresAt: new Date(NOW.getTime() + 60 * 60 * 1000),
  refreshToken: new Secret(`${MARK}-refresh`),
  refreshExpiresAt: null,
  permissions: ['old'],
  ...changes,
});

export const access = (permissions: readonly string[], providerAccountId = 'account-1'): Access => ({
  accessToken: new Secret(`${MARK}-access`),
  permissions,
  providerAccountId,
});

/** Reads a listing page by page, up to 100 posts. */
export async function listPosts(provider: Provider, reader: Access, window: Window, withMetrics = true) {
  const items: Content[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 50; pages++) {
    const input = { window, cursor, limit: 100 - items.length, withMetrics };
    const page = await provider.listContent(reader, input, call());
    items.push(...page.items);
    cursor = page.cursor;
    if (cursor === null || items.length >= 100) return { items, cursor, reachedEnd: page.reachedEnd };
  }
  throw new Error('The listing does not end.');
}
export const idsOf = (items: readonly Content[]) => items.map((item) => item.providerContentId);

/** Awaits a `ProviderError` of any type, and proves that no printed form of it contains a secret or URL. */
export async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.then(
    (value) => expect.fail(`resolved with ${inspect(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  if (!(error instanceof ProviderError)) throw error;
  const printed = [
    inspect(error, { depth: 10, showHidden: true }).replaceAll(/^\s+at .*$/gm, ''),
    JSON.stringify(error),
    error.message,
    String(error.cause),
  ].join('\n');
  expect(printed).not.toContain(MARK);
  expect(printed).not.toMatch(/https?:|127\.0\.0\.1|access_token|[?&=]/);
  return error;
}
