import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { lastDays, PERMISSIONS, Person } from '../../test/kit/person.ts';
import { asWorker } from '../../test/kit/postgres.ts';
import { startTestService, type TestService } from '../../test/kit/service.ts';
import { openReceiver } from '../../test/kit/webhook-receiver.ts';
import { seedConnections, seedGrantedConnections } from '../../test/stack/many-people.ts';
import { operator } from '../../test/stack/operator.ts';
import { addEndpoint } from '../../test/stack/webhook-endpoint.ts';
import {
  atOnce,
  type Connected,
  checkJob,
  connect,
  createApps,
  disconnectAll,
  watchJobs,
  watchProcessors,
} from '../flows/stage.ts';
import { timed } from '../flows/timed.ts';
import type { Case, Stage, Turn } from './stage.ts';
import { leaveStuckRevokes } from './stuck-revokes.ts';

const APPS = 4;
const CONNECTIONS = 8;
/** Looks for the ends of jobs are part of Postgres' time. */
const LOOK_MS = 50;
/** Work after a flow, such as the end of its workflow, belongs to it. */
const CALM_MS = 250;
/** The work of one turn, each up to a second of processor time. */
const JOBS = { connects: 6, scans: 8, metrics: 24, disconnects: 10, retries: 16, webhooks: 40, accepts: 32 };

const waitUntil = async (check: () => Promise<boolean>): Promise<void> => {
  while (!(await check())) await delay(20);
};

