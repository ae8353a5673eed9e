import { expect, type TestContext, test } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { type Content, ProviderError } from '../../src/providers/provider.ts';
import { call, DAY_MS } from '../kit/fake-platform.ts';
import type { Target, Write } from './target.ts';

const METRICS = ['COMMENTS', 'LIKES', 'SHARES', 'VIEWS'];
const NOBODYS = 'a-token-that-nobody-has-issued';

const typeOf = async (promise: Promise<unknown>) =>
  await promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ProviderError ? error.type : String(error)),
  );

/**
 * The guarantees of an adapter that hold for any account on any platform. Only the last two tests change data, and they
 * run only if that is allowed.
 */
export function describeAdapter(open: () => Promise<Target>): void {
  const access = async (target: Target) => {
    const { accessToken, permissions } = target.tokens;
    const { providerAccountId } = await target.provider.readAccount({ accessToken, permissions }, call());
    return { accessToken, permissions, providerAccountId };
  };

  const recent = async (target: Target, context: TestContext, { limit = 20, withMetrics = false } = {}) => {
    const window = { publishedAfter: new Date(Date.now() - 90 * DAY_MS), publishedBefore: new Date() };
    const reader = await access(target);
    const page = await target.provider.listContent(reader, { window, cursor: null, limit, withMetrics }, call());
    if (page.items.length === 0) context.skip('the account has published nothing in the last 90 days');
    return { reader, window, page, first: page.items[0] as Content };
  };

  const needsClient = (target: Target, context: TestContext) => {
    if (target.client === undefined) context.skip('CONTRACT_CLIENT_ID and CONTRACT_CLIENT_SECRET are not set');
    return target.client;
  };
  const needsWrite = (target: Target, context: TestContext, write: Write) => {
    if (!target.mayWrite(write)) context.skip(`CONTRACT_WRITE does not name ${write}`);
  };

  test('reads the id and the name of the account', async () => {
    const { provider, tokens } = await open();
    const account = await provider.readAccount(tokens, call());
    expect(account.providerAccountId).not.toBe('');
    expect(account.profile.displayName ?? account.profile.handle).toEqual(expect.any(String));
  });

  test('lists the posts of a window, once each, page by page', async (context) => {
    const target = await open();
    const { reader, window, page } = await recent(target, context, { limit: 5 });
    const items = [...page.items];
    if (page.cursor !== null) {
      const input = { window, cursor: page.cursor, limit: 5, withMetrics: false };
      items.push(...(await target.provider.listContent(reader, input, call())).items);
    }
    const ids = items.map(({ providerContentId }) => providerContentId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { publishedAt, canonicalUrl } of items) {
      expect(publishedAt?.getTime()).toBeGreaterThanOrEqual(window.publishedAfter.getTime());
      expect(publishedAt?.getTime()).toBeLessThan(window.publishedBefore.getTime());
      if (canonicalUrl !== null) expect(canonicalUrl).toMatch(/^https:\/\//);
    }
  });

  test('gives every metric a number, or a reason for its absence', async (context) => {
    const { page } = await recent(await open(), context, { limit: 5, withMetrics: true });
    for (const { metrics } of page.items) {
      expect(metrics.map(({ name }) => name).toSorted()).toEqual(METRICS);
      for (const { value, reason, availability } of metrics) {
        if (availability === 'AVAILABLE') expect(value).toMatch(/^\d+$/);
        else expect([value, typeof reason]).toEqual([null, 'string']);
      }
    }
  });

  test('reads the posts it has listed by id, and no others', async (context) => {
    const target = await open();
    const { reader, page } = await recent(target, context);
    const ids = page.items
      .slice(0, target.provider.readBatchSize - 1)
      .map(({ providerContentId }) => providerContentId);
    const gone = (ids[0] ?? '').replace(/.(?=.$)/, (character) => (character === '0' ? '1' : '0'));
    const input = { providerContentIds: [...ids, gone], withMetrics: false };
    const read = await target.provider.readContent(reader, input, call());
    expect(read.map(({ providerContentId }) => providerContentId).toSorted()).toEqual(ids.toSorted());
  });

  test('finds a post by its URL', async (context) => {
    const target = await open();
    const { reader, first } = await recent(target, context);
    const url = first.canonicalUrl;
    if (url === null) return context.skip('the newest post has no URL');
    let step = await target.provider.lookUp(reader, { url, cursor: null, withMetrics: false }, call());
    while (step.kind === 'searching') {
      step = await target.provider.lookUp(reader, { url, cursor: step.cursor, withMetrics: false }, call());
    }
    expect(step).toMatchObject({ kind: 'found', content: { providerContentId: first.providerContentId } });
  });

  test('refuses a token that was never issued, and blames the token', async () => {
    const { provider, tokens } = await open();
    const reading = provider.readAccount({ accessToken: new Secret(NOBODYS), permissions: tokens.permissions }, call());
    expect(['TokenStale', 'GrantDead']).toContain(await typeOf(reading));
  });

  test('distinguishes an invalid code from an unknown client', async (context) => {
    const target = await open();
    const client = needsClient(target, context);
    if (!client) return;
    const redirectUri = process.env.CONTRACT_REDIRECT_URI ?? 'http://127.0.0.1:1/api/connect/callback/x';
    const exchange = { code: new Secret(NOBODYS), redirectUri, codeVerifier: new Secret('v'.repeat(64)) };
    expect(await typeOf(target.provider.exchangeCode(client, exchange, call()))).toBe('GrantDead');
    const stranger = { ...client, clientSecret: new Secret('not-the-secret') };
    expect(await typeOf(target.provider.exchangeCode(stranger, exchange, call()))).toBe('ClientRejected');
  });

  test('a refresh returns tokens that work', async (context) => {
    const target = await open();
    needsWrite(target, context, 'refresh');
    const client = needsClient(target, context);
    if (!client) return;
    const { provider, tokens } = target;
    const fresh = await provider.refresh(client, tokens, call()).catch(async (error: unknown) => {
      const isTooYoung = error instanceof ProviderError && error.type === 'RetryLater' && error.retryAfterSeconds;
      if (!isTooYoung) throw error;
      if (!target.skipTime) return context.skip('the platform refreshes no token as young as this one');
      target.skipTime(isTooYoung);
      return await provider.refresh(client, tokens, call());
    });
    target.keep(fresh);
    expect(await typeOf(provider.readAccount(fresh, call()))).toBe('no failure');
  });

  test('a revoke ends the grant, if the platform has one', async (context) => {
    const target = await open();
    needsWrite(target, context, 'revoke');
    const client = needsClient(target, context);
    if (!client) return;
    const outcome = await target.provider.revoke(client, target.tokens, call());
    if (outcome === 'impossible') return;
    expect(outcome).toBe('revoked');
    expect(['TokenStale', 'GrantDead']).toContain(await typeOf(target.provider.readAccount(target.tokens, call())));
  });
}
