import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { KNOWN_CLIENTS } from '../../sandbox/src/clients.ts';
import type { Post, SandboxAccount } from '../../sandbox/src/model.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { CAPABILITIES, type ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { createHttp } from '../../src/providers/http.ts';
import type { ProviderConfig } from '../../src/providers/platforms.ts';
import type { Access, Client, Content, LookupStep, Window } from '../../src/providers/provider.ts';
import { call, configFor, DAY_MS } from '../kit/fake-platform.ts';

const REDIRECT_URI = 'http://127.0.0.1:1/api/connect/callback/x';
const VERIFIER = 'v'.repeat(64);

/** One provider's adapter with its own sandbox, reset before every test. Every request must be one that it knows. */
export function useContract(name: ProviderName) {
  const http = createHttp({ production: false, userAgent: 'contract-tests/1' });
  let sandbox: Sandbox;
  let config: ProviderConfig;

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, seed: 'contract' });
  });
  beforeEach(() => {
    sandbox.control.reset();
    sandbox.control.setClock(0);
    config = configFor(sandbox.url);
  });
  afterEach(() => {
    const calls = sandbox.control.calls();
    expect(calls.flatMap((one) => one.violations.map((what) => `${one.route}: ${what}`))).toEqual([]);
  });
  afterAll(async () => {
    await http.close();
    await sandbox.close();
  });

  const now = () => new Date(sandbox.control.clock().now);
  const contract = {
    get control() {
      return sandbox.control;
    },
    get provider() {
      return createAdapters(config, http, now)[name];
    },
    get config() {
      return config;
    },
    get facts() {
      return createCatalog(config)[name];
    },
    configure(changes: Partial<ProviderConfig>) {
      config = { ...config, ...changes };
    },

    client: {
      clientId: KNOWN_CLIENTS[name].clientId,
      clientSecret: new Secret(KNOWN_CLIENTS[name].clientSecret),
    } satisfies Client,

    /** The first has 250 posts, the second 40. */
    account(number = 0): SandboxAccount {
      return sandbox.control.accounts(name)[number] ?? expect.fail('There is no such account.');
    },

    /** Acts as a person's browser: opens the consent page, decides, and returns with the query of the callback. */
    async consent(decision: 'allow' | 'deny', owner: SandboxAccount, untick: readonly string[] = []) {
      const { facts, client } = contract;
      const state = randomBytes(16).toString('hex');
      const permissions = facts.permissionsFor(CAPABILITIES);
      const codeChallenge = facts.pkce === null ? null : createHash('sha256').update(VERIFIER).digest(facts.pkce);
      const { clientId } = client;
      const url = facts.buildAuthorizationRequest({
        clientId,
        redirectUri: REDIRECT_URI,
        permissions,
        state,
        codeChallenge,
      });
      const page = await (await fetch(url)).text();
      const [, action] = /<form[^>]+action="([^"]+)"/.exec(page) ?? [];
      const [, request] = /name="request" value="([^"]+)"/.exec(page) ?? [];
      if (action === undefined || request === undefined) throw new Error(`No consent page: ${page.slice(0, 2_000)}`);
      const form = new URLSearchParams({ request, account: owner.id, decision });
      for (const permission of permissions) if (!untick.includes(permission)) form.append('permission', permission);
      const answer = await fetch(new URL(action, url), { method: 'POST', body: form, redirect: 'manual' });
      const query = new URL(answer.headers.get('location') ?? expect.fail(await answer.text())).searchParams;
      expect(query.get('state')).toBe(state);
      return query;
    },

    /** The consent's values for the exchange. */
    async consented(owner: SandboxAccount, untick: readonly string[] = []) {
      const { facts } = contract;
      const callback = facts.readAuthorizationResponse(await contract.consent('allow', owner, untick));
      if (callback.kind !== 'code') throw new Error(`The callback is ${callback.kind}.`);
      if (facts.issuer !== null) expect(callback.issuer).toBe(facts.issuer);
      const codeVerifier = facts.pkce === null ? null : new Secret(VERIFIER);
      return { code: new Secret(callback.code), redirectUri: REDIRECT_URI, codeVerifier };
    },

    async connect(owner: SandboxAccount, untick: readonly string[] = []) {
      const input = await contract.consented(owner, untick);
      const { tokens, principal } = await contract.provider.exchangeCode(contract.client, input, call());
      const { accessToken, permissions } = tokens;
      const access: Access = { accessToken, permissions, providerAccountId: owner.id };
      return { tokens, principal, access };
    },

    async scan(access: Access, window: Window, { limit = 1_000, withMetrics = false } = {}) {
      const items: Content[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < 100; pages++) {
        const input = { window, cursor, limit: Math.min(100, limit - items.length), withMetrics };
        const page = await contract.provider.listContent(access, input, call());
        items.push(...page.items);
        cursor = page.cursor;
        if (cursor === null || items.length >= limit) return { items, reachedEnd: page.reachedEnd };
      }
      throw new Error('The listing does not end.');
    },

    async lookUp(access: Access, url: string): Promise<LookupStep> {
      const step = async (cursor: string | null) =>
        await contract.provider.lookUp(access, { url, cursor, withMetrics: true }, call());
      let current = await step(null);
      while (current.kind === 'searching') current = await step(current.cursor);
      return current;
    },

    windowOf: (fromDaysAgo: number, toDaysAgo: number): Window => ({
      publishedAfter: new Date(now().getTime() - fromDaysAgo * DAY_MS),
      publishedBefore: new Date(now().getTime() - toDaysAgo * DAY_MS),
    }),

    /** The posts that a listing of the window must contain. */
    seeded: (owner: SandboxAccount, { publishedAfter, publishedBefore }: Window): readonly Post[] =>
      sandbox.control.posts(owner.id).filter((post) => {
        const at = publishedAt(post);
        return post.isPublic && at >= publishedAfter.getTime() && at < publishedBefore.getTime();
      }),

    routes: () => sandbox.control.calls().map(({ route }) => route),
  };
  return contract;
}

/** Platforms round to whole seconds. */
export const publishedAt = (post: Post): number => Math.floor((post.publishedAt ?? Number.NaN) / 1000) * 1000;

export const idsOf = (items: readonly Content[]): string[] => items.map((item) => item.providerContentId).toSorted();
export const postIdsOf = (posts: readonly Post[]): string[] => posts.map(({ id }) => id).toSorted();
