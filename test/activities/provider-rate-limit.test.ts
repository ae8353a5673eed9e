import { describe, expect, vi } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { createRateLimitedCall } from '../../src/activities/provider-rate-limit.ts';
import { callAsClient } from '../../src/activities/registration-calls.ts';
import { CAPABILITIES, type ProviderName } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { listDailyQuotas } from '../../src/providers/facts.ts';
import { failureOf, openStage } from '../kit/activity-stage.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import type { Database } from '../kit/postgres.ts';
import {
  countUnits,
  freezeClock,
  getCallLimits,
  insertRegistrationApp,
  insertTenant,
  listRegistrationUsage,
  seedApp,
  updatePolicy,
  updateRegistration,
} from '../kit/seed.ts';
import { clearSlots, findNextSlot, takeSlot } from '../kit/slots.ts';
import { open, signal, test } from './wire-stage.ts';

type Wire = Awaited<ReturnType<typeof open>>;
const PROVIDER = 'PROVIDER_A';
/** The cost of a scan of 100 posts of the first account: the channel, three pages, the metrics of 100 videos. */
const SCAN_UNITS = 7;

/** A caller without its provider. */
const callerOf = ({ seeded }: Wire['stage']) => ({
  registrationId: seeded.registrations.PROVIDER_A,
  appId: seeded.app.appId,
});

const accountOf = (sandbox: Sandbox, provider: ProviderName = PROVIDER) =>
  sandbox.control.accounts(provider)[0]?.id ?? expect.fail('There is no such account.');

/** Inserts a scan; earlier scans are marked as ended. */
async function newScan({ stage }: Wire, connectionId: ConnectionId, provider: ProviderName = PROVIDER) {
  const { sql } = stage;
  await sql`update read_job set status = 'CANCELED', finished_at = business_now()
    where status in ('QUEUED', 'RUNNING') and connection_id = ${connectionId}`;
  const now = Date.now();
  const window = { publishedAfter: new Date(now - 80 * DAY_MS), publishedBefore: new Date(now) };
  const { jobId } = await stage.newScan(connectionId, { window, maxItems: 100 });
  await sql`
    update read_job j set provider = ${provider}, app_id = c.app_id from connection c
    where c.connection_id = j.connection_id and job_id = ${jobId}
  `;
  return jobId;
}

async function scan(wire: Wire, connectionId: ConnectionId, provider: ProviderName = PROVIDER) {
  const jobId = await newScan(wire, connectionId, provider);
  while (!(await runActivity(wire.stage.activities.runScanStep, { jobId })).done);
  return jobId;
}

const API_ROUTES = [
  'channels',
  'playlistItems',
  'videos',
  'userInfo',
  'videoList',
  'videoQuery',
  'me',
  'media',
  'item',
  'insights',
];
const apiCalls = (sandbox: Sandbox) => sandbox.control.calls().filter(({ route }) => API_ROUTES.includes(route));

/** The recorded usage of the registration on this day. */
async function usageOf({ stage }: Wire, provider: ProviderName = PROVIDER) {
  const all = await listRegistrationUsage(stage.sql, listDailyQuotas(stage.deps.facts));
  return all.get(stage.seeded.registrations[provider]) ?? expect.fail('There is no such registration.');
}

describe('usage', () => {
  for (const provider of ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const) {
    test(`counts every HTTP call to the API of ${provider}, and no other`, async ({ sql, sandbox, http }) => {
      await clearSlots(sql, provider); // Others fill its slots.
      const wire = await open(sql, sandbox, http);
      const { connectionId } = await wire.connect(provider, accountOf(sandbox, provider));
      await scan(wire, connectionId, provider);
      const { units, apps } = await usageOf(wire, provider);
      expect(units).toBe(apiCalls(sandbox).length);
      expect(units).toBeGreaterThan(5);
      expect(apps).toMatchObject([{ appId: wire.stage.seeded.app.appId, units, percent: 100, share: null }]);
    });
  }
});

