import { describe, expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import {
  disconnectWorkflow,
  type Service,
  scanEnded,
  siblingsWorkflow,
  type User,
  until,
  workTest,
} from '../kit/at-work.ts';
import { DAY, HOUR, iso, MINUTE, SECOND } from '../kit/conformance.ts';
import { PERMISSIONS } from '../kit/person.ts';
import type { Transaction } from '../kit/postgres.ts';
import { booksOf, connectAt, DOWN, emptyOf, nightOf, takeNow } from './usual.ts';

/** Siblings are suspended, as in production. */
const test = workTest({ SUSPEND_SIBLINGS: 'true' });

const NOW = takeNow();
const WINDOW = { publishedAfter: iso(NOW - 7 * DAY), publishedBefore: iso(NOW), first: 1 };
const connected = (user: User, service: Service, account = emptyOf(user)) => connectAt(NOW)(user, service, { account });

/** The platform refuses revokes until the faults are cleared. */
const holdRevokes = ({ control }: Service, provider: ProviderName = 'PROVIDER_B') =>
  control.addFault({ provider, route: 'revoke', what: DOWN, times: null });

/** Disconnects, and waits for the first failed try of the revoke. */
async function held(user: User, service: Service, connectionId: string, provider: ProviderName = 'PROVIDER_B') {
  const fault = holdRevokes(service, provider);
  const receipts = await user.ask('disconnectConnection', { connectionId });
  await user.waiting(connectionId, receipts.revokeJobId);
  return {
    ...receipts,
    release: async () => {
      service.control.removeFault(fault.id);
      await service.retryNow(disconnectWorkflow(connectionId));
      return await user.ended(connectionId, receipts.revokeJobId);
    },
  };
}

/** Blocks every erase between its two commits, where it holds no lock: coverage can be read, not deleted. */
const holdErases = (tx: Transaction) => tx`lock table coverage in share mode`;

const statusOf = async (user: User, id: string): Promise<string> =>
  await user.connection(id).then(
    ({ status }) => status,
    (refusal: { code: string }) => refusal.code,
  );
const usesOf = async (user: User, connectionId: string) => [
  await user.outcome('content', { connectionId, window: WINDOW }),
  await user.outcome('contentItem', { connectionId, providerContentId: 'any' }),
  await user.outcome('requestRefresh', { connectionId }),
  await user.outcome('requestContentLookup', { connectionId, url: 'https://www.tiktok.com/x' }),
];

describe('a disconnect', () => {
  test('4 disconnectConnection + 4 disconnectConnection pending + 3 connection disconnected + D disconnect statuses + D reads by status: access ends with the call; the connection is DISCONNECTED until its revoke has settled, then erased', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service, booksOf(user));
    expect((await user.ask('content', { connectionId, window: WINDOW })).items).toHaveLength(1);
    const { revokeJobId, eraseJobId, release, ...rest } = await held(user, service, connectionId);
    expect(rest).toEqual({ accepted: true, connectionId, upstreamRevocationPending: true });
    expect(revokeJobId).not.toBe(eraseJobId);
    const letGo = { id: connectionId, status: 'DISCONNECTED', profile: null };
    expect(await user.connection(connectionId)).toMatchObject(letGo);
    expect((await user.ask('connections')).items).toMatchObject([letGo]);
    expect(await usesOf(user, connectionId)).toEqual(Array(4).fill('DISCONNECT_IN_PROGRESS'));
    expect(await user.outcome('createConnectSession', { input: reconnect(user, connectionId) })).toBe(
      'DISCONNECT_IN_PROGRESS',
    );
    const waiting = { status: 'RUNNING', errorCode: 'PROVIDER_UNAVAILABLE', nextRetryAt: iso(NOW + 5 * SECOND) };
    expect(await user.job(connectionId, revokeJobId)).toMatchObject({ ...waiting, creatorAction: null });
    expect(await user.job(connectionId, eraseJobId)).toMatchObject({ status: 'RUNNING', errorCode: null });
    expect(await user.ask('disconnectConnection', { connectionId })).toEqual({ ...rest, revokeJobId, eraseJobId });
    expect(user.liveGrants(booksOf(user))).toHaveLength(1);

    const over = { status: 'SUCCEEDED', errorCode: null, nextRetryAt: null, creatorAction: null };
    expect(await release()).toMatchObject(over);
    expect(await user.ended(connectionId, eraseJobId)).toMatchObject(over);
    expect(user.liveGrants(booksOf(user))).toEqual([]);
    expect(await user.outcome('disconnectConnection', { connectionId })).toBe('NOT_FOUND');
  });

  const reconnect = (user: User, reconnectConnectionId: string) => ({
    scope: user.scope,
    provider: 'PROVIDER_B',
    capabilities: ['PROFILE'],
    returnUrl: user.seeded.returnUrl,
    reconnectConnectionId,
  });

  test('D disconnect purges: posts and profile are purged while the revoke still waits', async ({ user, service }) => {
    const connectionId = await connected(user, service, booksOf(user));
    const kept = async () => {
      const { sql } = service;
      const [row] = await sql`
        select profile, (select count(*)::int from content_item i where i.connection_id = c.connection_id) as posts,
          (select count(*)::int from coverage v where v.connection_id = c.connection_id) as ranges
        from connection c where connection_id = ${connectionId}
      `;
      return row;
    };
    expect(await kept()).toMatchObject({ profile: { handle: expect.any(String) }, ranges: 1 });
    await held(user, service, connectionId);
    expect(await kept()).toEqual({ profile: null, posts: 0, ranges: 0 });
  });

  test('D disconnect statuses + 4 disconnectConnection again + 3 connection not connected: the end of the erase is DELETING, with the same jobs, then NOT_FOUND', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const { release, revokeJobId, eraseJobId } = await held(user, service, connectionId);
    await service.sql.begin(async (tx) => {
      await holdErases(tx);
      expect(await release()).toMatchObject({ status: 'SUCCEEDED' });
      await until(async () => (await statusOf(user, connectionId)) === 'DELETING');
      expect(await user.connection(connectionId)).toMatchObject({ profile: null, lastSuccessfulSyncAt: null });
      expect(await usesOf(user, connectionId)).toEqual(Array(4).fill('DISCONNECT_IN_PROGRESS'));
      expect(await user.ask('disconnectConnection', { connectionId })).toEqual({
        accepted: true,
        connectionId,
        upstreamRevocationPending: false,
        revokeJobId,
        eraseJobId,
      });
    });
    expect(await user.ended(connectionId, eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await user.outcome('disconnectConnection', { connectionId })).toBe('NOT_FOUND');
  });

  test('3 connection erased + 4 query rule 6: after the erase every operation is NOT_FOUND, except its receipts in its own scope', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const read = await user.refresh(connectionId);
    const { revoke, erase } = await user.disconnect(connectionId);
    expect(await statusOf(user, connectionId)).toBe('NOT_FOUND');
    expect(await usesOf(user, connectionId)).toEqual(Array(4).fill('NOT_FOUND'));
    expect((await user.ask('connections')).items).toEqual([]);
    const stranger = await service.newUser(user);
    for (const { id } of [revoke, erase]) {
      expect(await user.outcome('syncJob', { connectionId, id })).toBe('answered');
      expect(await stranger.outcome('syncJob', { connectionId, id })).toBe('NOT_FOUND');
      expect(await user.outcome('syncJob', { connectionId: read.id, id })).toBe('NOT_FOUND');
    }
    expect(await user.outcome('syncJob', { connectionId, id: read.id })).toBe('NOT_FOUND');
  });

  test('D disconnect always allowed: also while the provider is paused or no longer allowed', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const [registration, app] = [user.seeded.registrations.PROVIDER_B, user.appId];
    await service.operate(`pauseRegistration(id: "${registration}")`);
    await service.operate(`setPolicy(appId: "${app}", provider: PROVIDER_B, capabilities: [PROFILE])`);
    expect(await user.outcome('connection', { id: connectionId })).toBe('FORBIDDEN');
    const { revoke, erase } = await user.disconnect(connectionId);
    expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(user.liveGrants(emptyOf(user))).toEqual([]);
  });

  test('D revoke without a call + 2 field rule 12: PROVIDER_C has no revoke call, so the person is asked to remove the app', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const connectionId = await user.connect('PROVIDER_C', user.account('PROVIDER_C', /^Creator account/));
    const staying = await user.connect('PROVIDER_C', user.account('PROVIDER_C', /^250 posts/));
    const { revoke, erase } = await user.disconnect(connectionId);
    expect(revoke).toMatchObject({ status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER', errorCode: null });
    expect(erase).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect(await statusOf(user, staying)).toBe('CONNECTED');
  });

  test('3 connection disconnected: a connection with an ended grant can be disconnected', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    service.control.removeApp(emptyOf(user), { notify: false });
    await scanEnded(service, user, connectionId);
    expect(await statusOf(user, connectionId)).toBe('RECONNECT_REQUIRED');
    expect(await usesOf(user, connectionId)).toEqual(Array(4).fill('RECONNECT_REQUIRED'));
    const { revoke, erase } = await user.disconnect(connectionId);
    expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });
});

