import { describe, expect, test } from 'vitest';
import { call, client, code, failureOf, MARK, NOW, tokens, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

const BASIC = 'instagram_business_basic';
const INSIGHTS = 'instagram_business_manage_insights';
const long = { body: { access_token: 'long', token_type: 'bearer', expires_in: 5183944 } };
const exchange = async () =>
  await adapters.providers.PROVIDER_C.exchangeCode(client, { ...code, codeVerifier: null }, call());

describe('exchange', () => {
  const flat = `{"access_token":"${MARK}-short","user_id":24680135791357911,"permissions":"${BASIC},${INSIGHTS}"}`;
  test.each([
    ['flat, permissions as text', flat],
    [
      'in data, permissions as a list',
      `{"data":[${flat.replace(`"${BASIC},${INSIGHTS}"`, `["${BASIC}","${INSIGHTS}"]`)}]}`,
    ],
  ])('accepts the short-lived token %s, keeps the id’s digits, and returns the long-lived one', async (_name, body) => {
    adapters.platform.script({ body }, long);
    const { tokens: given, principal } = await exchange();
    expect(principal).toBe('24680135791357911');
    expect(given).toMatchObject({ permissions: [BASIC, INSIGHTS], refreshToken: null });
    expect(given.accessToken.reveal()).toBe('long');
    const end = new Date(NOW.getTime() + 5_183_944_000);
    expect(given).toMatchObject({ accessExpiresAt: end, refreshExpiresAt: end });
    expect(adapters.platform.seen).toMatchObject([
      { method: 'POST', path: '/c/api/oauth/access_token', form: { client_id: 'client-1', code: `${MARK}-code` } },
      {
        method: 'GET',
        path: '/c/graph/access_token',
        query: {
          grant_type: 'ig_exchange_token',
          client_secret: `${MARK}-client-secret`,
          access_token: `${MARK}-short`,
        },
      },
    ]);
  });

  test('reports that a grant exists when the second step fails', async () => {
    adapters.platform.script({ body: flat }, { status: 400, body: { error: { message: '', code: 190 } } });
    expect(await failureOf(exchange())).toMatchObject({ type: 'GrantDead', outcomeUnknown: true });
    expect(adapters.platform.seen).toHaveLength(2);
  });

  test('repeats the second step once after a short failure', async () => {
    adapters.platform.script({ body: flat }, { status: 503, body: '' }, long);
    expect((await exchange()).principal).toBe('24680135791357911');
    adapters.platform.script({ body: flat }, { status: 503, body: '' });
    expect(await failureOf(exchange())).toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
    expect(adapters.platform.seen).toHaveLength(3);
  });
});

test('a revoke is impossible, and sends no call', async () => {
  adapters.platform.script({});
  expect(await adapters.providers.PROVIDER_C.revoke(client, tokens(), call())).toBe('impossible');
  expect(adapters.platform.seen).toHaveLength(0);
});
