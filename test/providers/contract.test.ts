import { describe, expect, test } from 'vitest';
import { buildPostUrl } from '../../sandbox/src/post-url.ts';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { call, DAY_MS, failureOf } from '../kit/fake-platform.ts';
import { idsOf, postIdsOf, publishedAt, useContract } from './contract.ts';

/** The platform's own names of the metrics, as a caller sees them. */
const SOURCES: Readonly<Record<ProviderName, Readonly<Record<string, string>>>> = {
  PROVIDER_A: { VIEWS: 'statistics.viewCount', LIKES: 'statistics.likeCount', COMMENTS: 'statistics.commentCount' },
  PROVIDER_B: { VIEWS: 'view_count', LIKES: 'like_count', COMMENTS: 'comment_count', SHARES: 'share_count' },
  PROVIDER_C: { VIEWS: 'insights.views', LIKES: 'like_count', COMMENTS: 'comments_count', SHARES: 'insights.shares' },
};

describe.each(PROVIDER_NAMES)('%s', (name) => {
  const contract = useContract(name);
  const { client } = contract;

  test('connects: tokens, permissions, principal, and the account', async () => {
    const owner = contract.account();
    const { tokens, principal, access } = await contract.connect(owner);
    expect(principal).toBe(contract.facts.tokensNameAccount ? owner.principal : null);
    expect(tokens.permissions.toSorted()).toEqual(contract.facts.permissionsFor(CAPABILITIES).toSorted());
    const read = await contract.provider.readAccount(access, call());
    expect(read.providerAccountId).toBe(owner.id);
    expect(read.profile).toMatchObject({ displayName: owner.name, description: owner.bio });
    expect(read.profile.handle).toContain(owner.handle);
  });

  test('recognizes a refusal at the consent page', async () => {
    const query = await contract.consent('deny', contract.account());
    expect(contract.facts.readAuthorizationResponse(query)).toMatchObject({ kind: 'refused', by: 'PERSON' });
  });

  test('a code works once', async () => {
    const input = await contract.consented(contract.account());
    await contract.provider.exchangeCode(client, input, call());
    const again = contract.provider.exchangeCode(client, input, call());
    expect(await failureOf(again)).toMatchObject({ type: 'GrantDead', outcomeUnknown: false });
  });

  test('a wrong client secret is our own error and ends no grant', async () => {
    const input = await contract.consented(contract.account());
    const wrong = { ...client, clientSecret: new Secret('wrong') };
    const exchanging = contract.provider.exchangeCode(wrong, input, call());
    expect(await failureOf(exchanging)).toMatchObject({ type: 'ClientRejected', outcomeUnknown: false });
  });

  test('a probe with a made-up credential returns whether our client is accepted', async () => {
    const { provider, control } = contract;
    const REFUSED = { verdict: 'REFUSED', refusal: { type: 'ClientRejected', status: expect.any(Number) } };
    const input = { redirectUri: 'http://127.0.0.1:1/api/connect/callback/x' };
    expect(await provider.probeClient(client, input, call())).toEqual({ verdict: 'TAKEN' });
    const wrong = { ...client, clientSecret: new Secret('wrong') };
    expect(await provider.probeClient(wrong, input, call())).toMatchObject(REFUSED);
    expect(await provider.probeClient({ ...client, clientId: 'unknown' }, input, call())).toMatchObject(REFUSED);
    control.registerClient({ provider: name, clientId: client.clientId, isRefused: true });
    expect(await provider.probeClient(client, input, call())).toMatchObject(REFUSED);
  });

  test('an unavailable platform gives no verdict on our client', async () => {
    contract.control.addFault({ provider: name, route: 'token', what: { kind: 'answer', status: 503, body: {} } });
    const probing = contract.provider.probeClient(client, { redirectUri: 'http://127.0.0.1:1/x' }, call());
    expect(await failureOf(probing)).toMatchObject({ type: 'RetryLater' });
  });

  test('an exchange without an answer leaves the outcome unknown', async () => {
    const input = await contract.consented(contract.account());
    contract.control.addFault({ provider: name, route: 'token', what: { kind: 'answerLost' } });
    const exchanging = contract.provider.exchangeCode(client, input, call());
    expect(await failureOf(exchanging)).toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
  });

  test.each([
    [7, 0],
    [30, 10],
    [90, 0],
    [60, 55],
  ])('lists exactly the posts of a window, from %i to %i days ago, to its end', async (from, to) => {
    const owner = contract.account();
    const { access } = await contract.connect(owner);
    const window = contract.windowOf(from, to);
    const { items, reachedEnd } = await contract.scan(access, window);
    const seeded = contract.seeded(owner, window);
    expect(seeded.length).toBeGreaterThan(5);
    expect(idsOf(items)).toEqual(postIdsOf(seeded));
    expect(items.map((item) => item.publishedAt?.getTime()).toSorted()).toEqual(seeded.map(publishedAt).toSorted());
    expect(reachedEnd).toBe(true);
  });

  test('lists every kind of account to its end', async () => {
    for (const owner of contract.control.accounts(name)) {
      if (owner.traits.includes('noChannel') || owner.traits.includes('personal')) continue;
      const { access } = await contract.connect(owner);
      const window = contract.windowOf(90, 0);
      const { items, reachedEnd } = await contract.scan(access, window);
      expect([owner.note, idsOf(items)]).toEqual([owner.note, postIdsOf(contract.seeded(owner, window))]);
      expect(reachedEnd).toBe(true);
    }
  });

  test('reads text, links and kind of each post', async () => {
    const owner = contract.account(1);
    const { access } = await contract.connect(owner);
    const { items } = await contract.scan(access, contract.windowOf(90, 0));
    expect(items.length).toBeGreaterThan(20);
    for (const item of items) {
      const post = contract.control.posts(owner.id).find(({ id }) => id === item.providerContentId);
      expect(item.description).toBe(post?.caption);
      expect(item.title).toBe(name === 'PROVIDER_C' ? null : post?.title || null);
      expect(contract.facts.contentKinds).toContain(item.kind);
      expect(item.canonicalUrl).toMatch(/^https:/);
      expect(post && new URL(item.canonicalUrl ?? '').origin).toBe(post && new URL(buildPostUrl(owner, post)).origin);
      // Its terms forbid to remove the label of origin.
      expect(item.canonicalUrl?.includes('utm_campaign=tt4d_open_api')).toBe(name === 'PROVIDER_B');
      if (name === 'PROVIDER_A') expect(item.thumbnailUrl).toBeNull();
    }
  });

  test('reads all four metrics to the last digit, or the reason why one is missing', async () => {
    const owner = contract.account();
    const { access } = await contract.connect(owner);
    const { items } = await contract.scan(access, contract.windowOf(90, 0), { limit: 100, withMetrics: true });
    expect(items).toHaveLength(100);
    for (const { providerContentId, metrics } of items) {
      const post = contract.control.posts(owner.id).find(({ id }) => id === providerContentId);
      expect(metrics.map((metric) => metric.name).toSorted()).toEqual(['COMMENTS', 'LIKES', 'SHARES', 'VIEWS']);
      const value = (wanted: string) => metrics.find((metric) => metric.name === wanted)?.value;
      expect(value('LIKES')).toBe(post?.likes);
      if (name !== 'PROVIDER_C') {
        expect([value('VIEWS'), value('COMMENTS'), value('SHARES')]).toEqual([
          post?.views,
          post?.comments,
          post?.shares,
        ]);
      } else if (post?.insights === 'given') {
        expect([value('VIEWS'), value('SHARES')]).toEqual([post.views, post.shares]);
      } else {
        expect(value('SHARES')).toBeNull();
      }
      for (const { name: metric, value: given, availability, reason, sourceField } of metrics) {
        expect([reason === null, availability === 'AVAILABLE']).toEqual([given !== null, given !== null]);
        if (given !== null) expect([metric, sourceField]).toEqual([metric, SOURCES[name][metric]]);
      }
    }
  });

  test('reads posts by id in the largest batch, without those that are deleted, hidden or foreign', async () => {
    const owner = contract.account();
    const { access } = await contract.connect(owner);
    const [gone, hidden, ...rest] = contract.seeded(owner, contract.windowOf(90, 0));
    const [foreign] = contract.seeded(contract.account(1), contract.windowOf(90, 0));
    if (!gone || !hidden || !foreign) throw new Error('The seed has too few posts.');
    contract.control.deletePost(gone.id);
    contract.control.changePost(hidden.id, { isPublic: false });
    const wanted = rest.slice(0, contract.provider.readBatchSize - 3).map(({ id }) => id);
    const read = (...ids: readonly string[]) =>
      contract.provider.readContent(access, { providerContentIds: ids, withMetrics: false }, call());
    expect(idsOf(await read(gone.id, hidden.id, ...wanted))).toEqual(wanted.toSorted());
    // A platform that shows all people's posts names their owner.
    const others = read(...wanted, foreign.id);
    if (name === 'PROVIDER_A') expect(await failureOf(others)).toMatchObject({ type: 'AccountMismatch' });
    else expect(idsOf(await others)).toEqual(wanted.toSorted());
  });

  test('blames only the token or the grant once the person has removed the app', async () => {
    const owner = contract.account();
    const { access, tokens } = await contract.connect(owner);
    contract.control.removeApp(owner.id, { notify: false });
    const type = name === 'PROVIDER_C' ? 'GrantDead' : 'TokenStale';
    const { readAccount, listContent, readContent, refresh } = contract.provider;
    const listing = { window: contract.windowOf(7, 0), cursor: null, limit: 10, withMetrics: false };
    const reading = { providerContentIds: ['12345678901'], withMetrics: false };
    expect(await failureOf(readAccount(access, call()))).toMatchObject({ type });
    expect(await failureOf(listContent(access, listing, call()))).toMatchObject({ type });
    expect(await failureOf(readContent(access, reading, call()))).toMatchObject({ type });
    contract.control.setClock(2 * DAY_MS);
    expect(await failureOf(refresh(client, tokens, call()))).toMatchObject({ type: 'GrantDead' });
  });

  test.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429 },
    { kind: 'answerLost' },
    { kind: 'malformedJson' },
    { kind: 'answer', status: 200, body: '<html>not the API</html>' },
  ] as const)('takes %j for a temporary failure', async (what) => {
    const { access } = await contract.connect(contract.account());
    contract.control.addFault({ provider: name, what });
    const error = await failureOf(contract.provider.readAccount(access, call()));
    const type = 'status' in what && what.status === 429 ? 'PlatformLimit' : 'RetryLater';
    expect(error).toMatchObject({ type, outcomeUnknown: false });
  });
});
