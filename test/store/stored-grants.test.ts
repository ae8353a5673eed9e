import { expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { type GrantId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead, moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import { findGrant, findGrantOfConnection, type Grant, insertGrant } from '../../src/store/grants/grants.ts';
import { businessNow, DAY_MS, MINUTE_MS } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

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
