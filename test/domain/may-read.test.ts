import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Capability } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { mayRead, requireFound, requireReadable, requireUsable } from '../../src/domain/access/may-read.ts';

const accessFacts = {
  appEnabled: true,
  tenantRegistered: true,
  allowedCapabilities: ['PROFILE', 'CONTENT_LIST'] as Capability[],
  registrationServes: true,
  registrationPaused: false,
  grantLive: true,
};
const profile = { capability: 'PROFILE', availability: 'AVAILABLE', reason: null } as const;
const connectionId = randomUUID() as ConnectionId;

test('a capability that was not granted asks for a reconnect, one that was withdrawn is not available now', () => {
  const withdrawn = {
    capability: 'CONTENT_LIST',
    availability: 'NOT_GRANTED',
    reason: 'PERMISSION_WITHDRAWN',
  } as const;
  const find = (capabilities: Parameters<typeof mayRead>[0]['capabilities']) =>
    mayRead({ connectionId, status: 'CONNECTED', accessFacts, capabilities }, ['CONTENT_LIST']);
  expect(find([profile])).toEqual({
    code: 'CAPABILITY_UNAVAILABLE',
    reason: 'NotAllowed',
    message:
      'This needs CONTENT_LIST, which was not granted. Create a Connect session with it as reconnectConnectionId.',
  });
  expect(find([profile, withdrawn])).toEqual({
    code: 'CAPABILITY_UNAVAILABLE',
    reason: 'NotAllowed',
    message: 'This needs CONTENT_LIST, which is not available now.',
  });
  expect(find([profile, { ...withdrawn, availability: 'AVAILABLE', reason: null }])).toBeUndefined();
});

/** The obstacles to the use of a connection, one after another: the order of the contract. */
const BARRIERS: readonly [string, Partial<typeof accessFacts>, string][] = [
  ['the app is disabled', { appEnabled: false }, 'FORBIDDEN'],
  ['its tenant is gone', { tenantRegistered: false }, 'FORBIDDEN'],
  ['a capability of it is not allowed', { allowedCapabilities: ['CONTENT_LIST'] }, 'FORBIDDEN'],
  ['its registration no longer serves the app', { registrationServes: false }, 'CAPABILITY_UNAVAILABLE'],
  ['its registration is paused', { registrationPaused: true }, 'AUTHORIZATION_SUSPENDED'],
  ['its grant has ended', { grantLive: false }, 'RECONNECT_REQUIRED'],
];
const connected = { connectionId, status: 'CONNECTED' as const, accessFacts, capabilities: [profile] };

test.each(BARRIERS)('a connection is refused if %s, before all that follows', (name, _barrier, code) => {
  const from = BARRIERS.findIndex(([other]) => other === name);
  const barriers = Object.assign({}, ...BARRIERS.slice(from).map(([, barrier]) => barrier));
  const connection = { ...connected, accessFacts: { ...accessFacts, ...barriers } };
  expect(() => requireReadable(connection)).toThrow(expect.objectContaining({ code, details: { connectionId } }));
  expect(() => requireUsable(connection, ['PROFILE'])).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['SUSPENDED', 'AUTHORIZATION_SUSPENDED'],
  ['RECONNECT_REQUIRED', 'RECONNECT_REQUIRED'],
  ['DISCONNECTED', 'DISCONNECT_IN_PROGRESS'],
  ['DELETING', 'DISCONNECT_IN_PROGRESS'],
] as const)('a connection that is %s can be looked at, but not used', (status, code) => {
  const connection = { ...connected, status };
  expect(() => requireReadable(connection)).not.toThrow();
  expect(() => requireUsable(connection, ['PROFILE'])).toThrow(expect.objectContaining({ code }));
});

test('a connection can be used for one of several capabilities, without any, and for none that it lacks', () => {
  expect(mayRead(connected)).toBeUndefined();
  expect(mayRead(connected, ['PROFILE'])).toBeUndefined();
  expect(mayRead(connected, ['CONTENT_LIST', 'PROFILE'])).toBeUndefined();
  expect(mayRead(connected, ['CONTENT_LIST', 'CONTENT_METRICS'])).toEqual({
    code: 'CAPABILITY_UNAVAILABLE',
    reason: 'NotAllowed',
    message: expect.stringMatching(/^This needs CONTENT_LIST or CONTENT_METRICS, which was not granted\./),
  });
  const paused = { ...connected, accessFacts: { ...accessFacts, registrationPaused: true } };
  expect(mayRead(paused, ['CONTENT_LIST'])?.code).toBe('CAPABILITY_UNAVAILABLE');
  const noPolicy = { ...connected, accessFacts: { ...accessFacts, allowedCapabilities: null } };
  expect(mayRead(noPolicy)?.code).toBe('FORBIDDEN');
});

test('a connection that is not found is another thing than a tenant that is not the app’s', () => {
  const find = (tenantRegistered: boolean, connection?: object) => () => requireFound({ tenantRegistered, connection });
  expect(find(true, connected)()).toBe(connected);
  expect(find(true)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  expect(find(false)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
});
