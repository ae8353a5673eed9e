import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/basics/codes.ts';
import { call, failureOf } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_A');
const { client } = contract;

test('a revoke ends the grant, and a second one finds it ended', async () => {
  const { tokens, access } = await contract.connect(contract.account());
  expect(await contract.provider.revoke(client, tokens, call())).toBe('revoked');
  expect(await contract.provider.revoke(client, tokens, call())).toBe('alreadyEnded');
  expect(await failureOf(contract.provider.readAccount(access, call()))).toMatchObject({ type: 'TokenStale' });
  contract.expectNoViolations();
});

test('the latest 100 posts with their metrics cost 6 units, and their channel one more', async () => {
  const { access } = await contract.connect(contract.account());
  contract.control.clearCalls();
  const { items } = await contract.scan(access, contract.windowOf(90, 0), { limit: 100, withMetrics: true });
  expect(items).toHaveLength(100);
  const pages = ['playlistItems', 'playlistItems', 'playlistItems']; // Some of them are hidden.
  expect(contract.routes()).toEqual(['channels', ...pages, 'videos', 'videos', 'videos']);
});

test('an account without a channel has nothing to connect', async () => {
  const owner = contract.control.accounts('PROVIDER_A').find(({ traits }) => traits.includes('noChannel'));
  const { access } = await contract.connect(owner ?? expect.fail('not seeded'));
  expect(await failureOf(contract.provider.readAccount(access, call()))).toMatchObject({ type: 'AccountUnusable' });
});

test('a used-up quota reports its reset time', async () => {
  const { access } = await contract.connect(contract.account());
  contract.control.changeSettings({ a: { unitsPerDay: 0 } });
  const error = await failureOf(contract.provider.readAccount(access, call()));
  expect(error.type).toBe('QuotaSpent');
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(25 * 3600);
});

test('without its permission nothing is granted, and reads name the missing permission', async () => {
  const { access } = await contract.connect(contract.account(), ['https://www.googleapis.com/auth/youtube.readonly']);
  expect(CAPABILITIES.some((one) => contract.facts.isGranted(one, access.permissions))).toBe(false);
  const reading = contract.provider.readAccount(access, call());
  expect(await failureOf(reading)).toMatchObject({ type: 'PermissionMissing' });
});

test('a brand channel can have a principal of its own', async () => {
  const [one, other] = contract.control.accounts('PROVIDER_A').filter(({ traits }) => traits.includes('brand'));
  if (one === undefined || other === undefined) throw new Error('The seed has too few brand channels.');
  const shared = [await contract.connect(one), await contract.connect(other)];
  expect(shared[0]?.principal).toBe(shared[1]?.principal);
  contract.control.changeSettings({ a: { brandSubject: 'own' } });
  expect((await contract.connect(one)).principal).not.toBe(one.principal);
});
