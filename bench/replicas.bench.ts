import { setTimeout as delay } from 'node:timers/promises';
import type { TestService } from '../test/kit/service.ts';
import { stackTest } from '../test/kit/stack.ts';
import { compare } from './flows/compare.ts';
import {
  atOnce,
  type Connected,
  checkJob,
  connect,
  createApps,
  disconnectMany,
  watchJobs,
  watchProcessors,
} from './flows/stage.ts';
import { timed } from './flows/timed.ts';

const test = stackTest({
  apis: 2,
  workers: 2,
  adjustments: { LOG_LEVEL: 'warn', NODE_ENV: 'production', PROVIDER_B_CALLS_PER_SECOND: '1000' },
});
const SIZES = {
  quick: { rounds: 2, jobs: 100, leaving: 60 },
  usual: { rounds: 5, jobs: 200, leaving: 200 },
  full: { rounds: 10, jobs: 400, leaving: 300 },
} as const;
const { rounds, jobs, leaving } = SIZES[(process.env.BENCH_SIZE ?? 'usual') as keyof typeof SIZES];
const APPS = 4;
const CONNECTIONS = 24;
const IN_FLIGHT = 50;
const SAMPLE_MS = 5;

const perSecond = (count: number, ms: number) => (count / ms) * 1_000;

/** Counts, every few ms, the wait events of the service's sessions in Postgres. */
function watchLocks({ database: { sql } }: TestService) {
  const waits = new Map<string, number>();
  let samples = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const rows = await sql`
        select distinct wait_event_type || ': ' || wait_event as lock from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and wait_event_type in ('Lock', 'LWLock')
      `;
      samples += 1;
      for (const { lock } of rows) waits.set(lock, (waits.get(lock) ?? 0) + 1);
      await delay(SAMPLE_MS);
    }
  })();
  return {
    /** @returns the share of the samples in which at least one session waited for a lock, by lock */
    async end(): Promise<string> {
      isOver = true;
      await watching;
      const shares = [...waits].sort(([, one], [, other]) => other - one);
      const words = shares.map(([lock, count]) => `${lock} ${((count / samples) * 100).toFixed(1)} %`);
      return `${words.join(', ') || 'none'} (of ${samples} samples)`;
    },
  };
}

test('replicas', async ({ service }) => {
  const { apis, workers } = service;
  const watchAll = await watchProcessors(service, process.pid);
  /** Of the servers that run all the time. */
  const processors = () => {
    const { temporal = 0, postgres = 0 } = watchAll();
    return { temporal, postgres };
  };
  const apps = await createApps(service, APPS);
  const [app] = apps as [TestService];
  const accounts: Connected[] = [];
  await atOnce([...Array(CONNECTIONS).keys()], 4, async (index) => {
    accounts.push(await connect(apps[index % APPS] ?? app, 'PROVIDER_B'));
  });
  const watch = watchJobs(service, 20);
  const seconds = [apis[1], workers[1]];
  const locks = { one: [] as string[], two: [] as string[] };
  /** A wave with one process of each kind, or with two. Starting and stopping them is not measured. */
  const side = (count: 'one' | 'two', wave: () => Promise<number>) => async () => {
    await Promise.all(seconds.map((part) => (count === 'one' ? part?.stop() : part?.isRunning || part?.start())));
    const watching = watchLocks(service);
    const value = await wave();
    locks[count].push(await watching.end());
    return value;
  };
  let turn = 0;
  const refresh = async () => {
    const ended: Parameters<typeof checkJob>[] = [];
    const ms = await timed(() =>
      atOnce(Array.from({ length: jobs }), IN_FLIGHT, async () => {
        turn += 1;
        const { person, connectionId, posts } = accounts[turn % CONNECTIONS] as Connected;
        const { providerContentId } = posts[Math.floor(turn / CONNECTIONS) % posts.length];
        const { id } = await person.ask('requestRefresh', { connectionId, providerContentId });
        await watch.ended(id);
        ended.push([person, connectionId, id]);
      }),
    );
    await atOnce(ended, 8, (job) => checkJob(...job));
    return perSecond(jobs, ms);
  };
  const leave = async () => perSecond(leaving, await disconnectMany(apps, leaving));
  const waves = {
    [`${jobs} metrics jobs`]: { wave: refresh, count: jobs },
    [`${leaving} disconnects`]: { wave: leave, count: leaving },
  };
  for (const [title, { wave, count }] of Object.entries(waves)) {
    const sides = (['one', 'two'] as const).map((name) => ({
      name: `${name} api and worker`.replace('two api and worker', 'two apis and workers'),
      jobs: count,
      once: side(name, wave),
    }));
    locks.one.length = 0;
    locks.two.length = 0;
    await compare(`${title} at once, with one and with two processes of each kind`, sides, {
      unit: '/s',
      rounds,
      warmUps: 1,
      processors,
    });
    for (const [name, shares] of Object.entries(locks))
      console.log(`  locks waited for with ${name}: ${shares.at(-1)}`);
  }
});
