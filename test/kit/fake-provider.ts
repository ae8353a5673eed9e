import { vi } from 'vitest';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { NO_DETAILS } from '../../src/basics/post-details.ts';
import { Secret } from '../../src/basics/secret.ts';
import type { Call, Content, Provider, Tokens } from '../../src/providers/provider.ts';

/** Marks every secret and every provider text here, to detect a leak. */
export const MARK = 'marked-7f3a';

/** The account behind every grant, unless a test changes it. */
export const ACCOUNT = 'account-1';

let issued = 0;

/** A fresh token set, valid for two hours, with a unique access token. */
export function newTokens(changes: Partial<Tokens> = {}): Tokens {
  issued += 1;
  return {
    accessToken: new Secret(`${MARK}-access-${issued}`),
    accessExpiresAt: new Date(Date.now() + 7_200_000),
    refreshToken: new Secret(`${MARK}-refresh-${issued}`),
    refreshExpiresAt: new Date(Date.now() + 180 * 86_400_000),
    permissions: ['user.info.basic', 'user.info.profile', 'video.list'],
    ...changes,
  };
}

/** Asks for a permit as a real adapter does before each request. */
const admit = (call: Call) => call.admit({ quotaUnits: 0, cannotWait: false });

/** A provider that succeeds at the first try; tests can mock the answer of each method. */
export function fakeProvider(name: ProviderName, account = ACCOUNT) {
  return {
    name,
    readBatchSize: 20,
    exchangeCode: vi.fn<Provider['exchangeCode']>(async (_client, _input, call) => {
      await admit(call);
      return { tokens: newTokens(), principal: account };
    }),
    refresh: vi.fn<Provider['refresh']>(async (_client, _tokens, call) => {
      await admit(call);
      return newTokens();
    }),
    adoptTokens: vi.fn<Provider['adoptTokens']>(async (_client, _tokens, call) => {
      await admit(call);
      return { client: 'OURS', tokens: newTokens(), principal: account };
    }),
    probeClient: vi.fn<Provider['probeClient']>(async (_client, _input, call) => {
      await admit(call);
      return { verdict: 'TAKEN' };
    }),
    revoke: vi.fn<Provider['revoke']>(async (_client, _tokens, call) => {
      await admit(call);
      return 'revoked';
    }),
    readAccount: vi.fn<Provider['readAccount']>(async (_access, call) => {
      await admit(call);
      return {
        providerAccountId: account,
        aliasIds: [],
        profile: { displayName: 'Harbour', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null },
      };
    }),
    listContent: vi.fn<Provider['listContent']>(async (_access, _input, call) => {
      await admit(call);
      return { items: [], cursor: null, reachedEnd: true };
    }),
    readContent: vi.fn<Provider['readContent']>(async (_access, _input, call) => {
      await admit(call);
      return [];
    }),
    lookUp: vi.fn<Provider['lookUp']>(async (_access, _input, call) => {
      await admit(call);
      return { kind: 'absent' };
    }),
  } satisfies Provider;
}
export type FakeProvider = ReturnType<typeof fakeProvider>;

export const fakeProviders = () =>
  Object.fromEntries(PROVIDER_NAMES.map((name) => [name, fakeProvider(name)])) as Record<ProviderName, FakeProvider>;

/** A post with this publication date. */
export const post = (providerContentId: string, publishedAt: Date, changes: Partial<Content> = {}): Content => ({
  providerContentId,
  kind: 'VIDEO',
  canonicalUrl: null,
  ...NO_DETAILS,
  title: `Post ${providerContentId}`,
  publishedAt,
  metrics: [],
  ...changes,
});
