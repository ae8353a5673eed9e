import { expect, test } from 'vitest';
import { mayReadAccount } from '../../src/domain/access/may-read.ts';

const accessFacts = {
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
] as const)(
  'the account of a connection that is %s, with %j, may not be read because: %s',
  (status, barrier, reason) => {
    const connection = {
      status,
      capabilities: [{ capability: 'PROFILE' }],
      accessFacts: { ...accessFacts, ...barrier },
    };
    expect(mayReadAccount(connection as unknown as Parameters<typeof mayReadAccount>[0])?.reason).toBe(reason);
  },
);

test('the account of a connection that is gone is not wanted', () => {
  expect(mayReadAccount(undefined)?.reason).toBe('NotWanted');
});
