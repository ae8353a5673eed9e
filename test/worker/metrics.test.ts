import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { afterAll, describe, expect, inject } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { Secret } from '../../src/basics/secret.ts';
import { type Metrics, startMetrics } from '../../src/telemetry/metrics.ts';
import { observePool } from '../../src/telemetry/observe-pool.ts';
import { observeState, observeTemporal } from '../../src/worker/gauges.ts';
import { HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { keepLog } from '../kit/keep-log.ts';
import { asWorker, openDatabase, test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedLookups } from '../kit/seed.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

const { log, lines } = keepLog('info');
const opened: Metrics[] = [];
const connections: Connection[] = [];
const silent: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const metrics of opened) await metrics.close();
  for (const connection of connections) await connection.close();
  for (const end of silent) await end();
});

async function open(alongside?: () => Promise<string>): Promise<Metrics> {
  const metrics = await startMetrics({ host: LOOPBACK, port: 0, ...(alongside && { alongside }) }, log);
  opened.push(metrics);
  return metrics;
}

function clientAt(address: string): Client {
  const connection = Connection.lazy({ address });
  connections.push(connection);
  return new Client({ connection });
}

/** A server that accepts connections and never answers. */
async function openSilentDatabase() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  const sql = openDatabase(new Secret(`postgres://nobody@${LOOPBACK}:${port}/nothing`), {
    poolSize: 1,
    applicationName: 'tests',
  });
  silent.push(async () => {
    await sql.end({ timeout: 0 });
    server.close();
  });
  return sql;
}