/** The whole service of this version, with Temporal's development server and the sandbox. */
export async function openJobs(): Promise<Stage> {
  const service = await startTestService({
    adjustments: {
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      // It measures the service, not its limits.
      PROVIDER_B_CALLS_PER_SECOND: '1000',
      CONNECT_ATTEMPTS_PER_APP: '1000000',
    },
  });
  const receiver = await openReceiver();
  const stop = async () => {
    await receiver.close();
    await service.stop();
  };
  try {
    const cases = await prepareCases(service, receiver);
    return {
      open: (name) => cases[name]?.(),
      async restart() {
        const parts = [...service.apis, ...service.workers];
        await Promise.all(parts.map((part) => part.stop()));
        await Promise.all(parts.map((part) => part.start()));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareCases(service: TestService, receiver: Awaited<ReturnType<typeof openReceiver>>) {
  const { sql } = service.database;
  const processors = await watchProcessors(service, process.pid);
  const apps = await createApps(service, APPS);
  const [app] = apps as [TestService];
  const connected: Connected[] = [];
  const watch = watchJobs(service, LOOK_MS);
  const turnOf = { scan: 0, metrics: 0 };

  const isDelivered = async () => (await sql`select 1 from outbox limit 1`).length === 0;
  const isIdle = async () =>
    (
      await sql`
        select 1 from read_job where status in ('QUEUED', 'RUNNING')
        union all select 1 from disconnect_job where status in ('QUEUED', 'RUNNING') limit 1
      `
    ).length === 0;

  async function measure(jobs: number, work: () => Promise<unknown>, calm = true): Promise<Turn> {
    const before = processors();
    const ms = await timed(work);
    if (calm) {
      await waitUntil(isDelivered);
      await delay(CALM_MS);
    }
    const after = processors();
    const processorMs = Object.fromEntries(
      ['api', 'worker', 'postgres'].map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
    );
    return { jobs, ms, processorMs };
  }

  /** Accounts with stored posts, connected to all apps in turn. */
  async function getConnected(): Promise<readonly Connected[]> {
    const missing = Array.from({ length: CONNECTIONS - connected.length }, (_, index) => index);
    await atOnce(missing, 4, async (index) => {
      connected.push(await connect(apps[index % APPS] ?? app, 'PROVIDER_B'));
    });
    return connected;
  }

  /** Accepts while Temporal is paused: the later work is no part of it, and waits until its end. */
  async function accept(requests: readonly (() => Promise<unknown>)[]): Promise<Turn> {
    service.temporal.pause();
    try {
      return await measure(requests.length, () => atOnce(requests, 16, (send) => send()), false);
    } finally {
      service.temporal.resume();
      await waitUntil(isDelivered);
      await waitUntil(isIdle);
      await delay(CALM_MS);
    }
  }

  /** The consents of people at the platform's page, of an account without posts, until all attempts are COMPLETED. */
  async function connectAll(): Promise<Turn> {
    const people = await Promise.all(
      Array.from({ length: JOBS.connects }, async (_, index) => {
        const person = new Person(apps[index % APPS] ?? app);
        const session = await person.createSession('PROVIDER_B');
        return { person, session, page: await person.launch(session) };
      }),
    );
    const account = people[0]?.person.account('PROVIDER_B', /^No posts/) ?? '';
    return await measure(people.length, async () => {
      await atOnce(people, 2, async ({ person, session, page }) => {
        await person.agree(page, account, PERMISSIONS.PROVIDER_B);
        await waitUntil(async () => {
          const [row] = await sql`select status from connect_attempt where attempt_id = ${session.id}`;
          if (row?.status === 'FAILED') throw new Error('An attempt has failed.');
          return row?.status === 'COMPLETED';
        });
      });
    });
  }

  /** Refreshes, each of them a new job, and reads their ends through the api afterwards. */
  async function refreshAll(count: number, many: number, variablesOf: (account: Connected) => object): Promise<Turn> {
    const ended: { person: Person; connectionId: string; id: string }[] = [];
    const jobs = Array.from({ length: count }, (_, index) => connected[index % connected.length] as Connected);
    const turn = await measure(count, () =>
      atOnce(jobs, many, async (account) => {
        const { person, connectionId } = account;
        const { id } = await person.ask('requestRefresh', { connectionId, ...variablesOf(account) });
        await watch.ended(id);
        ended.push({ person, connectionId, id });
      }),
    );
    await atOnce(ended, 8, ({ person, connectionId, id }) => checkJob(person, connectionId, id));
    return turn;
  }

  const cases: Readonly<Record<string, () => Promise<Case>>> = {
    'accepts requestRefresh': async () => {
      const accounts = await getConnected();
      const each = Array.from({ length: JOBS.accepts / CONNECTIONS }, (_, index) => index);
      return () =>
        accept(
          accounts.flatMap(({ person, connectionId, posts }) =>
            each.map((index) => async () => {
              const { providerContentId } = posts[index];
              const { status } = await person.ask('requestRefresh', { connectionId, providerContentId });
              if (status !== 'QUEUED') throw new Error('It joined another job.');
            }),
          ),
        );
    },
    'accepts createConnectSession': async () => () =>
      accept(Array.from({ length: 2 * JOBS.accepts }, () => () => new Person(app).createSession('PROVIDER_B'))),
    'accepts disconnectConnection': async () => async () => {
      const ids = await seedConnections(app, JOBS.accepts);
      return await accept(
        ids.map((connectionId) => async () => {
          const person = new Person(app);
          const scope = { ...person.scope, externalSubjectId: connectionId };
          const { accepted } = await person.ask('disconnectConnection', { scope, connectionId });
          if (!accepted) throw new Error('Not accepted.');
        }),
      );
    },
    connect: async () => connectAll,
    scan: async () => {
      await getConnected();
      return () =>
        refreshAll(JOBS.scans, 4, () => {
          turnOf.scan += 1;
          return { window: lastDays(80 + turnOf.scan / 10_000) }; // Another window each time: no scan joins an earlier one.
        });
    },
    metrics: async () => {
      await getConnected();
      return () =>
        refreshAll(JOBS.metrics, 16, ({ posts }) => {
          turnOf.metrics += 1;
          const { providerContentId } = posts[Math.floor(turnOf.metrics / CONNECTIONS) % posts.length];
          return { providerContentId };
        });
    },
    disconnect: async () => async () => {
      const ids = await seedGrantedConnections(app, JOBS.disconnects);
      return await measure(ids.length, () => disconnectAll(app, ids, LOOK_MS));
    },
    retries: async () => {
      const ask = await operator(service);
      return async () => {
        await leaveStuckRevokes(service, ask, { waiting: JOBS.retries, failed: 0 });
        return await measure(JOBS.retries, async () => {
          await ask('mutation { retryJobs(filter: { stuck: true }) { count } }');
          await waitUntil(isDelivered);
          await waitUntil(isIdle);
        });
      };
    },
    webhooks: async () => {
      await addEndpoint(app, receiver.url, ['connection.suspended', 'connection.resumed']);
      const ids = await seedConnections(app, JOBS.webhooks);
      let status: 'SUSPENDED' | 'CONNECTED' = 'CONNECTED';
      return async () => {
        status = status === 'CONNECTED' ? 'SUSPENDED' : 'CONNECTED';
        const arrived = receiver.received.length + ids.length;
        return await measure(ids.length, async () => {
          await atOnce(ids, 8, (id) => moveConnection(asWorker(sql), id as ConnectionId, status));
          await waitUntil(async () => receiver.received.length >= arrived);
        });
      };
    },
  };
  return cases;
}