describe('the day of a quota', () => {
  // The clocks of California change at 10:00 UTC on the first and at 9:00 UTC on the second.
  test.for([
    ['2026-03-08', 23, '2026-03-09T07:00:00.000Z'],
    ['2026-11-01', 25, '2026-11-02T08:00:00.000Z'],
    ['2026-11-02', 24, '2026-11-03T08:00:00.000Z'],
  ] as const)('%s has %i hours in California', async ([day, hours, end], { sql, sandbox, http }) => {
    const wire = await open(sql, sandbox, http);
    const { deps, seeded } = wire.stage;
    const use = { registrationId: seeded.registrations.PROVIDER_A, appId: seeded.app.appId, units: 1 };
    const endMs = Date.parse(end);
    try {
      for (const leftMs of [hours * HOUR_MS, MINUTE_MS]) {
        await freezeClock(sql, new Date(endMs - leftMs));
        expect(await usageOf(wire)).toMatchObject({ day, endsAt: new Date(end) });
        expect(await countUnits(sql, use, listDailyQuotas(deps.facts))).toEqual({
          counted: true,
          resetSeconds: leftMs / 1_000,
        });
      }
    } finally {
      await moveClock(sql, 0); // The clock runs again, from where other tests have moved it.
    }
  });
});

describe('an app’s share of the daily quota', () => {
  async function openShared(wire: Wire, sandbox: Sandbox) {
    const { stage } = wire;
    const { seeded, sql } = stage;
    const registrationId = seeded.registrations.PROVIDER_A;
    const mine = await wire.connect(PROVIDER, accountOf(sandbox));
    const other = await seedApp(sql);
    await insertRegistrationApp(sql, registrationId, other.app.appId);
    const others = await wire.connect(PROVIDER, sandbox.control.accounts(PROVIDER)[1]?.id ?? '');
    // Every row belongs to the other app.
    const [{ scopeId } = { scopeId: '' }] = await sql`
      select scope_id from connection where connection_id = ${others.connectionId}
    `;
    await insertTenant(sql, other.app.appId, seeded.tenantKey);
    await sql`
      with
        moved as (update scope set app_id = ${other.app.appId} where scope_id = ${scopeId}),
        attempts as (update connect_attempt set app_id = ${other.app.appId} where scope_id = ${scopeId})
      update connection set app_id = ${other.app.appId} where connection_id = ${others.connectionId}
    `;
    await sql`delete from registration_usage where registration_id = ${registrationId}`;
    return { registrationId, mine, others, other };
  }

  test('is half if other apps exist, stops only the app that used it up, and resets the next day', async ({
    sql,
    sandbox,
    http,
  }) => {
    const wire = await open(sql, sandbox, http);
    const { stage } = wire;
    const { registrationId, mine, others, other } = await openShared(wire, sandbox);
    await updateRegistration(sql, registrationId, { dailyQuota: 2 * SCAN_UNITS + 1 });
    await scan(wire, mine.connectionId);
    expect(await usageOf(wire)).toMatchObject({ units: SCAN_UNITS });

    sandbox.control.clearCalls();
    const jobId = await newScan(wire, mine.connectionId);
    const failure = await failureOf(runActivity(stage.activities.runScanStep, { jobId }));
    expect(failure).toMatchObject({ type: 'QuotaSpent' });
    expect(apiCalls(sandbox)).toHaveLength(0);
    // A caller's job fails as if the whole quota were used up; a job of the service would wait for the next day.
    const wait = (failure as { retryAfterSeconds?: number }).retryAfterSeconds ?? 0;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(25 * 3_600);
    const failedTry = { type: 'QuotaSpent', retryAfterSeconds: 3_600 };
    expect(await runActivity(stage.activities.recordReadFailure, { jobId, failedTry })).toEqual({
      ended: true,
      code: 'PROVIDER_RATE_LIMITED',
    });
    expect(await getCallLimits(sql, registrationId)).toMatchObject({ quotaSeconds: 0 });

    await scan(wire, others.connectionId);
    const { apps } = await usageOf(wire);
    expect(new Map(apps.map(({ appId, units }) => [appId, units]))).toEqual(
      new Map([
        [stage.seeded.app.appId, SCAN_UNITS],
        [other.app.appId, expect.any(Number)],
      ]),
    );

    await moveClock(sql, 25 * 3_600_000);
    await scan(wire, mine.connectionId);
    expect(await usageOf(wire)).toMatchObject({ units: SCAN_UNITS });
  });

  test('follows its policy to the unit, and 100 percent reserves nothing', async ({ sql, sandbox, http }) => {
    const wire = await open(sql, sandbox, http);
    const { registrationId, mine } = await openShared(wire, sandbox);
    const { appId } = wire.stage.seeded.app;
    await updateRegistration(sql, registrationId, { dailyQuota: 10 * SCAN_UNITS });
    await updatePolicy(sql, appId, PROVIDER, { capabilities: CAPABILITIES, quotaPercent: 9 });
    const jobId = await newScan(wire, mine.connectionId);
    const steps = async () => {
      while (!(await runActivity(wire.stage.activities.runScanStep, { jobId })).done);
    };
    sandbox.control.clearCalls();
    expect(await failureOf(steps())).toMatchObject({ type: 'QuotaSpent' });
    expect(apiCalls(sandbox)).toHaveLength(SCAN_UNITS - 1);
    expect(await usageOf(wire)).toMatchObject({ units: SCAN_UNITS - 1 });

    await updateRegistration(sql, registrationId, { dailyQuota: 1 });
    await updatePolicy(sql, appId, PROVIDER, { capabilities: CAPABILITIES, quotaPercent: 100 });
    await scan(wire, mine.connectionId);
  });

  test('is never exceeded by concurrent calls', async ({ sql, sandbox, http }) => {
    const wire = await open(sql, sandbox, http);
    const { registrationId } = await openShared(wire, sandbox);
    await updateRegistration(sql, registrationId, { dailyQuota: 20 });
    const caller = {
      provider: PROVIDER,
      registrationId,
      appId: wire.stage.seeded.app.appId,
      purpose: { for: 'PROBE' },
    } as const;
    const { admit } = createRateLimitedCall(wire.stage.deps, caller, 'READS', signal);
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, () => admit({ quotaUnits: 1, cannotWait: false })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await usageOf(wire)).toMatchObject({ units: 10 });
  });
});

