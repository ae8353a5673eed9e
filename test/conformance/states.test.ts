import { describe, expect } from 'vitest';
import type { Database } from '../../src/store/sql.ts';
import { type Caller, conformanceTest, DAY, HOUR, iso, MINUTE, NOW } from '../kit/conformance.ts';
import { refusalOf } from '../kit/graphql.ts';
import { freezeClock, type SeededApp, seedConnection, seedContent } from '../kit/seed.ts';
import { seedSignIn } from './rows.ts';

const test = conformanceTest();
const WINDOW = { publishedAfter: iso(NOW - DAY), publishedBefore: iso(NOW), first: 1 };
const UNFINISHED = ['CREATED', 'AUTHORIZING', 'EXCHANGING'] as const;
const FINISHED = ['COMPLETED', 'DENIED', 'FAILED', 'CANCELED'] as const;

describe('a Connect attempt', () => {
  test('3 attempt overdue + 8 attempt deadline: unfinished, it is EXPIRED at 10 minutes to the millisecond', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const { id, expiresAt } = await client.createSession();
    expect(expiresAt).toBe(iso(NOW + 10 * MINUTE));
    for (const status of UNFINISHED) {
      await sql`update connect_attempt set status = ${status} where attempt_id = ${id}`;
      await freezeClock(sql, new Date(NOW + 10 * MINUTE - 1));
      expect(await client.ask('connectSessionResult', { id })).toMatchObject({ status, resultCode: null });
      await freezeClock(sql, new Date(NOW + 10 * MINUTE));
      const overdue = await client.ask('connectSessionResult', { id });
      expect(overdue).toMatchObject({ status: 'EXPIRED', resultCode: 'EXPIRED', connectionId: null });
    }
  });

  test('3 attempt overdue: finished, it stays what it is', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const { id } = await client.createSession();
    await freezeClock(sql, new Date(NOW + 11 * MINUTE));
    for (const status of FINISHED) {
      await sql`update connect_attempt set status = ${status} where attempt_id = ${id}`;
      expect(await client.ask('connectSessionResult', { id })).toMatchObject({ status });
    }
  });

  test('3 attempt result gone + 8 attempt result: it can be read for 24 hours to the millisecond', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const { id, resultExpiresAt } = await client.createSession();
    expect(resultExpiresAt).toBe(iso(NOW + DAY));
    for (const status of [...UNFINISHED, ...FINISHED]) {
      await sql`update connect_attempt set status = ${status} where attempt_id = ${id}`;
      await freezeClock(sql, new Date(NOW + DAY - 1));
      expect(await client.outcome('connectSessionResult', { id })).toBe('answered');
      await freezeClock(sql, new Date(NOW + DAY));
      expect(await client.outcome('connectSessionResult', { id })).toBe('NOT_FOUND');
    }
  });
});

/** What makes a CONNECTED connection fail its check, in the order in which it is asked for. */
const FAULTS = {
  FORBIDDEN: (sql, { app }) => sql`
    update app_policy set capabilities = '{PROFILE}' where app_id = ${app.appId} and provider = 'PROVIDER_B'`,
  CAPABILITY_UNAVAILABLE: (sql, { app }) => sql`delete from registration_app where app_id = ${app.appId}`,
  AUTHORIZATION_SUSPENDED: (sql, { registrations }) => sql`
    update registration set paused_at = business_now() where registration_id = ${registrations.PROVIDER_B}`,
  RECONNECT_REQUIRED: (sql, { app }) => sql`
    update account_grant set status = 'DEAD' where scope_id in (select scope_id from scope where app_id = ${app.appId})`,
} satisfies Record<string, (sql: Database, app: SeededApp) => Promise<unknown>>;

const READS = [
  'connection',
  'connections',
  'content',
  'contentItem',
  'requestRefresh',
  'requestContentLookup',
] as const;