test('D revoke given up + 2 field rule 12 + 4 disconnectConnection pending: FAILED after 72 hours, then the erase continues; an operator can retry the revoke', async ({
  user,
  service,
}) => {
  const connectionId = await connected(user, service);
  const { revokeJobId, eraseJobId } = await held(user, service, connectionId);
  await service.at(NOW + 72 * HOUR - 1);
  await service.retryNow(disconnectWorkflow(connectionId));
  await until(async () => {
    const { nextRetryAt } = await user.job(connectionId, revokeJobId);
    return nextRetryAt !== null && nextRetryAt !== iso(NOW + 5 * SECOND);
  });
  expect(await user.job(connectionId, revokeJobId)).toMatchObject({ status: 'RUNNING', creatorAction: null });
  expect(await statusOf(user, connectionId)).toBe('DISCONNECTED');
  await service.at(NOW + 72 * HOUR);
  await service.retryNow(disconnectWorkflow(connectionId));
  expect(await user.ended(connectionId, revokeJobId)).toMatchObject({
    status: 'FAILED',
    errorCode: 'PROVIDER_UNAVAILABLE',
    creatorAction: 'REMOVE_APP_AT_PROVIDER',
    nextRetryAt: null,
  });
  const erased = { status: 'SUCCEEDED', creatorAction: null, errorCode: null };
  expect(await user.ended(connectionId, eraseJobId)).toMatchObject(erased);
  expect(await statusOf(user, connectionId)).toBe('NOT_FOUND');
  expect(user.liveGrants(emptyOf(user))).toHaveLength(1);

  service.control.clearFaults();
  await service.operate(`retryJob(id: "${revokeJobId}")`);
  await until(async () => (await user.job(connectionId, revokeJobId)).status === 'SUCCEEDED');
  expect(await user.job(connectionId, revokeJobId)).toMatchObject({ creatorAction: null, errorCode: null });
  expect(user.liveGrants(emptyOf(user))).toEqual([]);
});