describe('the rate of calls', () => {
  const SLOW = { PROVIDER_A: 0.01, PROVIDER_B: 0.01, PROVIDER_C: 0.01 };
  /** Reserves a slot, so that the next one is far away. */
  const fill = (sql: Database, provider: ProviderName, callsPerSecond: number) =>
    takeSlot(sql, provider, { callsPerSecond, share: null, patienceSeconds: null });

  test('returns a step with a distant slot, with its delay, before sending anything', async ({
    sql,
    sandbox,
    http,
  }) => {
    await clearSlots(sql, 'PROVIDER_B');
    const wire = await open(sql, sandbox, http, { callsPerSecond: SLOW });
    const { stage, agree } = wire;
    const { attemptId } = await agree('PROVIDER_B', accountOf(sandbox, 'PROVIDER_B'));
    await fill(sql, 'PROVIDER_B', 0.01);
    sandbox.control.clearCalls();
    const given = await failureOf(runActivity(stage.activities.exchangeCode, { attemptId }));
    expect(given).toMatchObject({ type: 'OwnRateLimit', outcomeUnknown: false });
    expect((given as { retryAfterSeconds?: number }).retryAfterSeconds).toBeGreaterThan(20);
    expect(sandbox.control.calls()).toHaveLength(0);
    // That does not spend the code: the attempt continues at its slot.
    await clearSlots(sql, 'PROVIDER_B');
    await vi.waitFor(() => runActivity(stage.activities.exchangeCode, { attemptId }), 5_000); // The queue looks once a second.
    expect(sandbox.control.calls({ route: 'token' })).toHaveLength(1);
  });

  test('gives a step that cannot be delayed any distant slot', async ({ sql, sandbox, http }) => {
    await clearSlots(sql, 'PROVIDER_C');
    const { stage } = await open(sql, sandbox, http, { callsPerSecond: SLOW });
    const caller = { ...callerOf(stage), provider: 'PROVIDER_C', purpose: { for: 'PROBE' } } as const;
    await fill(sql, 'PROVIDER_C', 0.01);
    const { admit } = createRateLimitedCall(stage.deps, caller, 'CONNECTS', AbortSignal.timeout(500));
    const before = await findNextSlot(sql, 'PROVIDER_C');
    await expect(admit({ quotaUnits: 0, cannotWait: false })).rejects.toMatchObject({ type: 'OwnRateLimit' });
    expect(await findNextSlot(sql, 'PROVIDER_C')).toBeLessThanOrEqual(before);
    await expect(admit({ quotaUnits: 0, cannotWait: true })).rejects.toMatchObject({
      type: 'RetryLater',
      retryAfterSeconds: undefined,
    });
    expect(Math.round(((await findNextSlot(sql, 'PROVIDER_C')) - before) / 10)).toBe(10);
  });

  test('limits the wait of reads to leave room for calls that a person waits for', async ({ sql, sandbox, http }) => {
    await clearSlots(sql, 'PROVIDER_B');
    const { stage } = await open(sql, sandbox, http, { callsPerSecond: { ...SLOW, PROVIDER_B: 0.1 } });
    const caller = { ...callerOf(stage), provider: 'PROVIDER_B', purpose: { for: 'PROBE' } } as const;
    await fill(sql, 'PROVIDER_B', 0.1);
    // The slot is in nine seconds: too late for a read, but not for an exchange.
    const read = createRateLimitedCall(stage.deps, caller, 'READS', signal).admit({ quotaUnits: 0, cannotWait: false });
    await expect(read).rejects.toMatchObject({ message: expect.stringContaining('Too many') });
    const options = { signal: AbortSignal.timeout(500), whenRefused: 'FAIL', queue: 'CONNECTS' } as const;
    const exchange = callAsClient(stage.deps, caller, options, (_client, meter) =>
      meter.admit({ quotaUnits: 0, cannotWait: false }),
    );
    await expect(exchange).rejects.toMatchObject({ message: expect.stringContaining('aborted before its slot') });
  });
});

