import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Capability } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { findUseFault } from '../../src/domain/reading/usable.ts';

const standing = {
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
  const find = (capabilities: Parameters<typeof findUseFault>[0]['capabilities']) =>
    findUseFault({ connectionId, status: 'CONNECTED', standing, capabilities }, ['CONTENT_LIST']);
  expect(find([profile])).toEqual({
    code: 'CAPABILITY_UNAVAILABLE',
    message:
      'This needs CONTENT_LIST, which was not granted. Create a Connect session with it as reconnectConnectionId.',
  });
  expect(find([profile, withdrawn])).toEqual({
    code: 'CAPABILITY_UNAVAILABLE',
    message: 'This needs CONTENT_LIST, which is not available now.',
  });
  expect(find([profile, { ...withdrawn, availability: 'AVAILABLE', reason: null }])).toBeUndefined();
});
