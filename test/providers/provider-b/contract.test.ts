import { expect, test } from 'vitest';
import { call, failureOf } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_B');
const { client } = contract;

test.each(['none', 'base64url', 'hex'] as const)('connects with PKCE %s', async (pkce) => {
  contract.control.changeSettings({ b: { pkce } });
  contract.configure({ PROVIDER_B_PKCE: pkce });
  await contract.connect(contract.account());
});

test('a refresh rotates: the old refresh token fails at once, the new one works', async () => {
  const { tokens } = await contract.connect(contract.account());
  const { refresh } = contract.provider;
  const rotated = await refresh(client, tokens, call());
  expect(rotated.refreshToken?.reveal()).not.toBe(tokens.refreshToken?.reveal());
  expect(await failureOf(refresh(client, tokens, call()))).toMatchObject({ type: 'GrantDead' });
  await refresh(client, rotated, call());
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
});

test('with only some permissions, reads the rest of the profile, and no posts', async () => {
  const { access } = await contract.connect(contract.account(), ['user.info.profile', 'video.list']);
  expect((await contract.provider.readAccount(access, call())).profile.handle).toBeNull();
  const input = { window: contract.windowOf(7, 0), cursor: null, limit: 10, withMetrics: true };
  const listing = contract.provider.listContent(access, input, call());
  expect(await failureOf(listing)).toMatchObject({ type: 'PermissionMissing' });
});

test('a challenge of the wrong form is refused only with the code, and the error names the setting', async () => {
  contract.control.changeSettings({ b: { pkce: 'hex' } });
  const error = await failureOf(contract.connect(contract.account()));
  expect(error).toMatchObject({ type: 'ClientRejected' });
  expect(error.message).toContain('PROVIDER_B_PKCE');
  contract.control.clearCalls(); // The platform knows no such challenge.
});
