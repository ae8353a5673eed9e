import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { inject, vi } from 'vitest';
import type { ConnectionId, WebhookEndpointId } from '../src/basics/ids.ts';
import { moveConnection } from '../src/store/connections/connections.ts';
import type { Database } from '../src/store/driver/sql.ts';
import { asWorker, createTestDatabase, type TestDatabase } from '../test/kit/postgres.ts';
import { test as stageTest, type WebhookStage } from '../test/worker/webhook-stage.ts';
import { startBareWorker, TASK_QUEUE } from './bare/processes.ts';
import { openBareSender } from './bare/webhook-sender.ts';
import { compare, type Side } from './flows/compare.ts';
import type { Processes } from './flows/stage.ts';
import { timed } from './flows/timed.ts';
import { cpuOf, cpuOfFamily, findListener, parentOf } from './measure.mjs';
import { openPerEvent } from './webhooks/per-event.ts';

/**
 * `many` events wait for one endpoint, for throughput, and `some` for each way. `dead` and `deadEach` deliveries wait for an endpoint
 * that does not answer: a workflow for each takes long to start.
 */
const SIZES = {
  quick: { rounds: 10, many: 1_000, some: 100, dead: 2_000, deadEach: 100, quietRounds: 1, changeRounds: 2 },
  usual: { rounds: 40, many: 5_000, some: 200, dead: 10_000, deadEach: 300, quietRounds: 1, changeRounds: 6 },
} as const;
const size = SIZES[process.env.BENCH_SIZE === 'quick' ? 'quick' : 'usual'];
const ROUNDS = { rounds: size.rounds, warmUps: 5 };
/** Endpoints of an app that get one event each, after a quiet time. */
const QUIET = 10;
/** Endpoints of an app that get many events side by side. */
const ENDPOINTS = 10;
/** Longer than a run waits for further events. */
const LINGER_MS = 32_000;

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 120_000, interval: 1 });

/** One way to send webhooks: its workers, and the rows and workflows that they work on. */
interface Way {
  readonly name: string;
  readonly sql: Database;
  readonly stage: WebhookStage;
}

/** The receivers whose connection is suspended now. */
const suspended = new WeakSet<object>();

/** From a commit to the arrival of its webhook. */
function tellOnce({ stage: { receiver, happen } }: Way, prepare: () => Promise<unknown> = async () => undefined) {
  return async () => {
    await prepare();
    const count = receiver.received.length;
    const status = suspended.has(receiver) ? 'CONNECTED' : 'SUSPENDED';
    if (!suspended.delete(receiver)) suspended.add(receiver);
    return await timed(async () => {
      await happen(status);
      await until(() => receiver.received.length > count);
    });
  };
}

/** As after the time for which a run waits for further events. */
const endRun = ({ stage: { client, endpointId } }: Way) =>
  client.workflow
    .getHandle(`webhooks/${endpointId}`)
    .terminate()
    .catch(() => undefined);

/** `count` events, each for all of these endpoints. */
const insertDeliveries = (
  { sql, stage: { appId } }: Way,
  endpointIds: readonly WebhookEndpointId[],
  count: number,
) => sql`
  with event as (
    insert into webhook_event (app_id, type, data)
    select ${appId}, 'job.finished', '{}' from generate_series(1, ${count}::int) returning event_id, app_id, type
  ), endpoint as (
    select endpoint_id from unnest(${[...endpointIds]}::uuid[]) as endpoint_id
  ), delivery as (
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type)
    select event_id, endpoint_id, app_id, type from event, endpoint
  )
  -- As the trigger of an event writes it.
  insert into webhook_wake (endpoint_id) select endpoint_id from endpoint
`;

/** The rate at which endpoints get their backlog: `each` for every one of them. */
const sendMany =
  (way: Way, each: number, endpointIds: readonly WebhookEndpointId[] = [way.stage.endpointId]) =>
  async () => {
    const { receiver } = way.stage;
    const before = receiver.received.length;
    const count = each * endpointIds.length;
    await insertDeliveries(way, endpointIds, each);
    way.stage.activityEnded();
    const ms = await timed(async () => {
      await until(() => receiver.received.length >= before + count);
    });
    return (count / ms) * 1_000;
  };

/** Sends one event to ten endpoints, and waits until the workflows have ended. Returns the time of the last delivery. */
const tellQuiet = (way: Way) => {
  const tell = tellOnce(way);
  return async () => {
    const before = way.stage.receiver.received.length;
    const ms = await timed(async () => {
      await tell();
      await until(() => way.stage.receiver.received.length >= before + QUIET);
    });
    await delay(LINGER_MS);
    return ms;
  };
};

