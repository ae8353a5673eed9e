import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { lastDays, Person } from '../test/kit/person.ts';
import type { TestService } from '../test/kit/service.ts';
import { stackTest } from '../test/kit/stack.ts';
import { seedConnections, seedGrantedConnections } from '../test/stack/many-people.ts';
import { operator } from '../test/stack/operator.ts';
import { startBareAccepts, startBareExchange, startBareWorker, TASK_QUEUE } from './bare/processes.ts';
import { compare } from './flows/compare.ts';
import { callAgain, findAccessToken } from './flows/plain-script.ts';
import {
  atOnce,
  type Connected,
  checkJob,
  connect,
  createApps,
  disconnectAll,
  disconnectMany,
  findPosts,
  launch,
  launchBare,
  runBare,
  watchJobs,
  watchProcessors,
} from './flows/stage.ts';
import { timed } from './flows/timed.ts';
import { leaveStuckRevokes } from './guard/stuck-revokes.ts';
import { median } from './measure.mjs';

/** PROVIDER_B has a high limit, to measure the service rather than the limit. PROVIDER_A has a low one, for a long backlog. */
const test = stackTest({
  adjustments: { LOG_LEVEL: 'warn', NODE_ENV: 'production', PROVIDER_B_CALLS_PER_SECOND: '1000' },
});
const SIZES = {
  quick: { rounds: 10, warmUps: 3, slices: 3, apps: 4, connections: 8, wave: 60, many: 100, waves: 1 },
  usual: { rounds: 30, warmUps: 5, slices: 6, apps: 6, connections: 40, wave: 200, many: 500, waves: 3 },
  full: { rounds: 60, warmUps: 8, slices: 12, apps: 6, connections: 60, wave: 200, many: 500, waves: 6 },
} as const;
const {
  rounds,
  warmUps,
  slices,
  apps: APPS,
  connections: CONNECTIONS,
  wave,
  many,
  waves,
} = SIZES[(process.env.BENCH_SIZE ?? 'usual') as keyof typeof SIZES];
const IN_FLIGHT = 50;
/** As many lookups as each app may have in flight. */
const LOOKUPS = 20;
const BUSY_APPS = 40;
const SINGLE_LOOKUPS = 15;
const perSecond = (count: number, ms: number) => (count / ms) * 1000;

let apps: TestService[] = [];
const connected: Connected[] = [];
let bare: Awaited<ReturnType<typeof startBareWorker>> | undefined;

/** Accounts that are connected to all apps in turn, with stored posts. */
async function getConnected(service: TestService): Promise<readonly Connected[]> {
  if (apps.length === 0) apps = await createApps(service, APPS);
  const missing = Array.from({ length: Math.max(0, CONNECTIONS - connected.length) }, (_, index) => index);
  await atOnce(missing, 4, async (index) => connected.push(await connect(apps[index % APPS] ?? service, 'PROVIDER_B')));
  return connected;
}

async function open(service: TestService) {
  bare ??= await startBareWorker(service);
  return { bare, processors: await watchProcessors(service, bare.pid) };
}
afterAll(async () => await bare?.stop());

test('connect', async ({ service }) => {
  const { bare: worker } = await open(service);
  const exchange = await startBareExchange(service);
  if (apps.length === 0) apps = await createApps(service, APPS);
  await compare(
    'From consent to COMPLETED',
    [
      { name: 'a workflow with two empty calls', once: () => timed(() => runBare(service, 'callTwice')) },
      {
        name: 'a server that exchanges in the request',
        once: async () => await timed(await launchBare(service, exchange.authorizeUrl)),
      },
      {
        name: 'connect an account',
        async once(round) {
          const { person, consent } = await launch(apps[Math.abs(round) % APPS] ?? service, 'PROVIDER_B');
          let connectionId = '';
          const ms = await timed(async () => {
            connectionId = await consent();
          });
          connected.push(await findPosts(person, connectionId)); // Its first scan must not disturb the next round.
          return ms;
        },
      },
    ],
    { unit: 'ms', rounds, warmUps, processors: await watchProcessors(service, worker.pid, exchange.pid) },
  );
  await exchange.stop();
});

