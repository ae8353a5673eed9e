import { expect, onTestFinished } from 'vitest';
import { createRateLimitedCall } from '../../src/activities/provider-rate-limit.ts';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import { type ConnectionId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import { openStage, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { createTestDatabase, type Database } from '../kit/postgres.ts';
import { moveConnection, seedConnection, setEnabled, updatePaused, updateRefreshPolicy } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { sweepOnce } from '../kit/sweeping.ts';
import { simulateRefreshes } from './simulate-refreshes.ts';

const sweepOf = (stage: Stage) =>
  createSweepActivities(stage.deps as unknown as Parameters<typeof createSweepActivities>[0]);
const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_METRICS'] as const;

const refreshJobs = (sql: Database, connectionId: ConnectionId) =>
  sql`select * from read_job where connection_id = ${connectionId} and is_refresh order by created_at`;

/** Runs the open refresh of a connection to its end. */
async function runRefresh(sql: Database, stage: Stage, connectionId: ConnectionId) {
  const [job] = await sql`
    select job_id from read_job where connection_id = ${connectionId} and status in ('QUEUED', 'RUNNING')
  `;
  while (!(await runActivity(stage.activities.runScanStep, { jobId: job?.jobId })).done);
}

test('a policy refreshes its connections automatically, and not while they cannot be read', async () => {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const stage = await openStage(sql);
  const { appId } = stage.seeded.app;
  const { connectionId } = await stage.newConnection({ capabilities: CAPABILITIES });
  const { startUpkeep } = sweepOf(stage);
  await moveClock(sql, HOUR_MS);
  expect(await sweepOnce(startUpkeep)).toEqual({}); // Off by default.

  await seedEndpoint(sql, appId, { eventTypes: ['job.finished', 'content.changed'] });
  await updateRefreshPolicy(sql, appId, 'PROVIDER_B', { refreshMinutes: 60, refreshDays: 30, refreshPosts: 20 });
  await sweepOnce(startUpkeep);
  const due = async () => {
    const [row] = await sql`
      select refresh_due_at, extract(epoch from refresh_due_at - business_now())::float8 / 60 as minutes from connection
      where connection_id = ${connectionId}
    `;
    return row as { refreshDueAt: Date | null; minutes: number };
  };
  const { minutes } = await due();
  expect(minutes).toBeGreaterThan(0);
  expect(minutes).toBeLessThanOrEqual(60);

  await moveClock(sql, HOUR_MS);
  expect(await sweepOnce(startUpkeep)).toMatchObject({ 'refresh/PROVIDER_B': 1 });
  const [job] = await refreshJobs(sql, connectionId);
  expect(job).toMatchObject({ kind: 'SCAN', requestedBy: 'SERVICE', status: 'QUEUED', maxItems: 20 });
  expect(job?.publishedBefore - job?.publishedAfter).toBe(30 * 24 * HOUR_MS);
  const [entry] = await sql`select input from outbox where workflow_id = ${`scan/${job?.jobId}`}`;
  expect(entry?.input).toMatchObject({ urgency: 'BACKGROUND' });
  expect(await sweepOnce(startUpkeep)).toEqual({}); // Once.

  const at = new Date(Date.now() - 24 * HOUR_MS);
  const run = async (title: string) => {
    stage.provider.listContent.mockResolvedValueOnce({
      items: [post('1', at, { title })],
      cursor: null,
      reachedEnd: true,
    });
    await runRefresh(sql, stage, connectionId);
    expect((await due()).minutes).toBeCloseTo(60, -1); // Whether anything has changed or not.
  };
  await run('a');
  for (const title of ['a', 'b']) {
    await sql`update connection set refresh_due_at = business_now() where connection_id = ${connectionId}`;
    await sweepOnce(startUpkeep);
    await run(title);
  }
  // The app gets events for the new post and its change, and none for a job: it requested none.
  const events = await sql`select type, data from webhook_event where app_id = ${appId} order by sequence`;
  expect(events).toMatchObject([
    { type: 'content.changed', data: { addedCount: 1, changedCount: 0, removedCount: 0 } },
    { type: 'content.changed', data: { addedCount: 0, changedCount: 1, removedCount: 0 } },
  ]);
  const [connection] = await sql`select * from connection where connection_id = ${connectionId}`;
  expect(connection).toMatchObject({ syncStatus: 'READY', lastSuccessfulSyncAt: expect.any(Date) });
  expect(await sql`select from coverage where connection_id = ${connectionId}`).not.toHaveLength(0);

  // A disabled app is passed over until the next refresh, without a job.
  const before = (await refreshJobs(sql, connectionId)).length;
  await setEnabled(sql, appId, false);
  await sql`update connection set refresh_due_at = business_now() where connection_id = ${connectionId}`;
  expect(await sweepOnce(startUpkeep)).toEqual({});
  expect((await due()).minutes).toBeGreaterThan(0);
  await setEnabled(sql, appId, true);
  await moveConnection(sql, connectionId, 'SUSPENDED');
  await sql`update connection set refresh_due_at = business_now() where connection_id = ${connectionId}`;
  expect(await sweepOnce(startUpkeep)).toEqual({});
  await moveConnection(sql, connectionId, 'CONNECTED');
  // A paused registration is not even looked at.
  await updatePaused(sql, stage.seeded.registrations.PROVIDER_B, true);
  await sql`update connection set refresh_due_at = business_now() where connection_id = ${connectionId}`;
  expect(await sweepOnce(startUpkeep)).toEqual({});
  expect(await refreshJobs(sql, connectionId)).toHaveLength(before);

  await updateRefreshPolicy(sql, appId, 'PROVIDER_B', { refreshMinutes: null, refreshDays: 7, refreshPosts: 100 });
  await sweepOnce(startUpkeep);
  expect((await due()).refreshDueAt).toBeNull();
});

test('a new connection gets its first automatic refresh, if its app has them', async ({ sql, stage }) => {
  const { appId } = stage.seeded.app;
  await updateRefreshPolicy(sql, appId, 'PROVIDER_B', { refreshMinutes: 60, refreshDays: 7, refreshPosts: 20 });
  const { attemptId } = await stage.newExchangedAttempt();
  await runActivity(stage.activities.completeAttempt, { attemptId });
  const planned = await sql`
    select refresh_due_at between business_now() and business_now() + interval '1 hour' as is_soon
    from connection where app_id = ${appId}
  `;
  expect(planned).toEqual([{ isSoon: true }]);
});

test('the rate limit refuses a refresh above its share, and no other read', async ({ sql, stage }) => {
  const { app, registrations } = stage.seeded;
  const registrationId = registrations.PROVIDER_A;
  await sql`update registration set daily_quota = 10, refresh_percent = 50 where registration_id = ${registrationId}`;
  const { signal } = new AbortController();
  const purpose = { for: 'PROBE' } as const;
  const caller = { provider: 'PROVIDER_A', registrationId, appId: app.appId, purpose } as const;
  const refresh = createRateLimitedCall(stage.deps, { ...caller, forRefresh: true }, 'READS', signal);
  for (let used = 0; used < 5; used += 1) await refresh.admit({ quotaUnits: 1, cannotWait: false });
  await expect(refresh.admit({ quotaUnits: 1, cannotWait: false })).rejects.toMatchObject({ type: 'QuotaSpent' });
  const person = createRateLimitedCall(stage.deps, caller, 'READS', signal);
  await person.admit({ quotaUnits: 1, cannotWait: false });
});

test('over a day, refreshes are spread evenly and reach every connection as often as the policy requires', async () => {
  const database = await createTestDatabase(); // It moves the clock.
  onTestFinished(() => database.drop());
  const day = { connections: 120, refreshMinutes: 240, dailyQuota: 6_000, stepMinutes: 20 };
  const figures = await simulateRefreshes(database.sql, day);
  // 120 connections six times a day take 720 refreshes of 3 units: within the 3,000 of the share.
  expect(figures.unitsUsed).toBeLessThanOrEqual(3_000);
  expect(figures.fewest).toBeGreaterThanOrEqual(5);
  expect(figures.most).toBeLessThanOrEqual(7);
  // 10 a step on average.
  expect(figures.largestStep).toBeLessThanOrEqual(30);
});

test('the refreshes of all registrations of a platform share one rate, and none of them waits behind the others', async () => {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  // A third of 2 calls a second is 40 a minute. Of that, half is 4 refreshes of 6 calls, a tenth is 1.
  const stage = await openStage(sql, { callsPerSecond: { PROVIDER_A: 2, PROVIDER_B: 2, PROVIDER_C: 2 } });
  const { app, newScope, registrations } = stage.seeded;
  await updateRefreshPolicy(sql, app.appId, 'PROVIDER_B', { refreshMinutes: 60, refreshDays: 7, refreshPosts: 20 });
  const { startUpkeep } = sweepOf(stage);
  await sweepOnce(startUpkeep);
  const other = async (label: string, percent: number) => {
    const id = newId<RegistrationId>();
    await sql`
      insert into registration (registration_id, provider, label, client_id, sealed_client_secret, refresh_percent)
      values (${id}, 'PROVIDER_B', ${label}, ${label}, 'sealed', ${percent})
    `;
    await sql`insert into registration_app (registration_id, app_id) values (${id}, ${app.appId})`;
    return id;
  };
  const half = registrations.PROVIDER_B;
  const [otherHalf, tenth] = [await other('half', 50), await other('tenth', 10)];
  for (const registrationId of [half, otherHalf, tenth])
    for (let count = 0; count < 30; count += 1) {
      const connectionId = await seedConnection(sql, stage.seeded, { scope: newScope(), provider: 'PROVIDER_B' });
      await sql`
        update connection set registration_id = ${registrationId}, refresh_due_at = business_now() - interval '1 hour'
        where connection_id = ${connectionId}
      `;
    }
  const startedOf = async () => {
    const rows = await sql`
      select registration_id, count(*)::int as count from read_job join connection using (connection_id)
      where is_refresh group by registration_id
    `;
    const counts = new Map(rows.map((row) => [row.registrationId, row.count]));
    return [half, otherHalf, tenth].map((id) => counts.get(id) ?? 0);
  };

  expect(await sweepOnce(startUpkeep)).toMatchObject({ 'refresh/PROVIDER_B': 9 });
  expect(await startedOf()).toEqual([4, 4, 1]);
  // Each has at most five minutes' work in flight.
  for (let minute = 0; minute < 6; minute += 1) await sweepOnce(startUpkeep);
  expect(await startedOf()).toEqual([20, 20, 5]);
  // A registration without due refreshes leaves its part to the others.
  await sql`update connection set refresh_due_at = null where registration_id <> ${half}`;
  await sweepOnce(startUpkeep);
  expect(await startedOf()).toEqual([30, 20, 5]);
});
