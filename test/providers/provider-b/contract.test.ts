import { expect, test } from 'vitest';
import { call, failureOf } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_B');
const { client } = contract;

test.each(['none', 'base64url', 'hex'] as const)('connects with PKCE %s', async (pkce) => {
  proves('PKCE');
  contract.control.changeSettings({ b: { pkce } });
  contract.configure({ PROVIDER_B_PKCE: pkce });
  await contract.connect(contract.account());
  contract.expectNoViolations();
});

test('a refresh rotates: the old refresh token fails at once, the new one works', async () => {
  proves('Rotation');
  const { tokens } = await contract.connect(contract.account());
  const { refresh } = contract.provider;
  const rotated = await refresh(client, tokens, call());
  expect(rotated.refreshToken?.reveal()).not.toBe(tokens.refreshToken?.reveal());
  expect(await failureOf(refresh(client, tokens, call()))).toMatchObject({ type: 'GrantDead' });
  await refresh(client, rotated, call());
  contract.expectNoViolations();
});

test('a refresh without an answer leaves the outcome unknown', async () => {
  proves('A lost answer to a refresh');
  const { tokens } = await contract.connect(contract.account());
  contract.control.addFault({ provider: 'PROVIDER_B', route: 'token', what: { kind: 'answerLost' } });
  const refreshing = contract.provider.refresh(client, tokens, call());
  expect(await failureOf(refreshing)).toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
});

test('a revoke requires a live access token: a stale one proves nothing', async () => {
  proves('A grant that is already revoked');
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

test('a revoke with a token that ended before its time returns that, and the grant is revoked with a fresh one', async () => {
  proves('A grant that is already revoked');
  const account = contract.account();
  const { tokens } = await contract.connect(account);
  const { revoke, refresh } = contract.provider;
  contract.control.expireTokens(account.id, 'access');
  expect(await failureOf(revoke(client, tokens, call()))).toMatchObject({ type: 'TokenStale' });
  expect(await revoke(client, await refresh(client, tokens, call()), call())).toBe('revoked');
  expect(contract.control.grants().filter(({ endedAt }) => endedAt === null)).toEqual([]);
  contract.expectNoViolations();
});

test('with only some permissions, reads the rest of the profile, and no posts', async () => {
  proves('Permissions that the person did not grant');
  const { access } = await contract.connect(contract.account(), ['user.info.profile', 'video.list']);
  expect((await contract.provider.readAccount(access, call())).profile.handle).toBeNull();
  const input = { window: contract.windowOf(7, 0), cursor: null, limit: 10, withMetrics: true };
  const listing = contract.provider.listContent(access, input, call());
  expect(await failureOf(listing)).toMatchObject({ type: 'PermissionMissing' });
  contract.expectNoViolations();
});

test('finds a post by every form of its URL, and no foreign one', async () => {
  proves('Every form');
  const owner = contract.account();
  const { access } = await contract.connect(owner);
  const [post] = contract.seeded(owner, contract.windowOf(90, 0));
  const [foreign] = contract.seeded(contract.account(1), contract.windowOf(90, 0));
  if (!post || !foreign) throw new Error('The seed has too few posts.');
  for (const url of [
    `https://www.tiktok.com/@${owner.handle}/video/${post.id}?lang=en`,
    `https://m.tiktok.com/v/${post.id}.html`,
    `https://www.tiktok.com/player/v1/${post.id}`,
    `https://vm.tiktok.com/${post.code}/`,
    `https://vt.tiktok.com/${post.code}`,
    `https://www.tiktok.com/t/hop-hop-${post.code}/`,
  ]) {
    const found = await contract.lookUp(access, url);
    expect([url, found]).toMatchObject([url, { kind: 'found', content: { providerContentId: post.id } }]);
  }
  expect(await contract.lookUp(access, `https://vm.tiktok.com/${foreign.code}/`)).toMatchObject({ kind: 'absent' });
  contract.expectNoViolations();
});

test.each(['ZSlogin', 'ZSshop', 'ZSloop', 'ZSaway', 'ZSplain'])(
  'does not follow the short link %s to a foreign address',
  async (code) => {
    proves('Short links, along an allow-list');
    const { access } = await contract.connect(contract.account());
    const looking = contract.lookUp(access, `https://vm.tiktok.com/${code}/`);
    expect(await failureOf(looking)).toMatchObject({ type: 'UnsupportedUrl' });
    contract.expectNoViolations();
  },
);

test('finds the post behind a short link also where the platform redirects no servers', async () => {
  const owner = contract.account();
  const { access } = await contract.connect(owner);
  const [post] = contract.seeded(owner, contract.windowOf(90, 0));
  if (!post) throw new Error('The seed has too few posts.');
  contract.control.changeSettings({ b: { shortLinks: 'page' } });
  expect(await contract.lookUp(access, `https://vm.tiktok.com/${post.code}/`)).toMatchObject({
    kind: 'found',
    content: { providerContentId: post.id },
  });
  const dead = contract.lookUp(access, 'https://vm.tiktok.com/ZNobody1/');
  expect(await failureOf(dead)).toMatchObject({ type: 'UnsupportedUrl' });
  contract.expectNoViolations();
});

test('gives the delay of the rate limit', async () => {
  proves('A rate limit and its delay');
  const { access } = await contract.connect(contract.account());
  contract.control.changeSettings({ b: { callsPerMinute: 0 } });
  const reading = contract.provider.readAccount(access, call());
  expect(await failureOf(reading)).toMatchObject({ type: 'PlatformLimit', retryAfterSeconds: 60 });
});

test('a challenge of the wrong form is refused only with the code, and the error names the setting', async () => {
  contract.control.changeSettings({ b: { pkce: 'hex' } });
  const error = await failureOf(contract.connect(contract.account()));
  expect(error).toMatchObject({ type: 'ClientRejected' });
  expect(error.message).toContain('PROVIDER_B_PKCE');
});