describe('a CONNECTED connection is checked on every read', () => {
  /** Every way to use one, and what each answers. */
  const outcomes = async (client: Caller, connectionId: string) => {
    const url = 'https://www.tiktok.com/@harbour/video/7500000000000000001';
    const args = { id: connectionId, connectionId, window: WINDOW, providerContentId: 'any', url };
    return await Promise.all(
      READS.map((field) => client.outcome(field, field === 'requestRefresh' ? { connectionId } : args)),
    );
  };
  const PLACES = {
    FORBIDDEN: '3 connection policy changed + 7 code FORBIDDEN',
    CAPABILITY_UNAVAILABLE: '3 connection registration withdrawn + 7 code CAPABILITY_UNAVAILABLE',
    AUTHORIZATION_SUSPENDED: '3 connection paused + 7 code AUTHORIZATION_SUSPENDED',
    RECONNECT_REQUIRED: '3 connection grant ended + 7 code RECONNECT_REQUIRED',
  } as const;

  for (const [code, place] of Object.entries(PLACES) as [keyof typeof PLACES, string][]) {
    test(`${place}: every read answers ${code}`, async ({ client, sql }) => {
      const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
      expect(await outcomes(client, connectionId)).toEqual(READS.map(() => 'answered'));
      await FAULTS[code](sql, client.seeded);
      expect(await outcomes(client, connectionId)).toEqual(READS.map(() => code));
    });
  }

  test('3 connection policy changed: also when tenant or provider is no longer allowed', async ({ client, sql }) => {
    const id = await seedConnection(sql, client.seeded, { scope: client.scope });
    const { appId } = client.seeded.app;
    await sql`delete from app_policy where app_id = ${appId} and provider = 'PROVIDER_B'`;
    expect(await client.outcome('connection', { id })).toBe('FORBIDDEN');
    await sql`insert into app_policy values (${appId}, 'PROVIDER_B', '{PROFILE,CONTENT_LIST,CONTENT_LOOKUP,CONTENT_METRICS}')`;
    expect(await client.outcome('connection', { id })).toBe('answered');
    await sql`delete from tenant where app_id = ${appId}`;
    expect(await client.outcome('connection', { id })).toBe('FORBIDDEN');
  });

  test('3 connection grant ended: a refresh credential lapses to the millisecond', async ({ client, sql }) => {
    await freezeClock(sql, new Date(NOW));
    const id = await seedConnection(sql, client.seeded, { scope: client.scope });
    await sql`update account_grant set refresh_expires_at = ${new Date(NOW + HOUR)} where connection_id = ${id}`;
    await freezeClock(sql, new Date(NOW + HOUR - 1));
    expect(await client.outcome('connection', { id })).toBe('answered');
    await freezeClock(sql, new Date(NOW + HOUR));
    expect(await client.outcome('connection', { id })).toBe('RECONNECT_REQUIRED');
  });

  test('D order of checks: of several faults the first is answered, on every read', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const code of (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).reverse()) {
      await FAULTS[code](sql, client.seeded);
      expect(await outcomes(client, connectionId)).toEqual(READS.map(() => code));
    }
  });

  test('D pause: it leaves connections CONNECTED, and ends with all as before', async ({ client, sql }) => {
    const id = await seedConnection(sql, client.seeded, { scope: client.scope });
    const before = await client.ask('connection', { id });
    await FAULTS.AUTHORIZATION_SUSPENDED(sql, client.seeded);
    expect((await sql`select status from connection where connection_id = ${id}`)[0]).toEqual({ status: 'CONNECTED' });
    await sql`update registration set paused_at = null`;
    expect(await client.ask('connection', { id })).toEqual(before);
  });

  test('3 connection not connected: in another status no check is made, and the row is returned', async ({
    client,
    sql,
  }) => {
    for (const fault of Object.values(FAULTS)) await fault(sql, client.seeded);
    for (const status of ['SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const) {
      const owner = client.for();
      const id = await seedConnection(sql, client.seeded, { scope: owner.scope, status });
      expect(await owner.ask('connection', { id })).toMatchObject({ id, status, profile: null });
      expect((await owner.ask('connections')).items).toMatchObject([{ id, status, profile: null }]);
    }
  });

  test('D reads by status: whatever uses one that is not CONNECTED is refused by its status', async ({
    client,
    sql,
  }) => {
    const BY_STATUS = {
      SUSPENDED: 'AUTHORIZATION_SUSPENDED',
      RECONNECT_REQUIRED: 'RECONNECT_REQUIRED',
      DISCONNECTED: 'DISCONNECT_IN_PROGRESS',
      DELETING: 'DISCONNECT_IN_PROGRESS',
    };
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    for (const [status, code] of Object.entries(BY_STATUS)) {
      await sql`update connection set status = ${status} where connection_id = ${connectionId}`;
      const [connection, connections, ...uses] = await outcomes(client, connectionId);
      expect([connection, connections]).toEqual(['answered', 'answered']);
      expect(uses).toEqual(uses.map(() => code));
    }
  });
});

