import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { call, client, exchange, failureOf, MARK, NOW, tokens, useAdapters } from '../../kit/fake-platform.ts';

const adapters = useAdapters();

const encoded = (payload: string) => `e30.${Buffer.from(payload).toString('base64url')}.sig`;
/** An id_token of the platform for our client, with changes. `sub` is given as JSON text. */
const idToken = (changes: object = {}, sub = '"108210000000000000001"') => {
  const said = { iss: adapters.config.PROVIDER_A_AUTHORIZE_URL, aud: 'client-1', azp: 'client-1', exp: seconds(60) };
  return encoded(JSON.stringify({ ...said, ...changes, sub: '?' }).replace('"?"', sub));
};
const seconds = (fromNow: number) => Math.floor(NOW.getTime() / 1000) + fromNow;
const answer = {
  access_token: 'new-access',
  expires_in: 3599,
  refresh_token: 'new-refresh',
  scope: 'openid https://www.googleapis.com/auth/youtube.readonly',
  token_type: 'Bearer',
};

describe('exchange', () => {
  test('returns tokens, granted permissions, and the account that a revoke would affect', async () => {
    adapters.platform.script({ body: { ...answer, id_token: idToken(), refresh_token_expires_in: 604799 } });
    const exchanged = await adapters.providers.PROVIDER_A.exchangeCode(client, exchange, call());
    expect(exchanged.principal).toBe('108210000000000000001');
    expect(exchanged.tokens.accessToken.reveal()).toBe('new-access');
    expect(exchanged.tokens.refreshToken?.reveal()).toBe('new-refresh');
    expect(exchanged.tokens.accessExpiresAt).toEqual(new Date(NOW.getTime() + 3_599_000));
    expect(exchanged.tokens.refreshExpiresAt).toEqual(new Date(NOW.getTime() + 604_799_000));
    expect(exchanged.tokens.permissions).toEqual(['openid', 'https://www.googleapis.com/auth/youtube.readonly']);
    expect(adapters.platform.seen[0]).toMatchObject({
      method: 'POST',
      path: '/a/oauth2/token',
      form: {
        grant_type: 'authorization_code',
        code: `${MARK}-code`,
        client_id: 'client-1',
        client_secret: `${MARK}-client-secret`,
        redirect_uri: exchange.redirectUri,
        code_verifier: exchange.codeVerifier.reveal(),
      },
    });
  });

  test.each<readonly [string, () => string]>([
    ['is not a JWT', () => 'x'],
    ['was issued by another issuer', () => idToken({ iss: 'https://evil.example' })],
    ['is for another client', () => idToken({ aud: 'client-2', azp: 'client-2' })],
    ['has several audiences and no authorized party', () => idToken({ aud: ['client-1', 'client-2'], azp: undefined })],
    ['expired over a minute ago', () => idToken({ exp: seconds(-61) })],
  ])('rejects an id_token that %s, and reports that a grant exists', async (_name, text) => {
    adapters.platform.script({ body: { ...answer, id_token: text() } });
    const error = await failureOf(adapters.providers.PROVIDER_A.exchangeCode(client, exchange, call()));
    expect(error).toMatchObject({ type: 'ContractBroken', outcomeUnknown: true });
  });

  test('fails without a refresh token, and reports that a grant exists', async () => {
    adapters.platform.script({ body: { ...answer, refresh_token: undefined } });
    const error = await failureOf(adapters.providers.PROVIDER_A.exchangeCode(client, exchange, call()));
    expect(error).toMatchObject({ type: 'ContractBroken', outcomeUnknown: true });
  });
});

test('refresh keeps the old refresh token, its expiry and the permissions if the answer has none', async () => {
  adapters.platform.script({ body: { access_token: 'new-access', expires_in: 3599, token_type: 'Bearer' } });
  const old = tokens({ refreshExpiresAt: new Date('2026-12-01T00:00:00Z') });
  const refreshed = await adapters.providers.PROVIDER_A.refresh(client, old, call());
  expect(refreshed).toMatchObject({
    refreshToken: old.refreshToken,
    refreshExpiresAt: old.refreshExpiresAt,
    permissions: ['old'],
  });
  expect(refreshed.accessToken.reveal()).toBe('new-access');
});

describe('revoke', () => {
  const revoke = async (changes = {}) => await adapters.providers.PROVIDER_A.revoke(client, tokens(changes), call());

  test('sends the refresh token and nothing else', async () => {
    adapters.platform.script({ body: {} });
    expect(await revoke()).toBe('revoked');
    expect(adapters.platform.seen[0]).toMatchObject({
      method: 'POST',
      path: '/a/oauth2/revoke',
      body: `token=${MARK}-refresh`,
      query: {},
    });
  });

  test('treats invalid_token as a grant that has already ended', async () => {
    adapters.platform.script(
      { status: 400, body: { error: 'invalid_token', error_description: 'Token expired or revoked' } },
      { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } },
    );
    expect(await revoke()).toBe('alreadyEnded');
    expect(adapters.platform.seen.map(({ path }) => path)).toEqual(['/a/oauth2/revoke', '/a/oauth2/token']);
  });

  test('does not believe in an end while the token still works: Google calls it not revocable', async () => {
    adapters.platform.script(
      { status: 400, body: { error: 'invalid_token', error_description: 'Token is not revocable.' } },
      { body: { access_token: 'ya29.x', expires_in: 3599, token_type: 'Bearer' } },
    );
    expect(await failureOf(revoke())).toMatchObject({ type: 'RetryLater', status: 400 });
  });

  test('does not do so for an access token, which may only have expired', async () => {
    adapters.platform.script({ status: 400, body: { error: 'invalid_token' } });
    expect(await failureOf(revoke({ refreshToken: null, accessToken: new Secret(MARK) }))).toMatchObject({
      type: 'TokenStale',
    });
  });
});
