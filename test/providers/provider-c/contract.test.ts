import { expect, test } from 'vitest';
import { call, DAY_MS, failureOf } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_C');
const { client } = contract;

test.each([
  ['flat', 'text'],
  ['wrapped', 'list'],
] as const)('connects with a token answer that is %s, permissions as %s', async (tokenAnswer, permissionsAs) => {
  contract.control.changeSettings({ c: { tokenAnswer, permissionsAs } });
  const owner = contract.account();
  const { principal, access } = await contract.connect(owner);
  expect(principal).toBe(owner.principal);
  expect((await contract.provider.readAccount(access, call())).aliasIds).toEqual([owner.principal]);
});

test('a refresh waits on the first day, works after it, and fails after the token expires', async () => {
  const { tokens } = await contract.connect(contract.account());
  const refresh = async () => await contract.provider.refresh(client, tokens, call());
  expect(await failureOf(refresh())).toMatchObject({ type: 'RetryLater' });
  contract.control.setClock(30 * DAY_MS);
  const refreshed = await refresh();
  expect(refreshed.accessExpiresAt?.getTime()).toBeGreaterThan(tokens.accessExpiresAt?.getTime() ?? 0);
  contract.control.setClock(61 * DAY_MS);
  expect(await failureOf(refresh())).toMatchObject({ type: 'GrantDead' });
});

test('reads likes and comments without the permission for insights, and requests no insights', async () => {
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