/** The values of a scrape by series. */
async function scrape({ port }: Metrics): Promise<Record<string, number>> {
  const response = await fetch(`http://${LOOPBACK}:${port}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const samples = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('gauges of the whole service', () => {
  test('count the rows, and cache the result briefly', async ({ sql }) => {
    const app = await seedApp(sql);
    const { PROVIDER_A, PROVIDER_B, PROVIDER_C } = app.registrations;
    const connectionId = await seedConnection(sql, app, { scope: app.newScope() });
    await seedConnection(sql, app, { scope: app.newScope(), status: 'RECONNECT_REQUIRED' });
    await seedLookups(sql, app, connectionId, 2);
    const revokeJobId = await seedDisconnectJob(sql, app);
    await sql`
      update disconnect_job set status = 'RUNNING', last_failure = 'PROVIDER_UNAVAILABLE', first_failed_at = business_now()
      where job_id = ${revokeJobId}
    `;
    for (const hours of [1, 3])
      await sql`
        update disconnect_job set status = 'RUNNING', last_failure = 'PROVIDER_UNAVAILABLE',
          first_failed_at = business_now() - make_interval(hours => ${hours})
        where job_id = ${await seedDisconnectJob(sql, app, { provider: 'PROVIDER_A' })}
      `;
    // One worker was seen a moment ago, one is frozen, one has begun again under its name, and one has stopped on request.
    for (const [name, seconds, hasStopped] of [
      ['a:8081', 0, false],
      ['b:8081', 90, false],
      ['c:8081', 200, false],
      ['c:8081', 0, false],
      ['d:8081', 0, true],
    ] as const)
      await sql`
        insert into worker_presence (worker_id, place, name, seen_at, ended_at)
        select gen_random_uuid(), concat_ws('/', (select system_identifier from pg_control_system()), oid), ${name},
          now() - make_interval(secs => ${seconds}), case when ${hasStopped} then now() end
        from pg_database where datname = current_database()
      `;
    // A refused one that serves no app, and has no connection, affects no one.
    const spare = (await seedApp(sql)).registrations;
    await sql`delete from registration_app where registration_id in ${sql(Object.values(spare))}`;
    await sql`delete from registration where registration_id in ${sql([spare.PROVIDER_B, spare.PROVIDER_C])}`;
    await sql`update registration set rejected_at = business_now() where registration_id in ${sql([PROVIDER_A, spare.PROVIDER_A])}`;
    await sql`update registration set rejected_at = business_now(), paused_at = business_now() where registration_id = ${PROVIDER_C}`;
    await sql`update registration set quota_spent_until = business_now() + interval '1 day' where registration_id = ${PROVIDER_B}`;
    await moveClock(sql, 2 * HOUR_MS);
    await sql`insert into outbox (workflow_id, workflow_type, input, lane) values ('connect/1', 'connectAttempt', '{}', 2)`;
    await sql`insert into journal_entry (kind, id) values ('GRANT', ${randomUUID()})`;
    await sql`update connection set refresh_due_at = business_now() where provider = 'PROVIDER_B' and status = 'CONNECTED'`;
    await moveClock(sql, 90 * SECOND_MS);

    const metrics = await open();
    observeState(metrics.board, asWorker(sql), { keepsJournal: true });
    const shown = await scrape(metrics);
    expect(shown).toMatchObject({
      'accounts_connections{provider="PROVIDER_B",status="CONNECTED"}': 1,
      'accounts_connections{provider="PROVIDER_B",status="RECONNECT_REQUIRED"}': 1,
      'accounts_connections{provider="PROVIDER_C",status="CONNECTED"}': 0,
      'accounts_jobs_open{kind="LOOKUP",status="QUEUED"}': 2,
      'accounts_jobs_open{kind="REVOKE",status="RUNNING"}': 3,
      'accounts_jobs_open{kind="SCAN",status="QUEUED"}': 0,
      'accounts_jobs_stuck{kind="REVOKE"}': 3,
      'accounts_stuck_revokes{provider="PROVIDER_A"}': 2,
      'accounts_stuck_revokes{provider="PROVIDER_B"}': 1,
      'accounts_stuck_revokes{provider="PROVIDER_C"}': 0,
      'accounts_oldest_stuck_revoke_age_seconds{provider="PROVIDER_C"}': 0,
      accounts_webhook_failing_apps: 0,
      accounts_webhook_oldest_failing_age_seconds: 0,
      'accounts_jobs_stuck{kind="LOOKUP"}': 2,
      'accounts_registrations{provider="PROVIDER_A",state="rejected"}': 1,
      'accounts_registrations{provider="PROVIDER_A",state="usable"}': 0,
      'accounts_registrations{provider="PROVIDER_B",state="spent"}': 1,
      'accounts_registrations{provider="PROVIDER_C",state="rejected"}': 0,
      'accounts_registrations{provider="PROVIDER_C",state="paused"}': 1,
      'accounts_registrations{provider="PROVIDER_C",state="usable"}': 0,
      'accounts_refresh_oldest_due_age_seconds{provider="PROVIDER_A"}': 0,
      accounts_outbox_entries: 1,
      accounts_outbox_refused_entries: 0,
      'accounts_state_readable{source="postgres"}': 1,
    });
    for (const [series, seconds] of [
      ['accounts_outbox_oldest_age_seconds{lane="PERSON"}', 0],
      ['accounts_outbox_oldest_age_seconds{lane="REQUEST"}', 90],
      ['accounts_refresh_oldest_due_age_seconds{provider="PROVIDER_B"}', 90],
      ['accounts_journal_oldest_age_seconds', 90],
      ['accounts_oldest_stuck_revoke_age_seconds{provider="PROVIDER_A"}', 7_290 + 3 * 3_600],
      ['accounts_oldest_stuck_revoke_age_seconds{provider="PROVIDER_B"}', 7_290],
      ['accounts_worker_report_age_seconds{worker="a:8081"}', 0],
      ['accounts_worker_report_age_seconds{worker="b:8081"}', 90],
      ['accounts_worker_report_age_seconds{worker="c:8081"}', 0],
    ] as const) {
      expect(shown[series], series).toBeGreaterThanOrEqual(seconds);
      expect(shown[series], series).toBeLessThan(seconds + 60);
    }
    expect(shown).not.toHaveProperty(['accounts_worker_report_age_seconds{worker="d:8081"}']);

    await sql`delete from outbox`;
    expect((await scrape(metrics)).accounts_outbox_entries).toBe(1);
  });

  test('show the backlog of the workers', async () => {
    const client = clientAt(inject('temporalAddress'));
    const taskQueue = `nobody-${randomUUID()}`;
    await client.workflow.start('scan', { taskQueue, workflowId: randomUUID(), workflowExecutionTimeout: '1 minute' });
    const metrics = await open();
    observeTemporal(metrics.board, client, taskQueue);
    const age = `accounts_task_queue_backlog_age_seconds{queue="${taskQueue}",type="workflow"}`;
    await expect.poll(async () => (await scrape(metrics))[age]).toBeGreaterThan(0);
    const shown = await scrape(metrics);
    expect(shown[`accounts_task_queue_backlog{queue="${taskQueue}",type="workflow"}`]).toBe(1);
    expect(shown[`accounts_task_queue_backlog{queue="${taskQueue}-PROVIDER_C",type="activity"}`]).toBe(0);
  });

  test('are not repeated for a worker that is gone, nor for a source that no longer answers', async () => {
    const metrics = await open();
    const age = metrics.board.gauge('report_age', 'Age of a report');
    let names = ['a', 'b'];
    metrics.board.observe('pool', [age], async () => {
      if (names.length === 0) throw new Error('away');
      return names.map((name) => [age, 1, { name }] as const);
    });
    const show = async () => Object.keys(await scrape(metrics)).filter((series) => series.startsWith('report_age'));
    const both = ['report_age{name="a"}', 'report_age{name="b"}'];
    expect(await Promise.all([show(), show()])).toEqual([both, both]);
    names = ['b'];
    expect(await show()).toEqual(['report_age{name="b"}']);
    names = [];
    expect(await show()).toEqual([]);
  });

  test('are missing while their source is unreachable, which is reported; the others remain', async ({ sql }) => {
    const metrics = await open(() => Promise.reject(new Error('away')));
    observeState(metrics.board, await openSilentDatabase(), { keepsJournal: true });
    observePool(metrics.board, { size: sql.options.max, timeRoundTrip: async () => 0.001 });
    observeTemporal(metrics.board, clientAt(`${LOOPBACK}:1`), 'accounts');
    lines.length = 0;
    const shown = await scrape(metrics);
    expect(shown).toMatchObject({
      'accounts_state_readable{source="temporal"}': 0,
      'accounts_state_readable{source="postgres"}': 0,
      'accounts_state_readable{source="pool"}': 1,
      accounts_database_pool_size: 10,
    });
    expect(Object.keys(shown).filter((series) => /backlog|connections|jobs|outbox|journal/.test(series))).toEqual([]);
    const told = new Map(lines.map((line) => [JSON.parse(line).message, JSON.parse(line).error]));
    expect([...told.keys()].sort()).toEqual([
      'Gauges could not be read from Postgres',
      'Gauges could not be read from Temporal',
      "The worker library's metrics could not be read",
    ]);
    expect(told.get('Gauges could not be read from Postgres')).toEqual({
      name: 'LateSourceError',
      message: 'No answer within 4 seconds.',
    });
  });
});