describe('a connection that is let go', () => {
  test('3 connection disconnected: in any live status, from the very commit on nothing of it is read', async ({
    client,
    sql,
  }) => {
    for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'] as const) {
      const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope, status });
      await seedContent(sql, connectionId, { publishedAt: new Date(NOW - 1) });
      const receipts = await client.ask('disconnectConnection', { connectionId });
      expect(receipts).toMatchObject({ accepted: true, connectionId, upstreamRevocationPending: true });
      expect(await client.outcome('content', { connectionId, window: WINDOW })).toBe('DISCONNECT_IN_PROGRESS');
      for (const id of [receipts.revokeJobId, receipts.eraseJobId]) {
        expect(await client.ask('syncJob', { connectionId, id })).toMatchObject({ status: 'QUEUED', errorCode: null });
      }
    }
  });

  test('3 connection erased: every operation on it is NOT_FOUND, but for its receipts', async ({ client, sql }) => {
    const connectionId = await seedConnection(sql, client.seeded, { scope: client.scope });
    const { revokeJobId } = await client.ask('disconnectConnection', { connectionId });
    await sql`delete from connection where connection_id = ${connectionId}`;
    expect(await outcomesOfAll(client, connectionId)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    expect((await client.ask('connections')).items).toEqual([]);
    expect(await client.outcome('disconnectConnection', { connectionId })).toBe('NOT_FOUND');
    expect(await client.outcome('syncJob', { connectionId, id: revokeJobId })).toBe('answered');
  });
});

async function outcomesOfAll(client: Caller, connectionId: string) {
  return [
    await client.outcome('connection', { id: connectionId }),
    await client.outcome('content', { connectionId, window: WINDOW }),
    await client.outcome('contentItem', { connectionId, providerContentId: 'any' }),
    await client.outcome('requestRefresh', { connectionId }),
  ];
}

describe('a sign-in', () => {
  test('3 sign-in pending: a redeem before its end spends nothing, however often', async ({ client, api }) => {
    const { id, resultProof } = await client.createSignIn();
    const redeem = () => client.ask('redeemIdpIdentityResult', { ...client.scope, id, resultProof });
    for (let times = 0; times < 3; times += 1)
      expect(await redeem()).toMatchObject({ status: 'PENDING', idpSub: null });
    await seedSignIn(api, id, 'COMPLETED');
    expect(await redeem()).toMatchObject({ status: 'COMPLETED', idpSub: 'sub' });
  });

  test('3 sign-in ended + 4 redeemIdpIdentityResult: any end is told once, then NOT_FOUND', async ({ client, api }) => {
    for (const status of ['COMPLETED', 'DENIED', 'FAILED', 'EXPIRED'] as const) {
      const { id, resultProof } = await client.createSignIn();
      await seedSignIn(api, id, status);
      const redeem = () => client.ask('redeemIdpIdentityResult', { ...client.scope, id, resultProof });
      expect(await redeem()).toMatchObject({ status });
      expect((await refusalOf(redeem())).code).toBe('NOT_FOUND');
    }
  });

  test('8 sign-in deadlines + 3 sign-in ended: PENDING for 10 minutes, EXPIRED and told once until 20', async ({
    client,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const [first, second, third] = await Promise.all([
      client.createSignIn(),
      client.createSignIn(),
      client.createSignIn(),
    ]);
    expect(first).toMatchObject({ expiresAt: iso(NOW + 10 * MINUTE), resultExpiresAt: iso(NOW + 20 * MINUTE) });
    const redeem = ({ id, resultProof }: typeof first) =>
      client.ask('redeemIdpIdentityResult', { ...client.scope, id, resultProof });
    await freezeClock(sql, new Date(NOW + 10 * MINUTE - 1));
    expect(await redeem(first)).toMatchObject({ status: 'PENDING' });
    await freezeClock(sql, new Date(NOW + 10 * MINUTE));
    expect(await redeem(first)).toMatchObject({ status: 'EXPIRED' });
    expect((await refusalOf(redeem(first))).code).toBe('NOT_FOUND');
    await freezeClock(sql, new Date(NOW + 20 * MINUTE - 1));
    expect(await redeem(second)).toMatchObject({ status: 'EXPIRED' });
    await freezeClock(sql, new Date(NOW + 20 * MINUTE));
    expect((await refusalOf(redeem(third))).code).toBe('NOT_FOUND');
  });

  test('8 sign-in deadlines: a completed one is redeemed until a millisecond before 20 minutes', async ({
    client,
    api,
    sql,
  }) => {
    await freezeClock(sql, new Date(NOW));
    const [early, late] = await Promise.all([client.createSignIn(), client.createSignIn()]);
    for (const { id } of [early, late]) await seedSignIn(api, id, 'COMPLETED');
    const outcome = ({ id, resultProof }: typeof early) =>
      client.outcome('redeemIdpIdentityResult', { ...client.scope, id, resultProof });
    await freezeClock(sql, new Date(NOW + 20 * MINUTE - 1));
    expect(await outcome(early)).toBe('answered');
    await freezeClock(sql, new Date(NOW + 20 * MINUTE));
    expect(await outcome(late)).toBe('NOT_FOUND');
  });
});
