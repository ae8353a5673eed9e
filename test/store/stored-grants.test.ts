import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { type GrantId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead, moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import {
  findGrant,
  findGrantOfConnection,
  type Grant,
  insertGrant,
  listGrantsWithTokens,
} from '../../src/store/grants/grants.ts';
import { claimKeptRefresh, keepTokens, updateKeptTokens } from '../../src/store/grants/kept-tokens.ts';
import { findDisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
import { businessNow, DAY_MS, MINUTE_MS } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

/** A separate database, for code that changes or lists everything. */
async function openDatabase(): Promise<Database> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  return sql;
}

/** Sets the timeline that the server returns, as after a fail-over. */
const setTimeline = (sql: Database, timeline: string) =>
  sql.unsafe(`
    create or replace function current_timeline() returns text language sql stable parallel safe return '${timeline}'
  `);

const read = async (sql: Database, grantId: GrantId): Promise<Grant> =>
  (await findGrant(asWorker(sql), grantId)) ?? expect.fail('The grant is gone.');

/** Exchanges the code of a new attempt for a grant. */
async function exchange(
  sql: Database,
  seeded: SeededApp,
  options: { provider?: ProviderName; principalMacs?: readonly Buffer[]; accessExpiresAt?: Date | null } = {},
): Promise<Grant> {
  const { provider = 'PROVIDER_B', principalMacs = [], accessExpiresAt = null } = options;
  const { attemptId, scopeId, registrationId } = await seedAttempt(sql, seeded, { provider }, answerAttempt);
  const grantId = newId<GrantId>();
  await insertGrant(asWorker(sql), {
    ...{ grantId, attemptId, scopeId, registrationId, provider, principalMacs, accessExpiresAt },
    ...{ permissions: ['read'], sealedTokens: 'sealed', refreshExpiresAt: null },
  });
  return await read(sql, grantId);
}

const end = (sql: Database, { grantId }: Grant) => inTransaction(sql, (tx) => moveGrantToDead(tx, grantId));

test('an access token is expiring in its last 2 minutes, and long-lived with more than 31 days', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const accessExpiresAt = await businessNow(sql);
  const { grantId } = await exchange(sql, seeded, { accessExpiresAt });
  const lasting = await exchange(sql, seeded);
  const before = async (ms: number) => {
    const grant = await at(sql, accessExpiresAt, -ms, () => read(sql, grantId));
    return [grant.expiring, grant.longLived];
  };
  expect(await before(2 * MINUTE_MS)).toEqual([true, false]);
  expect(await before(2 * MINUTE_MS + 1)).toEqual([false, false]);
  expect(await before(31 * DAY_MS)).toEqual([false, false]);
  expect(await before(31 * DAY_MS + 1)).toEqual([false, true]);
  expect(lasting).toMatchObject({ expiring: false, longLived: false, accessExpiresAt: null });
});

test('a principal keeps the hash of its grants that have not ended', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const [current, old, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const macOf = async (principalMacs: readonly Buffer[]) => await exchange(sql, seeded, { principalMacs });
  const [first, second, beside] = [await macOf([old]), await macOf([old]), await macOf([other])];
  expect((await macOf([])).principalMac).toBeNull();
  const third = await macOf([current, old]);
  expect([third.principalMac, beside.principalMac]).toEqual([old, other]);
  for (const grant of [first, second, third]) await end(sql, grant);
  expect((await macOf([current, old])).principalMac).toEqual(current);
});

test('a connection uses its live grant, or the latest one that waits for its revoke', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const connect = async (ms: number) => {
    const connectionId = await at(sql, now, ms, () => seedConnection(sql, seeded, { scope: seeded.newScope() }));
    return { connectionId, grant: (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('It has no grant.') };
  };
  const { connectionId, grant: live } = await connect(1);
  const others = [await connect(0), await connect(3), await connect(2)].map(({ grant }) => grant);
  for (const { grantId } of others) {
    await inTransaction(sql, (tx) => moveGrantToRevoking(tx, grantId, PERMIT));
    await sql`update account_grant set connection_id = ${connectionId} where grant_id = ${grantId}`;
  }
  const used = async () => (await findGrantOfConnection(asWorker(sql), connectionId))?.grantId;
  expect(await used()).toBe(live.grantId);
  await end(sql, live);
  expect(await used()).toBe(others[1]?.grantId);
  for (const grant of others) await end(sql, grant);
  expect(await used()).toBeUndefined();
});

test('the grants with tokens at some providers are listed by id, page by page', async () => {
  const sql = await openDatabase();
  const seeded = await seedApp(sql);
  const make = (provider: ProviderName) => exchange(sql, seeded, { provider });
  const all = [await make('PROVIDER_B'), await make('PROVIDER_A'), await make('PROVIDER_B')];
  await make('PROVIDER_C');
  await end(sql, await make('PROVIDER_B'));
  const ids = all.map(({ grantId }) => grantId).sort();
  await sql`update account_grant set permissions = '{}' where grant_id = ${ids[0] ?? ''}`; // The last in the table.
  const list = (after: GrantId | null) =>
    listGrantsWithTokens(asWorker(sql), ['PROVIDER_A', 'PROVIDER_B'], { after, limit: 2 });
  expect(await list(null)).toEqual(ids.slice(0, 2));
  expect(await list(ids[1] ?? null)).toEqual(ids.slice(2));
});

describe('kept tokens', () => {
  const keep = async (sql: Database, seeded: SeededApp, grant: Grant) => {
    const { grantId, scopeId } = grant;
    const jobId = await seedDisconnectJob(sql, seeded, { grantId, scopeId });
    await keepTokens(asWorker(sql), jobId, 'kept', grant);
    return jobId;
  };

  test('are uncertain if they were stored before a fail-over, until they are refreshed', async () => {
    const sql = await openDatabase();
    const seeded = await seedApp(sql);
    await setTimeline(sql, '00000098');
    const before = await exchange(sql, seeded);
    expect(before.refreshLost).toBe(false);
    await setTimeline(sql, '00000099');
    const after = await exchange(sql, seeded);
    const [jobId, certain] = [await keep(sql, seeded, before), await keep(sql, seeded, after)];
    const isLost = async () => [
      (await findDisconnectJob(asWorker(sql), jobId))?.refreshLost,
      (await findDisconnectJob(asWorker(sql), certain))?.refreshLost,
      (await read(sql, before.grantId)).refreshLost,
      (await read(sql, after.grantId)).refreshLost,
    ];
    expect(await isLost()).toEqual([true, false, true, false]);
    const claim = randomUUID();
    await claimKeptRefresh(asWorker(sql), jobId, claim);
    await updateKeptTokens(asWorker(sql), jobId, claim, 'fresh');
    expect(await isLost()).toEqual([false, false, true, false]);
  });
});