/** The backlog of an endpoint that is down. */
async function addDead(way: Way, count: number): Promise<void> {
  const url = way.stage.receiver.url.replace(/\d+\/hooks/, '9/hooks'); // The discard port.
  const { endpointId } = await way.stage.addEndpoint(url, ['job.finished']);
  await insertDeliveries(way, [endpointId], count);
  const tried = async () => {
    const [row] = await way.sql`
      select count(*) filter (where tries = 0)::int as untried, max(failures) as failures
      from webhook_delivery d join webhook_endpoint e using (endpoint_id) where endpoint_id = ${endpointId}
    `;
    return row?.untried === 0 || (way.name === PER_ENDPOINT && row?.failures >= 5);
  };
  await vi.waitUntil(tried, { timeout: 240_000, interval: 100 });
}

/** Counts the runs of a stage's task queue, and the events of their histories. */
async function countHistory({
  client,
  taskQueue,
}: WebhookStage): Promise<{ runs: number; open: number; events: number }> {
  const sum = { runs: 0, open: 0, events: 0 };
  await delay(1_500); // Visibility lags behind.
  for await (const { status, historyLength } of client.workflow.list({ query: `TaskQueue = '${taskQueue}'` })) {
    sum.runs += 1;
    sum.open += status.name === 'RUNNING' ? 1 : 0;
    sum.events += historyLength;
  }
  return sum;
}

const PER_ENDPOINT = 'a workflow for each endpoint';
const PER_EVENT = 'a workflow for each event';

const test = stageTest.extend<{ ways: readonly [Way, Way] }>({
  ways: async ({ database, stage }, use) => {
    const other = await createTestDatabase();
    const otherStage = await openPerEvent(other);
    await use([
      { name: PER_ENDPOINT, sql: database.sql, stage },
      { name: PER_EVENT, sql: other.sql, stage: otherStage },
    ]);
    await otherStage.close();
    await other.drop();
  },
});

/** Runs the workers of both ways. */
const withBoth = <T>([one, other]: readonly [Way, Way], work: () => Promise<T>) =>
  one.stage.withWorkers(() => other.stage.withWorkers(work));

test('webhooks', { timeout: 900_000 }, async ({ database, ways, onTestFinished }) => {
  const [perEndpoint, perEvent] = ways;
  const bare = await startBareWorker({
    settings: { temporal: { TEMPORAL_ADDRESS: inject('temporalAddress') } },
  } as never);
  onTestFinished(() => bare.stop());
  const processors = await watch(database, bare.pid);
  const sideBySide = (title: string, sides: readonly Side[], { unit = 'ms', ...rounds }: Rounds) =>
    compare(title, sides, { ...rounds, unit, processors });
  const { client } = perEndpoint.stage;
  await withBoth(ways, async () => {
    const latencies: Side[] = [
      { name: 'a bare workflow with one empty call', once: () => timed(() => callOnce(client)) },
      ...ways.map((way) => ({ name: way.name, once: tellOnce(way) })),
      { name: `${PER_ENDPOINT}, after a quiet time`, once: tellOnce(perEndpoint, () => endRun(perEndpoint)) },
    ];
    await sideBySide('From a fact to its webhook', latencies, ROUNDS);

    await sideBySide(
      `${size.some} webhooks for one endpoint`,
      ways.map((way) => ({ name: way.name, once: sendMany(way, size.some), jobs: size.some })),
      { rounds: 3, warmUps: 1, unit: '/s' },
    );
    for (const way of ways) console.log(`  ${way.name}: ${JSON.stringify(await countHistory(way.stage))} so far`);
    console.log(`  ${size.many} with ${PER_ENDPOINT}: ${(await sendMany(perEndpoint, size.many)()).toFixed(0)}/s`);

    for (const [way, count] of [
      [perEndpoint, size.dead],
      [perEvent, size.deadEach],
    ] as const) {
      const before = processors();
      const ms = await timed(() => addDead(way, count));
      console.log(`\n${count} wait for a dead endpoint, ${way.name}: first tries after ${seconds(ms)} s`);
      console.log(`  processor ms: ${describe(subtract(processors(), before))}`);
      console.log(`  workflows: ${JSON.stringify(await countHistory(way.stage))}`);
    }
    await sideBySide('From a fact to its webhook, beside the dead endpoint', latencies, {
      rounds: size.rounds / 2,
      warmUps: 3,
    });
    const before = processors();
    await delay(10_000);
    console.log(`\nTen seconds of waiting, of all processes: ${describe(subtract(processors(), before))} ms`);
  });
});

test('webhooks of quiet endpoints', { timeout: 300_000 }, async ({ database, ways }) => {
  const processors = await watch(database);
  for (const { stage } of ways)
    for (let added = 1; added < QUIET; added += 1)
      await stage.addEndpoint(stage.receiver.url, ['connection.suspended', 'connection.resumed']);
  const sides = ways.map((way) => ({ name: way.name, once: tellQuiet(way), jobs: QUIET }));
  const title = `One event for each of ${QUIET} quiet endpoints, until the workflows have ended`;
  await withBoth(ways, () => compare(title, sides, { rounds: size.quietRounds, warmUps: 0, unit: 'ms', processors }));
});