test('scan', async ({ service }) => {
  const { processors } = await open(service);
  const accounts = await getConnected(service);
  const watch = watchJobs(service, 3);
  const { sandbox } = service;
  const token = await findAccessToken(service, accounts[0]?.connectionId ?? '');
  const ours = async (round: number) => {
    const { person, connectionId } = accounts[Math.abs(round) % accounts.length] as Connected;
    let id = '';
    const ms = await timed(async () => {
      // Another window each time, so that no scan joins an earlier one.
      const window = lastDays(80 + Math.random());
      ({ id } = await person.ask('requestRefresh', { connectionId, window }));
      await watch.ended(id);
    });
    await checkJob(person, connectionId, id);
    return ms;
  };
  sandbox.control.clearCalls();
  await ours(0);
  const calls = sandbox.control.calls({ provider: 'PROVIDER_B' });
  console.log(`\nOne scan makes ${calls.length} calls: ${calls.map(({ route }) => route).join(', ')}`);
  await compare(
    'A scan of 100 posts',
    [
      { name: 'a script with the same calls', once: () => timed(() => callAgain(service, token, calls)) },
      { name: 'scan, accepted to SUCCEEDED', once: ours },
    ],
    { unit: 'ms', rounds, warmUps, processors },
  );
});

test('metrics', async ({ service }) => {
  const { processors } = await open(service);
  const accounts = await getConnected(service);
  const watch = watchJobs(service, 20);
  let turn = 0;
  const refreshOne = async () => {
    turn += 1;
    const { person, connectionId, posts } = accounts[turn % accounts.length] as Connected;
    const { providerContentId } = posts[Math.floor(turn / accounts.length) % posts.length];
    const { id } = await person.ask('requestRefresh', { connectionId, providerContentId });
    await watch.ended(id);
    return { person, connectionId, id };
  };
  const jobs = Array.from({ length: wave });
  await compare(
    `Metrics jobs, ${IN_FLIGHT} in flight, accepted to SUCCEEDED`,
    [
      {
        name: 'workflows with one empty call',
        jobs: wave,
        once: async () =>
          perSecond(wave, await timed(() => atOnce(jobs, IN_FLIGHT, () => runBare(service, 'callOnce')))),
      },
      {
        name: 'metrics jobs',
        jobs: wave,
        async once() {
          const ended: Awaited<ReturnType<typeof refreshOne>>[] = [];
          const ms = await timed(() => atOnce(jobs, IN_FLIGHT, async () => ended.push(await refreshOne())));
          await atOnce(ended, 8, ({ person, connectionId, id }) => checkJob(person, connectionId, id));
          return perSecond(wave, ms);
        },
      },
    ],
    { unit: '/s', rounds: slices, warmUps: 1, processors },
  );
  await compare(
    'One metrics job',
    [
      { name: 'a workflow with one empty call', once: () => timed(() => runBare(service, 'callOnce')) },
      { name: 'a metrics job', once: () => timed(refreshOne) },
    ],
    { unit: 'ms', rounds, warmUps, processors },
  );
});

test('disconnect', async ({ service }) => {
  const { processors } = await open(service);
  if (apps.length === 0) apps = await createApps(service, APPS);
  const [app] = apps as [TestService];
  await compare(
    'From disconnect to both receipts',
    [
      { name: 'a workflow with one empty call', once: () => timed(() => runBare(service, 'callOnce')) },
      { name: 'disconnect', once: async () => await disconnectAll(app, await seedGrantedConnections(app, 1), 3) },
    ],
    { unit: 'ms', rounds, warmUps, processors },
  );
  await compare(
    `${many} disconnects at once, to all receipts`,
    [
      {
        name: 'workflows with one empty call',
        jobs: many,
        once: async () =>
          perSecond(
            many,
            await timed(() => Promise.all(Array.from({ length: many }, () => runBare(service, 'callOnce')))),
          ),
      },
      {
        name: 'disconnects',
        jobs: many,
        once: async () => perSecond(many, await disconnectMany(apps, many)),
      },
    ],
    { unit: '/s', rounds: waves, warmUps: 1, processors },
  );
});

