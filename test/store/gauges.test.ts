import { describe, expect, onTestFinished } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { recordProof } from '../../src/store/connections/proofs.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { getGauges, measureGauges, sumConnectionCounts } from '../../src/store/gauges.ts';
import * as overview from '../../src/store/overview.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { addEndpointFailures, disableWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { openStage } from '../kit/activity-stage.ts';
import { asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

describe('the number of connections', () => {
  const counted = async (sql: Database) =>
    Object.fromEntries(
      (await overview.countConnections(sql)).map(({ provider, status, count }) => [`${provider} ${status}`, count]),
    );
  const there = async (sql: Database) =>
    Object.fromEntries(
      (
        await sql`select provider || ' ' || status as name, count(*)::int as count from connection group by 1 order by 1`
      ).map((row) => [row.name, row.count]),
    );

  test('is exact after every change, and after the counts are merged', async () => {
    const { sql, drop } = await createTestDatabase(); // It counts all rows.
    onTestFinished(drop);
    expect(await counted(sql)).toEqual({});
    const seeded = await seedApp(sql);
    const [first, second] = [
      await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_B' }),
      await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_C' }),
    ];
    expect(await counted(sql)).toEqual({ 'PROVIDER_B CONNECTED': 1, 'PROVIDER_C CONNECTED': 1 });
    await asWorker(sql)`update connection set status = 'DISCONNECTED' where connection_id = ${first}`;
    await asWorker(sql)`update connection set status = status where connection_id = ${second}`;
    expect(await counted(sql)).toEqual({ 'PROVIDER_B DISCONNECTED': 1, 'PROVIDER_C CONNECTED': 1 });
    await Promise.all(Array.from({ length: 5 }, () => sumConnectionCounts(asWorker(sql))));
    expect(await counted(sql)).toEqual(await there(sql));
    const rows = await sql`select from connection_count`;
    expect(rows).toHaveLength(2);
    await asWorker(sql)`delete from connection where connection_id = ${first}`;
    await sumConnectionCounts(asWorker(sql));
    expect(await counted(sql)).toEqual({ 'PROVIDER_C CONNECTED': 1 });
    expect(await sql`select from connection_count`).toHaveLength(1);
  });
});

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

describe('the state for metrics', () => {
  test('has the oldest delivery that waits at an endpoint that works', async () => {
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
    const failing = await seed(seeded, false);
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
    await addEndpointFailures(worker, failing, { failures: 1, pauseSeconds: 0 });
    await setClock(20);
    await writeCorrections(worker, working, [[connectionId, 1]]);
    await setClock(40);
    await writeCorrections(worker, working, [[connectionId, 1]]);
    for (let i = 0; i < 2; i += 1) await seed(other, true);
    await setClock(60);
    expect((await measureGauges(sql)).webhooks).toEqual({
      ...{ working: 3, failing: 3, operator: 1, gone: 2, disabled: 3 },
      ...{ failingApps: 2, failingSeconds: 30 * 60 },
      oldestSeconds: 40 * 60,
    });
  });

  test('has a registration in use without a successful call for 21 days, but for a paused one', async () => {
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

  test('has the age of the oldest open transaction, also of a role whose sessions the worker may not see', async ({
    database: { sql, urls },
  }) => {
    const worker = asWorker(sql);
    const anew = async () => {
      await sql`update gauge_snapshot set measured_at = '-infinity'`;
      return await getGauges(worker);
    };
    expect((await anew()).oldestTransactionSeconds).toBe(0);
    const dump = openDatabase(new Secret(urls.readonly), { poolSize: 1, applicationName: 'pg_dump' });
    const connection = await dump.reserve();
    await connection`begin isolation level repeatable read read only`;
    await connection`select last_number from journal_state`;
    expect(Object.keys((await anew()).transactions)).toHaveLength(1);
    // Six minutes later.
    await sql`
      update gauge_snapshot set state = jsonb_set(state, '{transactions}', (
        select jsonb_object_agg(key, value::text::numeric - 360) from jsonb_each(state -> 'transactions')
      ))
    `;
    expect((await anew()).oldestTransactionSeconds).toBeGreaterThanOrEqual(360);
    await connection`rollback`;
    connection.release();
    await dump.end();
    expect((await anew()).oldestTransactionSeconds).toBe(0);
  });
});
