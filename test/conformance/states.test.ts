import { describe, expect } from 'vitest';
import { type Service, type User, workTest } from '../kit/at-work.ts';
import { DAY, iso } from '../kit/conformance.ts';

const test = workTest();

const NOW = Math.floor(Date.now() / 1_000) * 1_000 - 10_000;
const WINDOW = { publishedAfter: iso(NOW - DAY), publishedBefore: iso(NOW), first: 1 };

const connected = async (user: User, service: Service): Promise<string> => {
  await service.at(NOW);
  return await user.connect('PROVIDER_B', user.account('PROVIDER_B', /^No posts/));
};

const setPolicy = (user: User, capabilities: string) =>
  `setPolicy(appId: "${user.appId}", provider: PROVIDER_B, capabilities: [${capabilities}])`;
const idsOf = (user: User) => `registrationId: "${user.seeded.registrations.PROVIDER_B}", appId: "${user.appId}"`;

/** Faults that make a CONNECTED connection fail its check, in the order of the checks. */
const FAULTS = {
  FORBIDDEN: (user, service) => service.operate(setPolicy(user, 'PROFILE')),
  CAPABILITY_UNAVAILABLE: (user, service) => service.operate(`stopServingApp(${idsOf(user)})`),
  AUTHORIZATION_SUSPENDED: (user, service) =>
    service.operate(`pauseRegistration(id: "${user.seeded.registrations.PROVIDER_B}")`),
  RECONNECT_REQUIRED: async (user, service) => {
    const [row] = await service.sql`
      select max(refresh_expires_at) as lapses from account_grant join connection using (connection_id)
      where app_id = ${user.appId}
    `;
    await service.at(row?.lapses.getTime());
  },
} satisfies Record<string, (user: User, service: Service) => Promise<unknown>>;

const READS = [
  'connection',
  'connections',
  'content',
  'contentItem',
  'requestRefresh',
  'requestContentLookup',
] as const;

describe('a CONNECTED connection is checked on every read', () => {
  /** Every way to read a connection, with its outcome. */
  const outcomes = async (user: User, connectionId: string) => {
    const url = 'https://www.tiktok.com/@harbour/video/7500000000000000001';
    const args = { id: connectionId, connectionId, window: WINDOW, providerContentId: 'any', url };
    return await Promise.all(
      READS.map((field) => user.outcome(field, field === 'requestRefresh' ? { connectionId } : args)),
    );
  };
  const PLACES = {
    FORBIDDEN: '3 connection policy changed + 7 code FORBIDDEN',
    CAPABILITY_UNAVAILABLE: '3 connection registration withdrawn + 7 code CAPABILITY_UNAVAILABLE',
    AUTHORIZATION_SUSPENDED: '3 connection paused + 7 code AUTHORIZATION_SUSPENDED',
    RECONNECT_REQUIRED: '3 connection grant ended + 7 code RECONNECT_REQUIRED',
  } as const;

  for (const [code, place] of Object.entries(PLACES) as [keyof typeof PLACES, string][]) {
    test(`${place}: every read answers ${code}`, async ({ user, service }) => {
      const connectionId = await connected(user, service);
      expect(await outcomes(user, connectionId)).toEqual(READS.map(() => 'answered'));
      await FAULTS[code](user, service);
      expect(await outcomes(user, connectionId)).toEqual(READS.map(() => code));
    });
  }

  test('3 connection policy changed: the same if the app or its tenant has lost every right', async ({
    user,
    service,
  }) => {
    const id = await connected(user, service);
    await service.operate(setPolicy(user, ''));
    expect(await user.outcome('connection', { id })).toBe('FORBIDDEN');
    await service.operate(setPolicy(user, 'PROFILE, CONTENT_LIST, CONTENT_LOOKUP, CONTENT_METRICS'));
    expect(await user.outcome('connection', { id })).toBe('answered');
    const tenant = `appId: "${user.appId}", tenantKey: "${user.scope.tenantKey}"`;
    await service.operate(`removeTenant(${tenant}, connections: KEEP)`);
    expect(await user.outcome('connection', { id })).toBe('FORBIDDEN');
    // Only an operator can disconnect these people, or register the tenant again.
    expect(await user.outcome('disconnectConnection', { connectionId: id })).toBe('FORBIDDEN');
    expect(await service.sql`select status from connection where connection_id = ${id}`).toEqual([
      { status: 'CONNECTED' },
    ]);
    const other = await service.newUser();
    const theirs = await other.connect('PROVIDER_B', other.account('PROVIDER_B', /^No posts/));
    expect(await other.outcome('disconnectConnection', { connectionId: theirs })).toBe('answered');
    await service.operate(`addTenant(${tenant})`);
    await service.operate(`disableApp(id: "${user.appId}")`);
    expect(await user.outcome('connection', { id })).toBe('FORBIDDEN');
  });

  test('D order of checks: of several faults every read answers the first', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    for (const code of (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).reverse()) {
      await FAULTS[code](user, service);
      expect(await outcomes(user, connectionId)).toEqual(READS.map(() => code));
    }
  });

  test('D pause: a pause leaves connections CONNECTED, and after it everything works as before', async ({
    user,
    service,
  }) => {
    const id = await connected(user, service);
    const before = await user.connection(id);
    expect(before.status).toBe('CONNECTED');
    await FAULTS.AUTHORIZATION_SUSPENDED(user, service);
    expect(await user.outcome('connection', { id })).toBe('AUTHORIZATION_SUSPENDED');
    await service.operate(`resumeRegistration(id: "${user.seeded.registrations.PROVIDER_B}")`);
    expect(await user.connection(id)).toEqual(before);
  });

  test('3 connection not connected: a connection in another status is returned without a check', async ({
    user,
    service,
  }) => {
    const id = await connected(user, service);
    service.control.addFault({
      provider: 'PROVIDER_B',
      route: 'revoke',
      what: { kind: 'status', status: 503 },
      times: null,
    });
    await user.ask('disconnectConnection', { connectionId: id });
    for (const fault of Object.values(FAULTS)) await fault(user, service);
    expect(await user.connection(id)).toMatchObject({ id, status: 'DISCONNECTED', profile: null });
    expect((await user.ask('connections')).items).toMatchObject([{ id, status: 'DISCONNECTED', profile: null }]);
  });
});