describe('receipts', () => {
  test('8 receipts: both can be read for exactly 7 days, also after housekeeping', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const { revoke, erase } = await user.disconnect(connectionId);
    const outcomes = () => Promise.all([revoke, erase].map(({ id }) => user.outcome('syncJob', { connectionId, id })));
    for (const later of [MINUTE, HOUR, DAY, 7 * DAY - 1]) {
      await service.at(NOW + later);
      await service.sweep('retention');
      expect(await outcomes(), `${later}`).toEqual(['answered', 'answered']);
    }
    await service.at(NOW + 7 * DAY);
    expect(await outcomes()).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    await service.sweep('retention');
    expect(await service.sql`select from disconnect_job where job_id = any(${[revoke.id, erase.id]})`).toHaveLength(0);
  });

  test('8 receipts + 4 disconnectConnection again: they stay until the erase', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    const { eraseJobId, revokeJobId } = await held(user, service, connectionId);
    // Its workflow is gone, and no sweep runs for 8 days.
    await service.terminate(disconnectWorkflow(connectionId));
    await service.at(NOW + 8 * DAY);
    await service.sweep('retention');
    for (const id of [revokeJobId, eraseJobId])
      expect(await user.outcome('syncJob', { connectionId, id })).toBe('NOT_FOUND');
    expect(await user.ask('disconnectConnection', { connectionId })).toMatchObject({ revokeJobId, eraseJobId });
    service.control.clearFaults();
    await service.sweep('reconcile');
    await until(async () => (await statusOf(user, connectionId)) === 'NOT_FOUND');
  });
});

