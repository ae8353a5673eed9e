import { describe, expect } from 'vitest';
import type { AppId, RegistrationId } from '../../src/basics/ids.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import {
  countUnits,
  type DailyQuotas,
  listRegistrationUsage,
} from '../../src/store/registrations/registration-usage.ts';
import { insertRegistrationApp, updateRegistration } from '../../src/store/registrations/registrations.ts';
import { DAY_MS, moveClock } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { freezeClock, seedApp } from '../kit/seed.ts';

const QUOTAS: DailyQuotas = {
  PROVIDER_A: { timeZone: 'America/Los_Angeles', units: 10 },
  PROVIDER_B: { timeZone: 'UTC', units: null },
  PROVIDER_C: { timeZone: 'UTC', units: null },
};

/** A registration that serves two apps, and another registration of the first one. */
async function open(sql: Database) {
  const first = await seedApp(sql);
  const second = await seedApp(sql);
  const registrationId = first.registrations.PROVIDER_A;
  await insertRegistrationApp(sql, registrationId, second.app.appId);
  const use = async (appId: AppId, units: number, of: { forRefresh?: boolean; registrationId?: RegistrationId } = {}) =>
    (await countUnits(sql, { registrationId, appId, units, ...of }, QUOTAS)).counted;
  const units = async (of = registrationId) => (await listRegistrationUsage(sql, QUOTAS)).get(of)?.units;
  return { first: first.app.appId, second: second.app.appId, registrationId, use, units, seeded: { first, second } };
}

describe('an app’s share of a registration', () => {
  test('can be used up by one call, and by several, without a use of another app or registration', async ({ sql }) => {
    const { first, second, use, units, seeded } = await open(sql);
    expect(await use(first, 6)).toBe(false);
    expect(await use(first, 5)).toBe(true);
    expect(await use(first, 1)).toBe(false);
    expect(await use(second, 3)).toBe(true);
    expect(await use(second, 3)).toBe(false);
    expect(await use(second, 2)).toBe(true);
    expect(await units()).toBe(10);
    expect(await units(seeded.second.registrations.PROVIDER_A)).toBe(0);
    expect(await use(second, 5, { registrationId: seeded.second.registrations.PROVIDER_A })).toBe(true);
  });

  test('follows the policy of the app for this provider alone', async ({ sql }) => {
    const { first, second, use } = await open(sql);
    await updatePolicy(sql, second, 'PROVIDER_A', { capabilities: ['PROFILE'], quotaPercent: 10 });
    await updatePolicy(sql, first, 'PROVIDER_B', { capabilities: ['PROFILE'], quotaPercent: 10 });
    expect(await use(first, 5)).toBe(true);
    expect(await use(second, 2)).toBe(false);
    expect(await use(second, 1)).toBe(true);
  });

  test('begins anew with the quota’s next day, which is at least a second away', async ({ sql }) => {
    const { first, registrationId, use } = await open(sql);
    const midnight = Date.parse('2026-07-02T07:00:00Z');
    try {
      await freezeClock(sql, new Date(midnight - 400));
      expect(await use(first, 5)).toBe(true);
      expect(await countUnits(sql, { registrationId, appId: first, units: 1 }, QUOTAS)).toEqual({
        counted: false,
        resetSeconds: 1,
      });
      await freezeClock(sql, new Date(midnight));
      expect(await use(first, 5)).toBe(true);
      expect(await use(first, 1)).toBe(false);
    } finally {
      await moveClock(sql, 0);
    }
  });
});

describe('refreshes', () => {
  test('of all apps together use their percentage of the quota, to the unit, each day', async ({ sql }) => {
    const { first, second, registrationId, use } = await open(sql);
    await updateRegistration(sql, registrationId, { dailyQuota: 40 });
    await sql`update registration set refresh_percent = 25 where registration_id = ${registrationId}`;
    const forRefresh = true;
    expect(await use(first, 11, { forRefresh })).toBe(false);
    expect(await use(first, 4, { forRefresh })).toBe(true);
    expect(await use(first, 3)).toBe(true); // Other calls are none of them.
    expect(await use(first, 3, { forRefresh })).toBe(true);
    expect(await use(second, 4, { forRefresh })).toBe(false);
    expect(await use(second, 3, { forRefresh })).toBe(true);
    expect(await use(first, 1, { forRefresh })).toBe(false);
    expect(await use(first, 1)).toBe(true);
    await moveClock(sql, 2 * DAY_MS);
    expect(await use(first, 10, { forRefresh })).toBe(true);
  });

  test('have no limit at a provider without a quota', async ({ sql }) => {
    const { first, use, seeded } = await open(sql);
    const registrationId = seeded.first.registrations.PROVIDER_B;
    expect(await use(first, 50_000, { forRefresh: true, registrationId })).toBe(true);
  });
});
