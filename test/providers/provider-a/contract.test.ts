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
