import { expect, vi } from 'vitest';
import { createRateLimitedCall } from '../../src/activities/provider-rate-limit.ts';
import { listDailyQuotas } from '../../src/providers/facts.ts';
import { failureOf, openStage } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import {
  getCallLimits,
  insertRegistrationApp,
  listRegistrationUsage,
  seedApp,
  updateRegistration,
} from '../kit/seed.ts';
import { clearSlots, takeSlot } from '../kit/slots.ts';
import { accountOf, open, scan, signal, test } from './wire-stage.ts';

const PROVIDER = 'PROVIDER_A';

const API_ROUTES = [
  ...['channels', 'playlistItems', 'videos'],
  ...['userInfo', 'videoList', 'videoQuery'],
  ...['me', 'media', 'item', 'insights'],
];

test.for(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const)(
  'usage counts every HTTP call to the API of %s, and no other',
  async (provider, { sql, sandbox, http }) => {
    await clearSlots(sql, provider); // Others fill its slots.
    const wire = await open(sql, sandbox, http);
    const { deps, seeded } = wire.stage;
    const { connectionId } = await wire.connect(provider, accountOf(sandbox, provider));
    await scan(wire.stage, connectionId, provider);
    const all = await listRegistrationUsage(sql, listDailyQuotas(deps.facts));
    const { units, apps } = all.get(seeded.registrations[provider]) ?? expect.fail('There is no such registration.');
    expect(units).toBe(sandbox.control.calls().filter(({ route }) => API_ROUTES.includes(route)).length);
    expect(units).toBeGreaterThan(5);
    expect(apps).toMatchObject([{ appId: seeded.app.appId, units, percent: 100, share: null }]);
  },
);

test('an app’s share of a daily quota is half if another app exists: exact, kept from the other one, and new the next day', async ({
  sql,
}) => {
  const { deps, seeded } = await openStage(sql);
  const registrationId = seeded.registrations[PROVIDER];
  const other = await seedApp(sql);
  await insertRegistrationApp(sql, registrationId, other.app.appId);
  await updateRegistration(sql, registrationId, { dailyQuota: 21 });
  await sql`delete from registration_usage where registration_id = ${registrationId}`; // Of bystanders.
  /** Asks for so many calls at once. @returns how many may be sent. */
  const ask = async ({ app: { appId } }: typeof seeded, count: number) => {
    const caller = { provider: PROVIDER, registrationId, appId, purpose: { for: 'PROBE' } } as const;
    const { admit } = createRateLimitedCall(deps, caller, 'READS', signal);
    const calls = Array.from({ length: count }, () => admit({ quotaUnits: 1, cannotWait: false }));
    const refused = (await Promise.allSettled(calls)).filter((one) => one.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ type: 'QuotaSpent' });
    return count - refused.length;
  };
  expect(await ask(seeded, 30)).toBe(10);
  expect([await ask(seeded, 1), await ask(other, 1)]).toEqual([0, 1]);
  expect(await getCallLimits(sql, registrationId)).toMatchObject({ quotaSeconds: 0 });
  await moveClock(sql, 25 * HOUR_MS);
  expect(await ask(seeded, 30)).toBe(10);
});

test('a step with a distant slot returns with its delay, before sending anything', async ({ sql, sandbox, http }) => {
  await clearSlots(sql, 'PROVIDER_B');
  const slow = { PROVIDER_A: 0.01, PROVIDER_B: 0.01, PROVIDER_C: 0.01 };
  const { stage, agree } = await open(sql, sandbox, http, { callsPerSecond: slow });
  const { attemptId } = await agree('PROVIDER_B', accountOf(sandbox, 'PROVIDER_B'));
  await takeSlot(sql, 'PROVIDER_B', { callsPerSecond: 0.01, share: null, patienceSeconds: null });
  sandbox.control.clearCalls();
  const given = await failureOf(runActivity(stage.activities.exchangeCode, { attemptId }));
  expect(given).toMatchObject({ type: 'OwnRateLimit', outcomeUnknown: false });
  expect((given as { retryAfterSeconds?: number }).retryAfterSeconds).toBeGreaterThan(20);
  expect(sandbox.control.calls()).toHaveLength(0);
  // That does not spend the code: the attempt continues at its slot.
  await clearSlots(sql, 'PROVIDER_B');
  await vi.waitFor(() => runActivity(stage.activities.exchangeCode, { attemptId })); // The queue looks once a second.
  expect(sandbox.control.calls({ route: 'token' })).toHaveLength(1);
});
