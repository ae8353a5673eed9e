import { expect, test } from 'vitest';
import { mayReadAccount } from '../../src/domain/access/may-call.ts';
import type { StandingConnection } from '../../src/store/connections/connections.ts';

const standing = {
  appEnabled: true,
  tenantRegistered: true,
  allowedCapabilities: ['PROFILE'],
  registrationServes: true,
  registrationPaused: false,
  grantLive: true,
};

test.each([
  ['CONNECTED', {}, undefined],
  ['SUSPENDED', {}, undefined],
  ['RECONNECT_REQUIRED', {}, 'GrantDead'],
  ['DISCONNECTED', {}, 'NotWanted'],
  ['DELETING', {}, 'NotWanted'],
  ['CONNECTED', { appEnabled: false }, 'NotAllowed'],
  ['CONNECTED', { registrationServes: false }, 'NotAllowed'],
  ['CONNECTED', { registrationPaused: true }, 'Paused'],
  ['SUSPENDED', { registrationPaused: true }, 'Paused'],
  ['CONNECTED', { grantLive: false }, 'GrantDead'],
] as const)('the account of a connection that is %s, with %j, may not be read because: %s', (status, barrier, loss) => {
  const connection = { status, capabilities: [{ capability: 'PROFILE' }], standing: { ...standing, ...barrier } };
  expect(mayReadAccount(connection as unknown as StandingConnection)).toBe(loss);
});

test('the account of a connection that is gone is not wanted', () => {
  expect(mayReadAccount(undefined)).toBe('NotWanted');
});
