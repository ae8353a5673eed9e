import { expect, test } from 'vitest';
import { call, failureOf } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_B');
const { client } = contract;

test.each(['none', 'base64url', 'hex'] as const)('connects with PKCE %s', async (pkce) => {
  contract.control.changeSettings({ b: { pkce } });
  contract.configure({ PROVIDER_B_PKCE: pkce });
  await contract.connect(contract.account());
  contract.expectNoViolations();
});

test('a refresh rotates: the old refresh token fails at once, the new one works', async () => {
  const { tokens } = await contract.connect(contract.account());
  const { refresh } = contract.provider;
  const rotated = await refresh(client, tokens, call());
  expect(rotated.refreshToken?.reveal()).not.toBe(tokens.refreshToken?.reveal());
  expect(await failureOf(refresh(client, tokens, call()))).toMatchObject({ type: 'GrantDead' });
  await refresh(client, rotated, call());
  contract.expectNoViolations();
});

test('a revoke requires a live access token: a stale one proves nothing', async () => {
  const { tokens } = await contract.connect(contract.account());
  const { revoke, refresh } = contract.provider;
  contract.control.setClock(3 * 60 * 60 * 1000);
  expect(await failureOf(revoke(client, tokens, call()))).toMatchObject({ type: 'TokenStale' });
  const fresh = await refresh(client, tokens, call());
  expect(await revoke(client, fresh, call())).toBe('revoked');
  expect(await failureOf(revoke(client, fresh, call()))).toMatchObject({ type: 'TokenStale' });
  expect(await failureOf(refresh(client, fresh, call()))).toMatchObject({ type: 'GrantDead' });
  expect(contract.control.grants().filter(({ endedAt }) => endedAt === null)).toEqual([]);
  contract.expectNoViolations();
});

test('with only some permissions, reads the rest of the profile, and no posts', async () => {
  const { access } = await contract.connect(contract.account(), ['user.info.profile', 'video.list']);
  expect((await contract.provider.readAccount(access, call())).profile.handle).toBeNull();
  const input = { window: contract.windowOf(7, 0), cursor: null, limit: 10, withMetrics: true };
  const listing = contract.provider.listContent(access, input, call());
  expect(await failureOf(listing)).toMatchObject({ type: 'PermissionMissing' });
  contract.expectNoViolations();
});

test('a challenge of the wrong form is refused only with the code, and the error names the setting', async () => {
  contract.control.changeSettings({ b: { pkce: 'hex' } });
  const error = await failureOf(contract.connect(contract.account()));
  expect(error).toMatchObject({ type: 'ClientRejected' });
  expect(error.message).toContain('PROVIDER_B_PKCE');
});

test('the sandbox records requests that the real platform does not support', async () => {
  const { accessToken } = (await contract.connect(contract.account())).access;
  const api = `${contract.config.PROVIDER_B_API_URL}/v2`;
  const headers = { authorization: `Bearer ${accessToken.reveal()}`, 'content-type': 'application/json' };
  const listVideos = (query: string, asked: object) =>
    fetch(`${api}/video/list/${query}`, { method: 'POST', headers, body: JSON.stringify(asked) });
  const form = { client_key: 'x', client_secret: 'x', client_id: 'x', grant_type: 'refresh_token', refresh_token: 'y' };
  await fetch(`${api}/oauth/token/`, { method: 'POST', body: new URLSearchParams(form) });
  await listVideos('', { max_count: 20 });
  await listVideos('?fields=id', { max_count: 21 });
  await fetch(`${api}/user/info?fields=open_id`, { headers });
  const seen = contract.control
    .calls()
    .flatMap(({ route, violations }) => violations.map((what) => `${route}: ${what}`));
  expect(seen).toEqual([
    'token: unknown form field client_id',
    'videoList: missing query parameter fields',
    'videoList: max_count is not 1 to 20, or cursor not a time in milliseconds',
    'unknown: no such path, or not with this method',
  ]);
});