test('a later call of a step waits for its slot in any queue, and takes no distant slot', async ({
  sql,
  sandbox,
  http,
}) => {
  await clearSlots(sql, 'PROVIDER_A');
  const limit = { callsPerSecond: 0.5, share: null, patienceSeconds: null };
  const { stage } = await open(sql, sandbox, http, {
    callsPerSecond: { PROVIDER_A: 0.5, PROVIDER_B: 0.5, PROVIDER_C: 0.5 },
  });
  const caller = { ...callerOf(stage), provider: 'PROVIDER_A', purpose: { for: 'PROBE' } } as const;
  const { admit } = createRateLimitedCall(stage.deps, caller, 'READS', signal);
  await admit({ quotaUnits: 1, cannotWait: false });
  // Other workers fill the queue: the next slot is in about seven seconds, too late for a read.
  for (let others = 0; others < 4; others += 1) await takeSlot(sql, 'PROVIDER_A', limit);
  const later = admit({ quotaUnits: 1, cannotWait: false });
  expect(await findNextSlot(sql, 'PROVIDER_A')).toBeGreaterThan(5);
  await later;
  // A step that has sent nothing yet frees its worker instead of waiting.
  for (let others = 0; others < 4; others += 1) await takeSlot(sql, 'PROVIDER_A', limit);
  const first = createRateLimitedCall(stage.deps, caller, 'READS', signal);
  await expect(first.admit({ quotaUnits: 1, cannotWait: false })).rejects.toMatchObject({ type: 'OwnRateLimit' });
});

test('a scan takes a bounded number of steps through a circular listing', async ({ sql }) => {
  const stage = await openStage(sql);
  const { connectionId } = await stage.newConnection({ capabilities: ['CONTENT_LIST'] });
  const { jobId } = await stage.newScan(connectionId);
  let pages = 0;
  stage.provider.listContent.mockImplementation(async () => {
    pages += 1;
    return { items: [], cursor: `place ${pages % 3}`, reachedEnd: false };
  });
  const step = () => runActivity(stage.activities.runScanStep, { jobId });
  await step();
  expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'RUNNING', steps: 1 });
  // As after most of the allowed steps.
  await sql`update read_job set steps = 995 where job_id = ${jobId}`;
  for (let left = 5; left > 0; left -= 1) expect(await step()).toEqual({ done: false });
  expect(await step()).toMatchObject({ done: true });
  expect(pages).toBe(6);
  expect(await stage.job('read_job', jobId)).toMatchObject({
    status: 'SUCCEEDED',
    incompleteReason: 'PROVIDER_LIMIT',
    steps: 1_000,
  });
});
