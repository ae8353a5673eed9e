import { describe, expect, test } from 'vitest';
import type { Tokens } from '../../../src/providers/provider.ts';
import { call, client, exchange, failureOf, MARK, NOW, tokens, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

const answer = {
  open_id: '-000aZ3kExampleOpenId7Qw',
  scope: 'user.info.basic, video.list',
  access_token: 'new-access',
  expires_in: 7200,
  refresh_token: 'new-refresh',
  refresh_expires_in: 15552000,
  token_type: 'Bearer',
};

describe('exchange', () => {
  test('returns both tokens with the expiries of the answer, and the open_id', async () => {
    adapters.platform.script({ body: answer });
    const { tokens: given, principal } = await adapters.providers.PROVIDER_B.exchangeCode(client, exchange, call());
    expect(principal).toBe('-000aZ3kExampleOpenId7Qw');
    expect(given).toMatchObject({
      accessExpiresAt: new Date(NOW.getTime() + 7_200_000),
      refreshExpiresAt: new Date(NOW.getTime() + 15_552_000_000),
      permissions: ['user.info.basic', 'video.list'],
    });
    expect(adapters.platform.seen[0]).toMatchObject({
      path: '/b/open/v2/oauth/token/',
      form: { client_key: 'client-1', code: `${MARK}-code`, code_verifier: exchange.codeVerifier.reveal() },
    });
  });

  test.each(['user.info.basic,video.list', ['user.info.basic', 'video.list']])(
    'reads the permissions of %j',
    async (scope) => {
      adapters.platform.script({ body: { ...answer, scope } });
      const { tokens: given } = await adapters.providers.PROVIDER_B.exchangeCode(client, exchange, call());
      expect(given.permissions).toEqual(['user.info.basic', 'video.list']);
    },
  );
});

test('refresh keeps values that the answer omits', async () => {
  adapters.platform.script({ body: { access_token: 'new-access' } });
  const old = tokens({ refreshExpiresAt: new Date('2027-01-01T00:00:00Z') });
  expect(await adapters.providers.PROVIDER_B.refresh(client, old, call())).toMatchObject({
    refreshToken: old.refreshToken,
    refreshExpiresAt: old.refreshExpiresAt,
    permissions: old.permissions,
    accessExpiresAt: null,
  });
});

describe('revoke', () => {
  const revoke = async (changes: Partial<Tokens> = {}) =>
    await adapters.providers.PROVIDER_B.revoke(client, tokens(changes), call());
  const refused = { body: { error: 'invalid_grant', error_description: 'x', log_id: '1' } };
  const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

  test.each([
    ['an empty body', ''],
    ['an empty object', {}],
  ])('succeeds with %s', async (_name, body) => {
    adapters.platform.script({ body });
    expect(await revoke()).toBe('revoked');
    expect(adapters.platform.seen[0]).toMatchObject({
      path: '/b/open/v2/oauth/revoke/',
      form: { client_key: 'client-1', client_secret: `${MARK}-client-secret`, token: `${MARK}-access` },
    });
  });

  test.each([-1, 0, 5])('requires a fresh token, without a call, if this one expires in %i s', async (seconds) => {
    adapters.platform.script(refused);
    expect(await failureOf(revoke({ accessExpiresAt: inSeconds(seconds) }))).toMatchObject({ type: 'TokenStale' });
    expect(adapters.platform.seen).toHaveLength(0);
  });
});