test('retries', async ({ service }) => {
  const { bare, processors } = await open(service);
  const { workflow } = service.temporalClient;
  const ask = await operator(service);
  const { database, sandbox } = service;
  const handedOver: Record<string, number[]> = { bare: [], revokes: [] };
  await compare(
    `${many} waiting workflows retried at once, until all have called`,
    [
      {
        name: 'bare workflows',
        jobs: many,
        async once() {
          const ids = Array.from({ length: many }, () => randomUUID());
          await atOnce(ids, 100, (workflowId) =>
            workflow.start('callWhenWoken', { taskQueue: TASK_QUEUE, workflowId }),
          );
          await atOnce(ids, 100, (id) => workflow.getHandle(id).query('isWaiting'));
          bare.calls.length = 0;
          const since = Date.now();
          await atOnce(ids, 100, (id) => workflow.getHandle(id).signal('wake'));
          handedOver.bare?.push(Date.now() - since);
          await Promise.all(ids.map((id) => workflow.getHandle(id).result()));
          if (bare.calls.length !== many) throw new Error(`${bare.calls.length} calls`);
          return Math.max(...bare.calls) - since;
        },
      },
      {
        name: 'revokes',
        jobs: many,
        async once() {
          await leaveStuckRevokes(service, ask, { waiting: many, failed: 0 });
          const isEmpty = async (what: ReturnType<typeof database.sql>) => (await what).length === 0;
          const since = Date.now();
          await ask('mutation { retryJobs(filter: { stuck: true }) { count } }');
          await waitUntil(() => isEmpty(database.sql`select 1 from outbox limit 1`));
          handedOver.revokes?.push(Date.now() - since);
          await waitUntil(() =>
            isEmpty(database.sql`select 1 from disconnect_job where status in ('QUEUED', 'RUNNING') limit 1`),
          );
          const calls = sandbox.control.calls({ route: 'revoke' }).map(({ at }) => at - since);
          if (calls.length !== many) throw new Error(`${calls.length} calls`);
          return Math.max(...calls);
        },
      },
    ],
    { unit: 'ms', rounds: waves, warmUps: 0, processors },
  );
  console.log(`  all handed to Temporal after ${JSON.stringify(handedOver)} ms`);
});

/**
 * The backlog waits for PROVIDER_A's rate limit, by default 20 calls a second. Each single lookup is one of another app: one that
 * asks faster than its share of the rate has a backlog of its own.
 */
test('fairness', async ({ service }) => {
  const busy = await createApps(service, BUSY_APPS);
  const idle = await createApps(service, SINGLE_LOOKUPS);
  const watch = watchJobs(service, 5);
  const lookUp = async ({ person, connectionId, posts }: Connected, turn: number) => {
    const { canonicalUrl: url } = posts[turn % posts.length];
    const { id } = await person.ask('requestContentLookup', { connectionId, url });
    return { id, connectionId, person };
  };
  const singles: Connected[] = [];
  await atOnce(idle, 4, async (one) => singles.push(await connect(one, 'PROVIDER_A')));
  const accounts: Connected[] = [];
  await atOnce(busy, 4, async (one) => accounts.push(await connect(one, 'PROVIDER_A')));
  const timeSingles = async (turn: number) => {
    const taken: number[] = [];
    for (const single of singles) {
      let job: Awaited<ReturnType<typeof lookUp>> | undefined;
      taken.push(
        await timed(async () => {
          job = await lookUp(single, turn);
          await watch.ended(job.id);
        }),
      );
      if (job) await checkJob(job.person, job.connectionId, job.id);
      await delay(200);
    }
    return taken;
  };
  const alone = await timeSingles(0);
  const waiting: Awaited<ReturnType<typeof lookUp>>[] = [];
  await atOnce(accounts, 8, async (account) => {
    for (let index = 0; index < LOOKUPS; index += 1) waiting.push(await lookUp(account, index));
  });
  const beside = await timeSingles(1);
  const [row] = await service.database.sql`
    select count(*)::int as count from read_job where kind = 'LOOKUP' and status in ('QUEUED', 'RUNNING')
  `;
  if (row?.count === 0) throw new Error('The backlog ended before the last single lookup.');
  console.log(
    `\nA single lookup: p50 ${median(alone).toFixed(0)} ms alone, ${median(beside).toFixed(0)} ms while up to ${waiting.length} lookups of ${BUSY_APPS} apps wait (× ${(median(beside) / median(alone)).toFixed(2)}); ${row?.count} still wait at the end`,
  );
});

async function waitUntil(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await delay(10);
}

/** Deletes the entries and jobs of the bare program, which must not run. */
async function forgetBare({ database: { sql } }: TestService): Promise<void> {
  await sql`
    delete from read_job where job_id in (
      select (input->>'id')::uuid from outbox where next_retry_at = 'infinity' and workflow_type = 'requestRefresh'
    )
  `;
  await sql`delete from outbox where next_retry_at = 'infinity'`;
}