test('webhooks of ten endpoints', { timeout: 300_000 }, async ({ database, ways: [way] }) => {
  const { receiver, endpointId, addEndpoint, withWorkers } = way.stage;
  const others = await Promise.all(
    Array.from({ length: ENDPOINTS - 1 }, (_, index) => addEndpoint(`${receiver.url}/${index}`, ['job.finished'])),
  );
  const endpointIds = [endpointId, ...others.map((other) => other.endpointId)];
  const sender = await openBareSender(
    database.sql,
    endpointIds.map((id) => `${receiver.url}/${id}`),
  );
  const jobs = size.some * ENDPOINTS;
  const sendBare = async () => {
    await sender.add(size.some);
    return (jobs / (await timed(sender.send))) * 1_000;
  };
  const sides = [
    { name: 'a loop over a table', once: sendBare, jobs },
    { name: PER_ENDPOINT, once: sendMany(way, size.some, endpointIds), jobs },
  ];
  const rounds = { rounds: size.changeRounds, warmUps: 1, unit: '/s' as const };
  const title = `${jobs} webhooks for ${ENDPOINTS} endpoints`;
  await withWorkers(async () => await compare(title, sides, { ...rounds, processors: await watch(database) }));
  await sender.close();
});

test('triggers of webhooks', { timeout: 300_000 }, async ({ database, ways: [perEndpoint] }) => {
  await measureTriggers(perEndpoint, await watch(database));
});

interface Rounds {
  readonly rounds: number;
  readonly warmUps: number;
  readonly unit?: 'ms' | '/s';
}

const callOnce = (client: Client) =>
  client.workflow.execute('callOnce', { taskQueue: TASK_QUEUE, workflowId: randomUUID(), args: [] });

/** Processor time so far. `worker` is this process: workers, dispatchers and receivers of both ways. */
async function watch({ sql }: TestDatabase, barePid?: number): Promise<() => Processes> {
  const temporal = findListener(Number(new URL(`http://${inject('temporalAddress')}`).port));
  const [row] = await sql`select pg_backend_pid() as pid`;
  const postmaster = parentOf(row?.pid);
  return () => ({
    worker: cpuOf(process.pid),
    ...(barePid === undefined ? {} : { bare: cpuOf(barePid) }),
    temporal: cpuOf(temporal),
    postgres: cpuOfFamily(postmaster),
  });
}

const subtract = (now: Processes, before: Processes): Processes =>
  Object.fromEntries(Object.entries(now).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
const describe = (processes: Processes) =>
  Object.entries(processes)
    .map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
    .join(', ');

/** Transactions that change a connection's status. */
const CHANGES = 500;
const changeStatuses = (sql: Database, connectionId: ConnectionId) =>
  timed(async () => {
    for (let i = 0; i < CHANGES / 2; i += 1)
      for (const status of ['SUSPENDED', 'CONNECTED'] as const)
        await moveConnection(asWorker(sql), connectionId, status);
  });

/** The cost of the triggers in a transaction that changes a status. No worker runs. */
async function measureTriggers({ sql, stage }: Way, processors: () => Processes): Promise<void> {
  const { appId, connectionId } = stage;
  const other = randomUUID();
  await sql`insert into app (app_id, name) values (${other}, 'Another app')`;
  const trigger = (on: boolean) =>
    `alter table connection ${on ? 'enable' : 'disable'} trigger connection_moved_webhook; truncate outbox;`;
  const endpoints = (app: string, types: string) =>
    `update webhook_endpoint set app_id = '${app}', event_types = '{${types}}'
     where endpoint_id = '${stage.endpointId}'`;
  await sql`delete from webhook_endpoint where endpoint_id <> ${stage.endpointId}`;
  const variants = {
    'without the trigger': trigger(false),
    'the app has no endpoint': trigger(true) + endpoints(other, 'job.finished'),
    'its endpoint wants other events': trigger(true) + endpoints(appId, 'job.finished'),
    'its endpoint wants this event': trigger(true) + endpoints(appId, 'connection.suspended,connection.resumed'),
  };
  const sides = Object.entries(variants).map(([name, prepare]) => ({
    name,
    jobs: CHANGES,
    once: async () => {
      await sql.unsafe(prepare);
      return await changeStatuses(sql, connectionId);
    },
  }));
  await compare(`${CHANGES} changes of a status, each a transaction`, sides, {
    rounds: size.changeRounds,
    warmUps: 1,
    unit: 'ms',
    processors,
  });
}