describe('siblings', () => {
  test('4 disconnectConnection production + D siblings alive + 4 createConnectSession held + D reads by status: siblings are SUSPENDED until the revoke has settled, then CONNECTED if they are alive', async ({
    user,
    service,
  }) => {
    const connectionId = await connected(user, service);
    const sibling = await user.connect('PROVIDER_B', nightOf(user));
    const elsewhere = await user.connect('PROVIDER_C', user.account('PROVIDER_C', /^250 posts/));
    const stranger = await service.newUser(user);
    const theirs = await stranger.connect('PROVIDER_B', nightOf(user));
    const ended = await user.connect('PROVIDER_B', user.account('PROVIDER_B', /^250 posts/));
    service.control.removeApp(user.account('PROVIDER_B', /^250 posts/), { notify: false });
    await scanEnded(service, user, ended);
    const { release } = await held(user, service, connectionId);
    expect(await statusOf(user, ended)).toBe('RECONNECT_REQUIRED');
    expect([await statusOf(user, sibling), await statusOf(user, elsewhere), await statusOf(stranger, theirs)]).toEqual([
      'SUSPENDED',
      'CONNECTED',
      'CONNECTED',
    ]);
    expect(await user.connection(sibling)).toMatchObject({
      profile: null,
      lastSuccessfulSyncAt: null,
      nextRetryAt: null,
    });
    expect(await usesOf(user, sibling)).toEqual(Array(4).fill('AUTHORIZATION_SUSPENDED'));
    const outcome = (of: User, provider: ProviderName) =>
      of.newAttempt(provider).then(
        () => 'answered',
        ({ code }) => code,
      );
    expect(await outcome(user, 'PROVIDER_B')).toBe('FORBIDDEN');
    expect(await outcome(user, 'PROVIDER_A')).toBe('answered');
    expect(await outcome(stranger, 'PROVIDER_B')).toBe('answered');
    // Housekeeping does not release it earlier.
    await service.at(NOW + 10 * MINUTE);
    await service.sweep('reconcile');
    expect(await statusOf(user, sibling)).toBe('SUSPENDED');
    const before = service.control.calls({ account: nightOf(user), route: 'userInfo' }).length;
    await release();
    await until(async () => (await statusOf(user, sibling)) === 'CONNECTED');
    expect(service.control.calls({ account: nightOf(user), route: 'userInfo' }).length).toBeGreaterThan(before);
    expect(await user.refresh(sibling)).toMatchObject({ status: 'SUCCEEDED' });
    await until(async () => (await outcome(user, 'PROVIDER_B')) === 'answered');
  });

  test('D siblings dead: a sibling that the revoke also ended is RECONNECT_REQUIRED in every scope, and a reconnect restores it', async ({
    user,
    service,
  }) => {
    await service.at(NOW);
    const [one, two] = [
      user.account('PROVIDER_A', /^Brand channel 1/),
      user.account('PROVIDER_A', /^Brand channel 2/),
    ] as const;
    const stranger = await service.newUser(user);
    const connectionId = await user.connect('PROVIDER_A', one);
    const sibling = await user.connect('PROVIDER_A', two);
    const theirs = await stranger.connect('PROVIDER_A', two);
    const { release } = await held(user, service, connectionId, 'PROVIDER_A');
    expect([await statusOf(user, sibling), await statusOf(stranger, theirs)]).toEqual(['SUSPENDED', 'SUSPENDED']);
    await release();
    await until(async () => (await statusOf(user, sibling)) === 'RECONNECT_REQUIRED');
    await until(async () => (await statusOf(stranger, theirs)) === 'RECONNECT_REQUIRED');
    const again = await user.attempt('PROVIDER_A', two, {
      reconnectConnectionId: sibling,
      permissions: PERMISSIONS.PROVIDER_A,
    });
    expect(again).toMatchObject({ status: 'COMPLETED', connectionId: sibling });
    expect(await statusOf(user, sibling)).toBe('CONNECTED');
  });
});

