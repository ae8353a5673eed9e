import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { recordProof } from '../../src/store/connections/proofs.ts';
import { type Database, inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { getGauges, measureGauges, sumConnectionCounts } from '../../src/store/gauges.ts';
import * as overview from '../../src/store/overview.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { addEndpointFailures, disableWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { openStage } from '../kit/activity-stage.ts';
import { moveClock } from '../kit/clock.ts';
import { asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { openExplained } from './explained.ts';

const BIG = ['connection', 'connect_attempt', 'account_grant', 'read_job', 'disconnect_job', 'scope', 'content_item'];
const ROWS = 20_000;

/** Rows after a year: nearly all have ended. */
async function fill(database: Database): Promise<void> {
  const seeded = await seedApp(database);
  const scopeId = await seedScope(database, seeded, seeded.newScope());
  const of = { appId: seeded.app.appId, registrationId: seeded.registrations.PROVIDER_A };
  await inTransaction(database, async (sql) => {
    await sql`set local statement_timeout = 0`;
    await sql`set local session_replication_role = replica`; // Four times as fast without foreign keys and triggers.
    await sql`
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
        capabilities)
      select gen_random_uuid(), ${scopeId}, ${of.appId}, 'PROVIDER_A', ${of.registrationId}, n::text, 'CONNECTED', '[]'
      from generate_series(1, ${ROWS}) as n
    `;
    await sql`insert into connection_count (provider, status, change) values ('PROVIDER_A', 'CONNECTED', ${ROWS})`;
    await sql`
      insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, status,
        connection_id, launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at)
      select gen_random_uuid(), ${scopeId}, ${of.appId}, 'PROVIDER_A', ${of.registrationId}, '{}', '', 'COMPLETED',
        gen_random_uuid(), sha256(n::text::bytea), gen_random_uuid(), now(), now(), now()
      from generate_series(1, ${ROWS}) as n
    `;
    await sql`
      insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, status, published_after,
        published_before, max_items, correlation_id, created_at, finished_at)
      select gen_random_uuid(), 'SCAN', gen_random_uuid(), ${of.appId}, 'PROVIDER_A', 'SERVICE',
        case when n % 100 = 0 then 'FAILED' else 'SUCCEEDED' end, now(), now(), 100, gen_random_uuid(),
        now() - random() * interval '7 days', now() - random() * interval '7 days'
      from generate_series(1, ${ROWS}) as n
    `;
    await sql`
      insert into disconnect_job (job_id, kind, connection_id, app_id, provider, registration_id, status, correlation_id,
        created_at, finished_at)
      select gen_random_uuid(), 'REVOKE', gen_random_uuid(), ${of.appId}, 'PROVIDER_A', ${of.registrationId},
        case when n % 100 = 0 then 'FAILED' else 'SUCCEEDED' end, gen_random_uuid(),
        now() - random() * interval '7 days', now() - random() * interval '7 days'
      from generate_series(1, ${ROWS}) as n
    `;
  });
  for (const table of BIG) await database.unsafe(`analyze ${table}`);
}

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

  test('is exact after every change, and after the counts are merged', async ({ ownDatabase: { sql } }) => {
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

  test('has the sessions of this database, also of roles that the worker may not watch', async () => {
    const { sql, urls } = await open();
    const api = openDatabase(new Secret(urls.api), { poolSize: 1, applicationName: 'api' });
    await api`select 1`;
    const { sessions } = await measureGauges(asWorker(sql));
    await api.end();
    expect(sessions).toEqual([{ process: 'api', state: 'hidden', count: 1 }]);
  });

  test('is measured anew after a minute', async ({ sql }) => {
    const worker = asWorker(sql);
    await sql`update gauge_snapshot set measured_at = '-infinity'`;
    await sql`delete from outbox`;
    expect((await getGauges(worker)).outbox.count).toBe(0);
    await sql`insert into outbox (workflow_id, workflow_type, input) values (${randomUUID()}, 'scan', '{}')`;
    expect((await getGauges(worker)).outbox.count).toBe(0);
    await moveClock(sql, 61_000);
    expect((await getGauges(worker)).outbox.count).toBe(1);
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

test('on 20,000 rows of each kind, metrics and the overview cost open and recent rows', async ({ database }) => {
  await fill(database.sql);
  const explained = openExplained(database.url, { poolSize: 1 });
  try {
    const touches = async (work: (sql: Database) => Promise<unknown>) => {
      const statements = await explained.statementsOf(() => work(explained.sql));
      expect(statements).not.toEqual([]);
      return Math.max(...statements.map(({ touched }) => touched));
    };
    expect(await touches((sql) => sql`select count(*) from connection`)).toBeGreaterThanOrEqual(ROWS); // To be skipped.
    const FEW = 1_000; // About 200 of each kind failed, and 120 ended within the last hour.
    for (const work of [measureGauges, overview.countJobs, overview.getTotals, overview.listFailures])
      expect(await touches(work), work.name).toBeLessThan(FEW);
    expect(await touches(overview.countConnections)).toBeLessThan(99);
    expect(await touches(overview.listPastFailures)).toBeLessThan(99); // Only jobs with failed tries.
    expect(await touches((sql) => overview.listHealth(sql, PROVIDER_NAMES))).toBeLessThan(FEW);
  } finally {
    await explained.sql.end();
  }
});
