import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { issueKey, revokeKey } from '../../src/store/apps/keys.ts';
import { recordProof } from '../../src/store/connections/proofs.ts';
import { postponeUpkeep } from '../../src/store/connections/upkeep.ts';
import { inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { measureGauges } from '../../src/store/gauges.ts';
import { insertDispatch, postponeRefusedDispatch, type WorkLane } from '../../src/store/outbox.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { addEndpointFailures, disableWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { openStage } from '../kit/activity-stage.ts';
import { asApi, asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, rejectClient, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertJob } from '../kit/seed-jobs.ts';

const START = new Date('2026-03-01T12:00:00Z');
const minutes = (count: number) => new Date(START.getTime() + count * 60_000);

/** An empty database whose clock stands. */
async function open() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const { sql } = database;
  const setClock = (minute: number) => freezeClock(sql, minutes(minute));
  await setClock(0);
  return { ...database, setClock };
}

describe('one hour after the first fact, the metrics have', () => {
  test('stuck jobs by kind; only open ones have an age', async () => {
    const { sql, setClock } = await open();
    const [one, other] = [await seedApp(sql), await seedApp(sql)];
    const failed = { tries: 1, startedAt: minutes(0), nextRetryAt: minutes(90) };
    await insertJob(sql, one, { ...failed, status: 'RUNNING', firstFailedAt: minutes(30) });
    await insertJob(sql, other, { ...failed, status: 'QUEUED', firstFailedAt: minutes(15) });
    await insertJob(sql, one, { kind: 'COMPENSATION', status: 'QUEUED', createdAt: minutes(20) }); // Silent.
    const ended = { status: 'FAILED', createdAt: minutes(-600), finishedAt: minutes(-500), errorCode: 'INTERNAL' };
    await insertJob(sql, one, { ...ended, sealedTokens: 'sealed' });
    await insertJob(sql, one, ended); // Nothing is left to revoke.
    await insertJob(sql, one, { ...ended, status: 'SUCCEEDED', errorCode: null });
    await insertJob(sql, other, { kind: 'COMPENSATION', status: 'QUEUED', createdAt: minutes(59) });
    await setClock(60);
    const { stuck, jobs } = await measureGauges(sql);
    expect(stuck.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'COMPENSATION', count: 1, oldestSeconds: 40 * 60 },
      { kind: 'REVOKE', count: 3, oldestSeconds: 45 * 60 },
    ]);
    expect(jobs).toHaveLength(3);
    expect(jobs).toEqual(
      expect.arrayContaining([
        { kind: 'REVOKE', status: 'RUNNING', count: 1 },
        { kind: 'REVOKE', status: 'QUEUED', count: 1 },
        { kind: 'COMPENSATION', status: 'QUEUED', count: 2 },
      ]),
    );
  });

  test('the age of the oldest entry of each lane of the outbox', async () => {
    const { sql, setClock } = await open();
    const insert = async (lane: WorkLane, minute: number) => {
      await setClock(minute);
      const work = { workflowType: 'scan', input: {}, searchAttributes: {}, correlationId: null, traceparent: null };
      const workflowId = randomUUID();
      await inTransaction(sql, (tx) => insertDispatch(tx, { workflowId, lane, ...work }));
      return workflowId;
    };
    for (const minute of [10, 11]) await insert('PERSON', minute);
    for (const minute of [20, 21, 22]) await insert('REQUEST', minute);
    const refused = await insert('BULK', 25);
    for (const minute of [30, 31]) await insert('BULK', minute);
    const [row] = await sql`select outbox_id from outbox where workflow_id = ${refused}`;
    await postponeRefusedDispatch(sql, String(row?.outboxId), 60, 'INVALID');
    await setClock(60);
    expect((await measureGauges(sql)).outbox).toEqual({
      count: 8,
      refused: 1,
      oldestSeconds: { PERSON: 50 * 60, REQUEST: 40 * 60, BULK: 30 * 60 },
    });
  });

  test('the oldest delivery that waits at an endpoint that works', async () => {
    const { sql, setClock } = await open();
    const worker = asWorker(sql);
    const seeded = await seedApp(sql);
    const other = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() }); // Before there is an endpoint.
    const seed = async ({ app }: typeof seeded, failing: boolean) => {
      const endpointId = await seedEndpoint(sql, app.appId);
      await writeCorrections(worker, endpointId, [[connectionId, 1]]);
      if (failing) await addEndpointFailures(worker, endpointId, { failures: 1, pauseSeconds: 0 });
      return endpointId;
    };
    // The event that waits longest, since minute 0, waits at endpoints that do not work, or has arrived.
    await seed(seeded, true);
    await addEndpointFailures(worker, await seed(seeded, false), { failures: 0, pauseSeconds: 7_200 });
    await disableWebhookEndpoint(worker, await seed(seeded, false), 'OPERATOR');
    for (let i = 0; i < 2; i += 1) await disableWebhookEndpoint(worker, await seed(seeded, false), 'GONE');
    for (let i = 0; i < 3; i += 1) await disableWebhookEndpoint(worker, await seed(other, true), 'FAILING');
    const working = await seed(other, false);
    const taken = await takeDueDeliveries(worker, working, 10);
    expect(taken).toHaveLength(1);
    const answer = { outcome: 'DELIVERED', pauseSeconds: null, status: 200, failure: null, durationMs: 5 } as const;
    await updateTriedDeliveries(
      worker,
      taken.map(({ deliveryId, tries }) => ({ deliveryId, tries, ...answer })),
    );
    await setClock(30);
    await seed(other, false);
    await setClock(20);
    await writeCorrections(worker, working, [[connectionId, 1]]);
    await setClock(40);
    await writeCorrections(worker, working, [[connectionId, 1]]);
    await setClock(60);
    expect((await measureGauges(sql)).webhooks).toEqual({
      ...{ working: 3, failing: 1, operator: 1, gone: 2, disabled: 3 },
      oldestSeconds: 40 * 60,
    });
  });

  test('the delays of upkeep and of the automatic refresh, for readable connections', async () => {
    const { sql, setClock } = await open();
    const [one, other, paused, refused] = [
      await seedApp(sql),
      await seedApp(sql),
      await seedApp(sql),
      await seedApp(sql),
    ];
    const seed = async (app: typeof one, status: 'CONNECTED' | 'DISCONNECTED', provider: 'PROVIDER_A' | 'PROVIDER_C') =>
      await seedConnection(sql, app, { scope: app.newScope(), provider, status });
    const due = async (connectionId: Awaited<ReturnType<typeof seed>>, minute: number) => {
      await setClock(minute - 1);
      await postponeUpkeep(sql, connectionId, 60); // It fails for the first time.
      await sql`update connection set refresh_due_at = ${minutes(minute)} where connection_id = ${connectionId}`;
    };
    await due(await seed(one, 'CONNECTED', 'PROVIDER_A'), 25);
    await due(await seed(one, 'CONNECTED', 'PROVIDER_A'), 15);
    await due(await seed(other, 'CONNECTED', 'PROVIDER_A'), 20);
    await due(await seed(other, 'DISCONNECTED', 'PROVIDER_A'), 5);
    await due(await seed(paused, 'CONNECTED', 'PROVIDER_C'), 6);
    await due(await seed(refused, 'CONNECTED', 'PROVIDER_C'), 7);
    await due(await seed(other, 'CONNECTED', 'PROVIDER_C'), 45);
    await updatePaused(sql, paused.registrations.PROVIDER_C, true);
    await rejectClient(sql, refused.registrations.PROVIDER_C);
    await setClock(60);
    const { refreshes, upkeep } = await measureGauges(sql);
    expect(upkeep.map(({ provider, lateSeconds, failingSeconds }) => [provider, lateSeconds, failingSeconds])).toEqual([
      ['PROVIDER_A', 45 * 60, 46 * 60],
      ['PROVIDER_B', 0, 0],
      ['PROVIDER_C', 54 * 60, 55 * 60],
    ]);
    expect(refreshes.toSorted((a, b) => a.provider.localeCompare(b.provider))).toEqual([
      { provider: 'PROVIDER_A', oldestSeconds: 45 * 60 },
      { provider: 'PROVIDER_B', oldestSeconds: 0 },
      { provider: 'PROVIDER_C', oldestSeconds: 15 * 60 },
    ]);
  });

  test('a registration in use without a successful call for 21 days, but for a paused one', async () => {
    const { sql, setClock } = await open();
    const stage = await openStage(sql);
    const { PROVIDER_A: paused, PROVIDER_B: used, PROVIDER_C: unused } = stage.seeded.registrations;
    const { grantId } = await stage.newConnection({ provider: 'PROVIDER_B' });
    const idle = async () =>
      Object.fromEntries(
        (await measureGauges(sql)).registrations.map(({ provider, idle: count }) => [provider, count]),
      );
    const DAY = 24 * 60;
    await updatePaused(sql, paused, true);
    await setClock(21 * DAY - 1);
    expect(await idle()).toEqual({ PROVIDER_A: 0, PROVIDER_B: 0, PROVIDER_C: 0 });
    await recordProof(asWorker(sql), grantId);
    await setClock(21 * DAY);
    expect(await idle()).toEqual({ PROVIDER_A: 0, PROVIDER_B: 0, PROVIDER_C: 1 });
    await setClock(42 * DAY);
    expect(await idle()).toEqual({ PROVIDER_A: 0, PROVIDER_B: 1, PROVIDER_C: 1 });
    await sql`delete from registration_app where registration_id in (${used}, ${unused})`;
    expect(await idle()).toEqual({ PROVIDER_A: 0, PROVIDER_B: 0, PROVIDER_C: 0 });
  });

  test('the age of the oldest fact that is not in the erasure journal', async () => {
    const { sql, setClock } = await open();
    const { app } = await seedApp(sql);
    for (const minute of [10, 20]) {
      await setClock(minute);
      const { keyId } = await issueKey(asApi(sql), app.appId, null);
      await revokeKey(asApi(sql), keyId);
    }
    await setClock(60);
    expect((await measureGauges(sql)).unwrittenSeconds).toBe(50 * 60);
  });

  test('the sessions of this database, also of roles that the worker may not watch', async () => {
    const { sql, urls } = await open();
    const elsewhere = await open();
    const api = openDatabase(new Secret(urls.api), { poolSize: 1, applicationName: 'api' });
    const apiElsewhere = openDatabase(new Secret(elsewhere.urls.api), { poolSize: 1, applicationName: 'api' });
    await Promise.all([api`select 1`, apiElsewhere`select 1`]);
    const { sessions } = await measureGauges(asWorker(sql));
    await Promise.all([api.end(), apiElsewhere.end()]);
    expect(sessions).toEqual([{ process: 'api', state: 'hidden', count: 1 }]);
  });
});
