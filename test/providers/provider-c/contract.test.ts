import { expect, test } from 'vitest';
import { call, DAY_MS, failureOf } from '../../kit/fake-platform.ts';
import { proves } from '../../kit/proofs.ts';
import { idsOf, postIdsOf, useContract } from '../contract.ts';

const contract = useContract('PROVIDER_C');
const { client } = contract;

test.each([
  ['flat', 'text'],
  ['wrapped', 'list'],
] as const)('connects with a token answer that is %s, permissions as %s', async (tokenAnswer, permissionsAs) => {
  proves('Code exchange: tokens, expiries, permissions, principal');
  contract.control.changeSettings({ c: { tokenAnswer, permissionsAs } });
  const owner = contract.account();
  const { principal, access } = await contract.connect(owner);
  expect(principal).toBe(owner.principal);
  expect((await contract.provider.readAccount(access, call())).aliasIds).toEqual([owner.principal]);
  contract.expectNoViolations();
});

test('a second step that fails permanently leaves a grant that is unusable', async () => {
  proves('An exchange that leaves an unusable grant');
  const input = await contract.consented(contract.account());
  const what = { kind: 'status', status: 500 } as const;
  contract.control.addFault({ provider: 'PROVIDER_C', route: 'exchange', what, times: null });
  const exchanging = contract.provider.exchangeCode(client, input, call());
  expect(await failureOf(exchanging)).toMatchObject({ type: 'RetryLater', outcomeUnknown: true });
});

test('a second step that fails once is retried', async () => {
  proves('An exchange that leaves an unusable grant');
  contract.control.addFault({ provider: 'PROVIDER_C', route: 'exchange', what: { kind: 'answerLost' } });
  const { access } = await contract.connect(contract.account());
  expect((await contract.provider.readAccount(access, call())).providerAccountId).toBe(contract.account().id);
});

test('a refresh waits on the first day, works after it, and fails after the token expires', async () => {
  proves('Refresh');
  const { tokens } = await contract.connect(contract.account());
  const refresh = async () => await contract.provider.refresh(client, tokens, call());
  expect(await failureOf(refresh())).toMatchObject({ type: 'RetryLater' });
  contract.control.setClock(30 * DAY_MS);
  const refreshed = await refresh();
  expect(refreshed.accessExpiresAt?.getTime()).toBeGreaterThan(tokens.accessExpiresAt?.getTime() ?? 0);
  contract.control.setClock(61 * DAY_MS);
  expect(await failureOf(refresh())).toMatchObject({ type: 'GrantDead' });
  contract.expectNoViolations();
});

test('there is no revoke', async () => {
  proves('Revoke with the right token');
  const { tokens } = await contract.connect(contract.account());
  contract.control.clearCalls();
  expect(await contract.provider.revoke(client, tokens, call())).toBe('impossible');
  expect(contract.routes()).toEqual([]);
});

test('lists every post with the fewest fields if one is refused', async () => {
  proves('Refused fields');
  const owner = contract.account();
  const { access } = await contract.connect(owner);
  contract.control.changeSettings({ c: { refusedFields: ['caption'] } });
  const window = contract.windowOf(30, 0);
  const { items } = await contract.scan(access, window);
  expect(idsOf(items)).toEqual(postIdsOf(contract.seeded(owner, window)));
  contract.expectNoViolations();
});

test('reads likes and comments without the permission for insights, and requests no insights', async () => {
  proves('Permissions that the person did not grant');
  const { access } = await contract.connect(contract.account(), ['instagram_business_manage_insights']);
  contract.control.clearCalls();
  const { items } = await contract.scan(access, contract.windowOf(7, 0), { withMetrics: true });
  expect(items.length).toBeGreaterThan(5);
  for (const { metrics } of items) {
    const missing = metrics.filter(({ availability }) => availability === 'NOT_GRANTED');
    expect(missing.map((metric) => metric.name)).toEqual(['VIEWS', 'SHARES']);
  }
  expect(contract.routes()).not.toContain('insights');
});

test('finds a post by every form of its URL, of any age, and no foreign one', async () => {
  proves('Every form', 'Short links, along an allow-list', 'A foreign post, or a deleted one');
  contract.configure({ PROVIDER_C_SHARE_LINKS: true });
  const owner = contract.account();
  const { access } = await contract.connect(owner);
  const post = contract.seeded(owner, contract.windowOf(90, 0)).at(-1);
  const [foreign] = contract.seeded(contract.account(1), contract.windowOf(90, 0));
  if (!post || !foreign) throw new Error('The seed has too few posts.');
  const urls = [`p/${post.code}/`, `reel/${post.code}/?igsh=x`, `${owner.handle}/p/${post.code}`];
  const shared = [`share/BA${post.code}`, `share/p/BA${post.code}/`, `share/reel/BA${post.code}/?igsh=x`];
  for (const path of [...urls, ...shared]) {
    const found = await contract.lookUp(access, `https://www.instagram.com/${path}`);
    expect([path, found]).toMatchObject([path, { kind: 'found', content: { providerContentId: post.id } }]);
  }
  for (const path of [`p/${foreign.code}/`, `share/p/BA${foreign.code}/`]) {
    expect(await contract.lookUp(access, `https://www.instagram.com/${path}`)).toEqual({ kind: 'absent' });
  }
  const refused = async (code: string) =>
    await failureOf(contract.lookUp(access, `https://www.instagram.com/share/p/${code}/`));
  expect(await refused('nobody')).toMatchObject({ type: 'UnsupportedUrl' });
  contract.control.changeSettings({ c: { shareLinks: 'page' } });
  expect(await refused(`BA${post.code}`)).toMatchObject({ type: 'UnsupportedUrl' });
  contract.expectNoViolations();
});

test('gives the delay when the account’s budget is used up', async () => {
  proves('A used-up daily quota');
  const { access } = await contract.connect(contract.account());
  contract.control.changeSettings({ c: { callsPerDay: 0 } });
  const error = await failureOf(contract.provider.readAccount(access, call()));
  expect(error.type).toBe('PlatformLimit');
  expect(error.retryAfterSeconds).toBeGreaterThan(60);
});

test('an account that the platform does not serve consents, and is unusable after it', async () => {
  const account = contract.account();
  contract.control.changeSettings({ c: { accountsNotServed: [account.id] } });
  expect(await failureOf(contract.connect(account))).toMatchObject({ type: 'AccountUnusable', outcomeUnknown: true });
  await contract.connect(contract.account(1));
});

test('reads smaller pages after the error about too much data', async () => {
  const owner = contract.account();
  const { access } = await contract.connect(owner);
  contract.control.changeSettings({ c: { mostPerPage: 10 } });
  const window = contract.windowOf(30, 0);
  const { items } = await contract.scan(access, window, { limit: 100, withMetrics: false });
  expect(items.map(({ providerContentId }) => providerContentId)).toEqual(
    contract.seeded(owner, window).map(({ id }) => id),
  );
  contract.expectNoViolations();
});

test.each(['blocked', 'deactivated', 'proofRequired'] as const)(
  'an app that the platform has %s does not change a permission',
  async (appState) => {
    const { access } = await contract.connect(contract.account());
    contract.control.changeSettings({ c: { appState } });
    expect(await failureOf(contract.provider.readAccount(access, call()))).toMatchObject({ type: 'ClientRejected' });
  },
);
