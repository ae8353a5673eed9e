import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/basics/codes.ts';
import { call, failureOf } from '../../kit/fake-platform.ts';
import { useContract } from '../contract.ts';

const contract = useContract('PROVIDER_A');

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
