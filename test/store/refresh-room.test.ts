import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { listRoom } from '../../src/store/connections/automatic-refresh.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { insertScan } from '../../src/store/jobs/new-reads.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { countUnits, type DailyQuotas } from '../../src/store/registrations/registration-usage.ts';
import { deleteRejection, updateQuotaSpent, updateRegistration } from '../../src/store/registrations/registrations.ts';
import { HOUR_MS, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, rejectClient, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';

/** A day of PROVIDER_B ends at midnight UTC. */
const QUOTAS: DailyQuotas = {
  PROVIDER_A: { timeZone: 'America/Los_Angeles', units: 10_000 },
  PROVIDER_B: { timeZone: 'UTC', units: 1_000 },
  PROVIDER_C: { timeZone: 'UTC', units: null },
};
const NOON = new Date(Date.UTC(2031, 5, 1, 12));

const startRefresh = async (
  sql: Database,
  seeded: SeededApp,
  provider: 'PROVIDER_A' | 'PROVIDER_B',
  isRefresh = true,
) =>
  await insertScan(sql, {
    connectionId: await seedConnection(sql, seeded, { scope: seeded.newScope(), provider }),
    appId: seeded.app.appId,
    provider,
    requestedBy: 'SERVICE',
    correlationId: newId<CorrelationId>(),
    window: null,
    maxItems: 10,
    isRefresh,
    continues: null,
  });

test('a registration has room for its share of the day so far and of the rate, without what is used and in flight', async ({
  sql,
}) => {
  const [own, other] = [await seedApp(sql), await seedApp(sql)];
  const registrationId = own.registrations.PROVIDER_B;
  const room = async (callsPerSecond = 100, ms = 0, of = own) => {
    const rows = await at(sql, NOON, ms, () =>
      listRoom(asWorker(sql), 'PROVIDER_B', QUOTAS, { callsPerSecond, callsEach: 5 }),
    );
    const found = rows.find((row) => row.registrationId === of.registrations.PROVIDER_B);
    expect(rows.map((row) => row.registrationId)).not.toContain(own.registrations.PROVIDER_A);
    return found && [found.room, found.most];
  };
  // Half of 1,000 units is its share, and half of the day is over: 250 units, of which each refresh takes 5.
  expect(await room()).toEqual([50, 600]);
  expect(await room(100, -1)).toEqual([49, 600]); // A millisecond before, a part of it is missing.
  expect(await room(100, 6 * HOUR_MS)).toEqual([75, 600]);
  expect(await room(5)).toEqual([30, 30]); // Half of 5 calls a second, for a minute.
  const count = (ms: number, forRefresh: boolean) =>
    at(sql, NOON, ms, () => countUnits(sql, { registrationId, appId: own.app.appId, units: 100, forRefresh }, QUOTAS));
  await count(0, false);
  await count(24 * HOUR_MS, true);
  expect(await room()).toEqual([50, 600]);
  await count(0, true);
  expect(await room()).toEqual([30, 600]);
  await at(sql, NOON, 0, async () => {
    await startRefresh(sql, own, 'PROVIDER_B');
    const { jobId } = await startRefresh(sql, own, 'PROVIDER_B');
    await sql`update read_job set status = 'RUNNING', started_at = business_now() where job_id = ${jobId}`;
    await startRefresh(sql, own, 'PROVIDER_B', false);
    await startRefresh(sql, own, 'PROVIDER_A');
    const ended = await startRefresh(sql, own, 'PROVIDER_B');
    await sql`
      update read_job set status = 'SUCCEEDED', finished_at = business_now() where job_id = ${ended.jobId}
    `;
  });
  expect(await room()).toEqual([28, 600]);
  expect(await room(100, 0, other)).toEqual([50, 600]);
  // Five minutes of 0.1 calls a second, half of them, are 3 refreshes, and 2 are in flight.
  expect(await room(0.1)).toEqual([0, 0]); // At most none in a minute.
  expect(await room(0.5)).toEqual([3, 3]);
  await at(sql, NOON, 0, async () => {
    for (let number = 1; number <= 12; number += 1) await startRefresh(sql, other, 'PROVIDER_B');
  });
  expect(await room(0.5)).toEqual([1, 3]); // Of 15, 14 are in flight.
  expect(await room(0.499)).toEqual([0, 2]); // Of nearly 15.
  expect(await updateRegistration(sql, other.registrations.PROVIDER_B, { refreshPercent: 100 })).toBe(true);
  expect(await room(0.5)).toEqual([3, 3]); // Of the larger share.
  await updateRegistration(sql, registrationId, { dailyQuota: 2_000 });
  expect(await room()).toEqual([78, 600]);
  await updateRegistration(sql, registrationId, { dailyQuota: 100 });
  expect(await room()).toEqual([0, 600]);
});

test('a registration has no room while it is paused, refused, or its quota is used up', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const registrationId = seeded.registrations.PROVIDER_B;
  const isListed = (ms = 0) =>
    at(sql, NOON, ms, async () => {
      const rows = await listRoom(asWorker(sql), 'PROVIDER_B', QUOTAS, { callsPerSecond: 100, callsEach: 5 });
      return rows.some((row) => row.registrationId === registrationId);
    });
  expect(await isListed()).toBe(true);
  await updatePaused(sql, registrationId, true);
  expect(await isListed()).toBe(false);
  await updatePaused(sql, registrationId, false);
  await rejectClient(sql, registrationId);
  expect(await isListed()).toBe(false);
  await deleteRejection(sql, registrationId);
  await at(sql, NOON, 0, () => updateQuotaSpent(sql, registrationId, 60));
  expect([await isListed(60 * SECOND_MS - 1), await isListed(60 * SECOND_MS)]).toEqual([false, true]);
});
