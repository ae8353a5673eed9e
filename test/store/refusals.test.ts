import { describe, expect } from 'vitest';
import { countDowngrade, forgetRefusal, noteRefusal } from '../../src/store/connections/refusals.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { businessNow, DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';

/** Two registrations, of two apps. The first has one connection, and so many copies of it. */
async function openTwo(sql: Database, { copies = 0 }: { copies?: number } = {}) {
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const own = seeded.registrations.PROVIDER_B;
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await sql`
    insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
      capabilities)
    select gen_random_uuid(), scope_id, app_id, provider, registration_id, gen_random_uuid(), status, capabilities
    from connection, generate_series(1, ${copies}::int) where connection_id = ${connectionId}
  `;
  const { grantId } = (await findGrantOfConnection(sql, connectionId)) ?? expect.fail('The connection has no grant.');
  return { own, other: other.registrations.PROVIDER_B, grantId, now: await businessNow(sql) };
}

const times = async (count: number, next: () => Promise<string>) => {
  const tally: Record<string, number> = {};
  for (const one of await Promise.all(Array.from({ length: count }, next))) tally[one] = (tally[one] ?? 0) + 1;
  return tally;
};

describe('changes for the worse', () => {
  test('are five in an hour where there are few connections, then none for a day, of that registration', async ({
    sql,
  }) => {
    const { own, other, now } = await openTwo(sql);
    const count = (ms: number, id = own) => at(sql, now, ms, () => countDowngrade(asWorker(sql), id));
    const counts: string[] = [];
    for (const ms of [0, 0, 0, 0, HOUR_MS / 2]) counts.push(await count(ms));
    for (let number = 0; number < 5; number += 1) counts.push(await count(HOUR_MS + number)); // The next hour.
    expect(counts).toEqual(Array.from({ length: 10 }, () => 'ALLOWED'));
    expect(await count(2 * HOUR_MS - 1)).toBe('NOW_HELD');
    expect([await count(9 * HOUR_MS), await count(9 * HOUR_MS, other)]).toEqual(['HELD', 'ALLOWED']);
    expect([await count(2 * HOUR_MS + DAY_MS - 2), await count(2 * HOUR_MS + DAY_MS - 1)]).toEqual(['HELD', 'ALLOWED']);
  });

  test('are one of 1,000 where there are many; then none until a refused grant works', async ({ sql }) => {
    const { own, grantId } = await openTwo(sql, { copies: 6_999 });
    const count = () => countDowngrade(asWorker(sql), own);
    expect(await times(9, count)).toEqual({ ALLOWED: 7, NOW_HELD: 1, HELD: 1 });
    await forgetRefusal(asWorker(sql), grantId);
    expect(await count()).toBe('HELD'); // It was never refused.
    await noteRefusal(asWorker(sql), { grantId, refusedAt: null });
    await forgetRefusal(asWorker(sql), grantId);
    expect(await count()).toBe('ALLOWED');
  });
});
