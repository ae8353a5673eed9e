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

/** A method that asks for a permit, as a real adapter does before each request, and answers; tests can mock it. */
const scripted = <Method extends (...args: never[]) => Promise<unknown>>(answer: () => Awaited<ReturnType<Method>>) => {
  const method = async (...args: readonly unknown[]) => {
    await (args.at(-1) as Call).admit({ quotaUnits: 0, cannotWait: false });
    return answer();
  };
  return vi.fn<Method>(method as never);
};

/** A provider that succeeds at the first try. */
export function fakeProvider(name: ProviderName, account = ACCOUNT) {
  const profile = { displayName: 'Harbour', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null };
  return {
    name,
    readBatchSize: 20,
    exchangeCode: scripted<Provider['exchangeCode']>(() => ({ tokens: newTokens(), principal: account })),
    refresh: scripted<Provider['refresh']>(() => newTokens()),
    adoptTokens: scripted<Provider['adoptTokens']>(() => ({ client: 'OURS', tokens: newTokens(), principal: account })),
    probeClient: scripted<Provider['probeClient']>(() => ({ verdict: 'TAKEN' })),
    revoke: scripted<Provider['revoke']>(() => 'revoked'),
    readAccount: scripted<Provider['readAccount']>(() => ({ providerAccountId: account, aliasIds: [], profile })),
    listContent: scripted<Provider['listContent']>(() => ({ items: [], cursor: null, reachedEnd: true })),
    readContent: scripted<Provider['readContent']>(() => []),
    lookUp: scripted<Provider['lookUp']>(() => ({ kind: 'absent' })),
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