describe('a grant of which the platform has not named the person', () => {
  /** Without `openid`, Google names no account. */
  const name = async ({ seeded }: User, { sql }: Service, isNamed: boolean) => {
    const permissions = isNamed ? null : PERMISSIONS.PROVIDER_A.filter((permission) => permission !== 'openid');
    await sql`
      update registration set permissions = ${permissions} where registration_id = ${seeded.registrations.PROVIDER_A}
    `;
  };
  const channelOf = (user: User) => user.account('PROVIDER_A', /^Brand channel 1/);
  const otherOf = (user: User) => user.account('PROVIDER_A', /^Brand channel 2/);
  const revokes = ({ control }: Service) => control.calls({ provider: 'PROVIDER_A', route: 'revoke' });

  /** Two people connect channels of one Google account by one client: the second is the bystander. */
  async function twoPeople(user: User, service: Service, { isNamed = true } = {}) {
    await service.at(NOW);
    const stranger = await service.newUser(user);
    await name(user, service, isNamed);
    const theirs = await stranger.connect('PROVIDER_A', otherOf(user));
    await name(user, service, false);
    const connectionId = await user.connect('PROVIDER_A', channelOf(user));
    const [grant] = await service.sql`
      select principal_mac from account_grant where connection_id = ${connectionId} and status = 'LIVE'
    `;
    expect(grant).toEqual({ principalMac: null });
    const expectUntouched = async () => {
      await until(async () => (await statusOf(stranger, theirs)) === 'CONNECTED');
      expect(revokes(service)).toEqual([]);
      expect(stranger.liveGrants(otherOf(user))).toHaveLength(1);
      expect(await stranger.refresh(theirs)).toMatchObject({ status: 'SUCCEEDED' });
    };
    return { connectionId, stranger, theirs, expectUntouched };
  }

  test.for([
    ['unnamed', { isNamed: false }, {}],
    ['named since', { isNamed: true }, {}],
    ['unnamed, beside an unnamed one', { isNamed: false }, { isNamed: false }],
  ] as const)(
    'D revoke spares: a reconnect only discards the old one (%s)',
    async ([, again, bystander], { user, service }) => {
      const { connectionId, expectUntouched } = await twoPeople(user, service, bystander);
      await name(user, service, again.isNamed);
      for (let times = 0; times < 2; times += 1) {
        const result = await user.attempt('PROVIDER_A', channelOf(user), { reconnectConnectionId: connectionId });
        expect(result).toMatchObject({ status: 'COMPLETED', connectionId, creatorAction: null });
      }
      expect(await user.refresh(connectionId)).toMatchObject({ status: 'SUCCEEDED' });
      await expectUntouched();
    },
  );

  test.for([
    ['unnamed', false, { isNamed: true }],
    ['named, beside an unnamed one in use', true, { isNamed: false }],
  ] as const)(
    'D revoke spares: a failed attempt discards its own (%s), and asks the person to remove the app',
    async ([, isNamed, bystander], { user, service }) => {
      const { connectionId, expectUntouched } = await twoPeople(user, service, bystander);
      await name(user, service, isNamed);
      const another = user.account('PROVIDER_A', /^40 posts/);
      const failed = await user.attempt('PROVIDER_A', another, { reconnectConnectionId: connectionId });
      expect(failed).toMatchObject({ resultCode: 'ACCOUNT_MISMATCH', creatorAction: 'REMOVE_APP_AT_PROVIDER' });
      await expectUntouched();
    },
  );

  test('D revoke spares: an erasure states what it has not revoked', async ({ user, service }) => {
    const { connectionId, expectUntouched } = await twoPeople(user, service);
    const { tenantKey, externalSubjectId } = user.scope;
    const input = `{ appId: "${user.appId}", tenantKey: "${tenantKey}", externalSubjectId: "${externalSubjectId}" }`;
    await service.operate(`eraseSubject(input: ${input})`);
    const [receipt] = await until(async () => {
      const rows = await service.sql`
        select status, creator_action from disconnect_job
        where connection_id = ${connectionId} and kind = 'REVOKE' and finished_at is not null
      `;
      return rows.length > 0 && rows;
    });
    expect(receipt).toEqual({ status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' });
    await expectUntouched();
  });

  test('D siblings dead: its own disconnect revokes; all that may depend on it are verified', async ({
    user,
    service,
  }) => {
    const { connectionId, stranger, theirs } = await twoPeople(user, service);
    const { revoke, receipts } = await user.disconnect(connectionId);
    expect(revoke).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    // The platform's refusal is believed when it comes again ten seconds later.
    const isRefused = () =>
      service.sql`select from account_grant where connection_id = ${theirs} and refused_at is not null`;
    await until(async () => (await isRefused()).length > 0);
    await service.at(NOW + 10 * SECOND);
    await until(async () => {
      await service.retryNow(siblingsWorkflow(receipts.revokeJobId));
      return (await statusOf(stranger, theirs)) === 'RECONNECT_REQUIRED';
    });
  });
});
