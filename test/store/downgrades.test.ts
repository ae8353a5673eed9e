import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { type ConnectionId, type GrantId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import {
  areDowngradesHeld,
  believePlatform,
  claimDowngradeCheck,
  countDowngrade,
  forgetRefusal,
  hasFewConnections,
  holdDowngrades,
  isPlatformBelieved,
  isSuspended,
  listNeighbours,
  noteRefusal,
  releaseDowngrades,
} from '../../src/store/connections/downgrades.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { businessNow, DAY_MS, HOUR_MS, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, available, type SeedConnection, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';

/** Two registrations, of two apps. */
async function openTwo(sql: Database) {
  const [own, other] = [await seedApp(sql), await seedApp(sql)];
  const ids: [RegistrationId, RegistrationId] = [own.registrations.PROVIDER_B, other.registrations.PROVIDER_B];
  return { own: ids[0], other: ids[1], now: await businessNow(sql) };
}

describe('changes for the worse', () => {
  test('are five in an hour where there are few connections, and none from the sixth until a release', async ({
    sql,
  }) => {
    const { own, other, now } = await openTwo(sql);
    const count = (ms: number, id = own) => at(sql, now, ms, () => countDowngrade(asWorker(sql), id));
    const counts: string[] = [];
    for (let number = 1; number <= 4; number += 1) counts.push(await count(0));
    counts.push(await count(HOUR_MS / 2), await count(HOUR_MS)); // The last is the first of the next hour.
    for (let number = 2; number <= 5; number += 1) counts.push(await count(HOUR_MS + number));
    expect(counts).toEqual(counts.map(() => 'ALLOWED'));
    expect(counts).toHaveLength(10);
    expect(await count(2 * HOUR_MS - 1)).toBe('NOW_HELD');
    expect(await count(9 * HOUR_MS)).toBe('HELD');
    expect(await count(9 * HOUR_MS, other)).toBe('ALLOWED');
    expect([await areDowngradesHeld(sql, own), await areDowngradesHeld(sql, other)]).toEqual([true, false]);
    expect(await holdDowngrades(sql, own)).toBe(false);
    const releases = [await releaseDowngrades(sql, other), await releaseDowngrades(sql, own)];
    expect([...releases, await releaseDowngrades(sql, own)]).toEqual([false, true, false]);
  });

  test('begin to count again with a release, or once an operator believes the platform', async ({ sql }) => {
    const { own, now } = await openTwo(sql);
    const first = [...Array.from({ length: 5 }, () => 'ALLOWED'), 'NOW_HELD'];
    for (const end of [releaseDowngrades, believePlatform, releaseDowngrades]) {
      const counts: string[] = [];
      for (let number = 1; number <= 6; number += 1)
        counts.push(await at(sql, now, number, () => countDowngrade(asWorker(sql), own)));
      expect(counts).toEqual(first);
      expect(await end(sql, own)).toBe(true);
    }
  });

  test('are one of 33 connections in an hour where there are many', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const registrationId = seeded.registrations.PROVIDER_B;
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const copy = (count: number) => sql`
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
        capabilities)
      select gen_random_uuid(), scope_id, app_id, provider, registration_id, gen_random_uuid(), status, capabilities
      from connection, generate_series(1, ${count}::int) where connection_id = ${connectionId}
    `;
    await copy(196);
    const count = async (times: number) => {
      const counts: string[] = [];
      for (let number = 1; number <= times; number += 1)
        counts.push(await countDowngrade(asWorker(sql), registrationId));
      return counts.at(-1);
    };
    expect(await count(6)).toBe('NOW_HELD'); // Of 197.
    await releaseDowngrades(sql, registrationId);
    await copy(1);
    expect(await count(6)).toBe('ALLOWED');
    expect(await count(1)).toBe('NOW_HELD');
  });

  test('of many at once are held by one', async ({ sql }) => {
    const { own } = await openTwo(sql);
    const counts = await Promise.all(Array.from({ length: 20 }, () => countDowngrade(asWorker(sql), own)));
    expect(counts.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'ALLOWED'),
      ...Array.from({ length: 14 }, () => 'HELD'),
      'NOW_HELD',
    ]);
  });

  test('that are held are looked at every ten minutes, each registration by itself', async ({ sql }) => {
    const { own, other, now } = await openTwo(sql);
    const claim = (seconds: number, id = own) =>
      at(sql, now, seconds * SECOND_MS, () => claimDowngradeCheck(asWorker(sql), id));
    await at(sql, now, 0, async () => {
      for (const id of [own, other]) expect(await holdDowngrades(asWorker(sql), id)).toBe(true);
    });
    expect([await claim(599.999), await claim(600), await claim(600), await claim(600, other)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    await releaseDowngrades(sql, own);
    expect([await claim(9_000), await claim(9_000, other)]).toEqual([false, true]);
  });

  test('are believed for a day after an operator says so, of that registration', async ({ sql }) => {
    const { own, other, now } = await openTwo(sql);
    expect(await believePlatform(sql, own)).toBe(false);
    expect(await isPlatformBelieved(sql, own)).toBe(false);
    for (const id of [own, other]) await holdDowngrades(sql, id);
    expect(await at(sql, now, 0, () => believePlatform(sql, own))).toBe(true);
    const isBelieved = (ms: number, id: RegistrationId) =>
      at(sql, now, ms, () => isPlatformBelieved(asWorker(sql), id));
    expect([await isBelieved(DAY_MS - 1, own), await isBelieved(DAY_MS, own), await isBelieved(1, other)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([await areDowngradesHeld(sql, own), await areDowngradesHeld(sql, other)]).toEqual([false, true]);
  });
});

test('a registration has few connections up to five in use', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const connect = (status: 'CONNECTED' | 'SUSPENDED' | 'RECONNECT_REQUIRED', of = seeded) =>
    seedConnection(sql, of, { scope: of.newScope(), status });
  for (let number = 1; number <= 6; number += 1) await connect('CONNECTED', other);
  for (const status of ['CONNECTED', 'SUSPENDED', 'CONNECTED', 'SUSPENDED', 'CONNECTED', 'RECONNECT_REQUIRED'] as const)
    await connect(status);
  expect(await hasFewConnections(asWorker(sql), seeded.registrations.PROVIDER_B)).toBe(true);
  await connect('SUSPENDED');
  expect(await hasFewConnections(asWorker(sql), seeded.registrations.PROVIDER_B)).toBe(false);
});

describe('neighbours of a grant', () => {
  async function connect(sql: Database, seeded: SeededApp, options: Partial<SeedConnection> = {}) {
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), ...options });
    const grant = await findGrantOfConnection(sql, connectionId);
    return grant ?? expect.fail('The connection has no grant.');
  }
  const idsOf = (grants: readonly { grantId: GrantId }[]) => new Set(grants.map(({ grantId }) => grantId));

  test('are live grants of other accounts of its registration, with posts if asked', async ({ sql }) => {
    const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
    const principalMac = randomBytes(32);
    const own = await connect(sql, seeded, { principalMac });
    await connect(sql, seeded, { principalMac });
    const withPosts = await connect(sql, seeded);
    const without = await connect(sql, seeded, { capabilities: available('PROFILE') });
    const unnamed = await connect(sql, seeded);
    await sql`update account_grant set principal_mac = null where grant_id = ${unnamed.grantId}`;
    await connect(sql, seeded, { status: 'SUSPENDED' });
    const empty = await connect(sql, seeded);
    await sql`update account_grant set sealed_tokens = null where grant_id = ${empty.grantId}`;
    const ending = await connect(sql, seeded);
    await sql`update account_grant set status = 'REVOKING' where grant_id = ${ending.grantId}`;
    await connect(sql, seeded, { provider: 'PROVIDER_A' });
    await connect(sql, other);
    const list = async (of: Parameters<typeof listNeighbours>[1], options: { limit: number; withPosts: boolean }) =>
      await listNeighbours(asWorker(sql), of, options);
    const all = { limit: 9, withPosts: false };
    expect(idsOf(await list(own, all))).toEqual(idsOf([withPosts, without, unnamed]));
    expect(idsOf(await list(own, { ...all, withPosts: true }))).toEqual(idsOf([withPosts, unnamed]));
    expect(await list(own, { ...all, limit: 2 })).toHaveLength(2);
    const unnamedToo = idsOf(await list({ ...own, principalMac: null }, all));
    expect(unnamedToo.has(unnamed.grantId)).toBe(true);
    expect(unnamedToo.has(own.grantId)).toBe(false);
    const [row] = await sql`
      select provider_account_id from connection where connection_id = ${withPosts.connectionId}
    `;
    const random = vi.spyOn(Math, 'random').mockReturnValue(0); // The oldest first, but for those that are refused.
    onTestFinished(() => random.mockRestore());
    await noteRefusal(asWorker(sql), withPosts.grantId);
    expect(await list(own, all)).toEqual([
      expect.objectContaining({ grantId: without.grantId }),
      expect.objectContaining({ grantId: unnamed.grantId }),
      { grantId: withPosts.grantId, providerAccountId: row?.providerAccountId },
    ]);
  });

  test('are the eight after a random place, and the eight before it, by age', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => random.mockRestore());
    const grants: Awaited<ReturnType<typeof connect>>[] = [];
    for (let age = 1; age <= 10; age += 1) {
      const grant = await connect(sql, seeded);
      await sql`
        update connection set created_at = business_now() - make_interval(days => ${age})
        where connection_id = ${grant.connectionId}
      `;
      grants.unshift(grant); // The oldest first.
    }
    const of = { connectionId: null, registrationId: seeded.registrations.PROVIDER_B, principalMac: null };
    // Without an index, whose order could hide that of the query.
    const list = (limit = 20) =>
      inTransaction(asWorker(sql), async (tx) => {
        await tx`set local enable_indexscan = off`;
        await tx`set local enable_bitmapscan = off`;
        return await listNeighbours(tx, of, { limit, withPosts: false });
      });
    expect(idsOf(await list())).toEqual(idsOf(grants.slice(0, 8)));
    expect(await list()).toHaveLength(8); // None twice.
    random.mockReturnValue(0.99); // Between the last two.
    expect(idsOf(await list())).toEqual(idsOf([...grants.slice(0, 8), ...grants.slice(9)]));
    random.mockReturnValue(0.5);
    expect(idsOf(await list(1))).toEqual(idsOf(grants.slice(5, 6)));
  });
});

test('a refusal is noted once, with its age, and forgotten', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const grants: GrantId[] = [];
  for (let number = 1; number <= 2; number += 1) {
    const grant = await findGrantOfConnection(sql, await seedConnection(sql, seeded, { scope: seeded.newScope() }));
    if (grant) grants.push(grant.grantId);
  }
  const [own, other] = grants as [GrantId, GrantId];
  const now = await businessNow(sql);
  const note = (seconds: number, id = own) => at(sql, now, seconds * SECOND_MS, () => noteRefusal(asWorker(sql), id));
  expect([await note(0), await note(90), await note(90, other)]).toEqual([0, 90, 0]);
  await forgetRefusal(asWorker(sql), own);
  expect([await note(100), await note(100, other)]).toEqual([0, 10]);
  expect(await note(100, newId<GrantId>())).toBe(0);
});

test('a connection is suspended or not', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const connect = (status: 'CONNECTED' | 'SUSPENDED'): Promise<ConnectionId> =>
    seedConnection(sql, seeded, { scope: seeded.newScope(), status });
  const [held, used] = [await connect('SUSPENDED'), await connect('CONNECTED')];
  expect([await isSuspended(asWorker(sql), held), await isSuspended(asWorker(sql), used)]).toEqual([true, false]);
});