/**
 * Temporal is paused while requests are accepted, as on a machine of its own: otherwise it would compete with them for this
 * machine's processors. The processor time of deliveries is counted.
 */
test('accepts', async ({ service }) => {
  const bareAccepts = await startBareAccepts(service);
  const processors = await watchProcessors(service, bareAccepts.pid);
  const accounts = await getConnected(service);
  const isEmpty = async () => (await service.database.sql`select 1 from outbox limit 1`).length === 0;
  const isIdle = async () =>
    (await service.database.sql`select 1 from read_job where status in ('QUEUED', 'RUNNING') limit 1`).length === 0;
  async function held<T>(work: () => Promise<T>): Promise<T> {
    service.temporal.pause();
    try {
      return await work();
    } finally {
      service.temporal.resume();
      await forgetBare(service);
      await waitUntil(isEmpty);
      await waitUntil(isIdle);
    }
  }
  const postOf = ({ posts }: Connected, turn: number) => posts[turn % posts.length].providerContentId as string;
  /** Two posts of each account, so that no app has more jobs in flight than it may. */
  const refreshes = accounts.flatMap((account) => [0, 1].map((index) => ({ account, index }))).slice(0, APPS * 16);
  const [app] = apps as [TestService];
  const subjects = (count: number) => Array.from({ length: count }, () => `subject-${randomUUID()}`);
  const cases: Readonly<
    Record<string, { ours: () => Promise<(() => Promise<unknown>)[]>; bare: () => Promise<(() => Promise<unknown>)[]> }>
  > = {
    requestRefresh: {
      ours: async () =>
        refreshes.map(({ account, index }) => async () => {
          const { connectionId, person } = account;
          const job = await person.ask('requestRefresh', { connectionId, providerContentId: postOf(account, index) });
          if (job.status !== 'QUEUED') throw new Error('It joined another job.');
        }),
      bare: async () =>
        refreshes.map(({ account, index }, turn) => () => {
          const { appId } = (apps[turn % APPS] ?? app).app;
          const { connectionId } = account;
          return bareAccepts.accept({
            field: 'requestRefresh',
            appId,
            connectionId,
            providerContentId: postOf(account, index),
          });
        }),
    },
    createConnectSession: {
      ours: async () =>
        subjects(100).map(
          () => () => new Person(app).createSession('PROVIDER_B', { capabilities: ['PROFILE', 'CONTENT_LIST'] }),
        ),
      bare: async () =>
        subjects(100).map((subject) => () => {
          const { appId, tenantKey } = app.app;
          return bareAccepts.accept({ field: 'createConnectSession', appId, tenantKey, subject });
        }),
    },
    disconnectConnection: {
      ours: async () =>
        (await seedConnections(app, 100)).map((connectionId) => async () => {
          const person = new Person(app);
          const scope = { ...person.scope, externalSubjectId: connectionId };
          const { accepted } = await person.ask('disconnectConnection', { scope, connectionId });
          if (!accepted) throw new Error('Not accepted.');
        }),
      bare: async () =>
        (await seedConnections(app, 100)).map(
          (connectionId) => () =>
            bareAccepts.accept({ field: 'disconnectConnection', appId: app.app.appId, connectionId }),
        ),
    },
  };
  try {
    for (const [field, sides] of Object.entries(cases)) {
      const jobs = (await sides.ours()).length;
      const [rate, single] = [{ unit: '/s', atOnce: 16 } as const, { unit: 'ms', atOnce: 1 } as const].map(
        ({ unit, atOnce: most }) => ({
          unit,
          once: (side: 'ours' | 'bare') => async () => {
            const requests = await sides[side]();
            return await held(async () => {
              const taken: number[] = [];
              const ms = await timed(() => atOnce(requests, most, async (send) => taken.push(await timed(send))));
              return unit === '/s' ? perSecond(requests.length, ms) : median(taken);
            });
          },
        }),
      );
      for (const measured of [rate, single]) {
        if (measured === undefined) continue;
        const { unit, once } = measured;
        const how = unit === '/s' ? '16 at a time' : 'one at a time, median';
        await compare(
          `Accept ${field}, ${how}`,
          [
            { name: 'a bare program that commits the same rows', jobs, once: once('bare') },
            { name: field, jobs, once: once('ours') },
          ],
          { unit, rounds: slices, warmUps: 1, processors },
        );
      }
    }
  } finally {
    await bareAccepts.stop();
  }
});
