import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProviderName } from '../../src/basics/codes.ts';
import { type Answer, Refusal } from '../../test/kit/graphql.ts';
import { lastDays, PERMISSIONS, Person } from '../../test/kit/person.ts';
import type { Part } from '../../test/kit/processes.ts';
import type { TestService } from '../../test/kit/service.ts';
import { seedGrantedConnections } from '../../test/stack/many-people.ts';
import { TASK_QUEUE } from '../bare/processes.ts';
import { cpuOf, cpuOfFamily, parentOf } from '../measure.mjs';
import { timed } from './timed.ts';

const POSTS: Readonly<Record<ProviderName, RegExp>> = {
  PROVIDER_A: /posts/,
  PROVIDER_B: /^250 posts/,
  PROVIDER_C: /posts/,
};

/** A connected account with stored posts. */
export interface Connected {
  readonly person: Person;
  readonly connectionId: string;
  /** The provider's ids of up to 50 posts. */
  readonly posts: readonly Answer[];
}

/** Creates apps that share nothing with the service's first one, so that no app reaches its limit of jobs in flight. */
export async function createApps(service: TestService, count: number): Promise<TestService[]> {
  const apps: TestService[] = [];
  for (let index = 0; index < count; index += 1) {
    const { returnUrl, identityReturnUrl } = service.app;
    const app = await service.commandLine.createApp({
      tenantKey: `tenant-${randomUUID()}`,
      returnUrl,
      identityReturnUrl,
    });
    apps.push({ ...service, app });
  }
  // No request may hit a rate limit, neither ours nor the platform's: a job would wait for a minute.
  await service.database.sql`update app set requests_per_second = 1000000`;
  service.sandbox.control.changeSettings({ b: { callsPerMinute: 1_000_000 } });
  return apps;
}

/** A person at the platform's consent page. `consent` sends it, and ends when the attempt is COMPLETED. */
export async function launch(service: TestService, provider: ProviderName) {
  const person = new Person(service);
  const account = person.account(provider, POSTS[provider]);
  const session = await person.createSession(provider);
  const page = await person.launch(session);
  return {
    person,
    async consent(): Promise<string> {
      await person.agree(page, account, PERMISSIONS[provider]);
      return await until(async () => {
        const { status, connectionId } = await person.ask('connectSessionResult', { id: session.id });
        if (status === 'FAILED') throw new Error('An attempt has failed.');
        return status === 'COMPLETED' && connectionId;
      });
    },
  };
}

/** The same page before a server that exchanges the code inside the callback request: `consent` ends with its answer. */
export async function launchBare(service: TestService, authorizeUrl: string) {
  const person = new Person(service);
  const account = person.account('PROVIDER_B', POSTS.PROVIDER_B);
  const page = await person.browser.open(authorizeUrl);
  return async (): Promise<void> => {
    const { url, html } = await person.agree(page, account, PERMISSIONS.PROVIDER_B);
    if (html !== 'connected') throw new Error(`Not connected: ${url} ${html}`);
  };
}

/** Connects an account and waits for its first scan. */
export async function connect(service: TestService, provider: ProviderName): Promise<Connected> {
  const { person, consent } = await launch(service, provider);
  const connectionId = await consent();
  return await findPosts(person, connectionId);
}

/** Waits for the first scan of a connection. */
export async function findPosts(person: Person, connectionId: string): Promise<Connected> {
  await until(async () => ['READY', 'PARTIAL'].includes((await person.connection(connectionId)).syncStatus));
  const { items } = await person.ask('content', { connectionId, window: { ...lastDays(89), first: 50 } });
  return { person, connectionId, posts: items };
}

/** Twenty accounts that connect at a platform with a low limit wait for each other. */
const PATIENCE_MS = 300_000;

async function until<T>(check: () => Promise<T | false>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await check();
    if (found !== false) return found;
    if (Date.now() > giveUpAt) throw new Error('It takes too long.');
    await delay(5);
  }
}

/**
 * Waits for the ends of jobs with one statement for all of them, since polling through the api would measure the api.
 * `check` the answers afterwards.
 */
export function watchJobs({ database: { sql } }: TestService, everyMs: number) {
  const waiting = new Map<string, { resolve(): void; reject(reason: unknown): void }>();
  let looking = false;
  async function look(): Promise<void> {
    looking = true;
    try {
      while (waiting.size > 0) {
        const ids = [...waiting.keys()];
        const rows = await sql`
          select job_id from read_job where job_id = any(${ids}) and finished_at is not null
          union all select job_id from disconnect_job where job_id = any(${ids}) and finished_at is not null
        `;
        for (const { jobId } of rows) {
          waiting.get(jobId)?.resolve();
          waiting.delete(jobId);
        }
        await delay(everyMs);
      }
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
    } finally {
      looking = false;
    }
  }
  return {
    ended: (jobId: string): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.set(jobId, { resolve, reject });
        if (!looking) void look();
      }),
  };
}

/** @throws unless the caller reads the job as SUCCEEDED. */
export async function checkJob(person: Person, connectionId: string, id: string): Promise<Answer> {
  const job = await person.ask('syncJob', { connectionId, id });
  if (job.status !== 'SUCCEEDED') throw new Error(`A job has ended ${job.status} (${job.errorCode}).`);
  return job;
}

/** Runs `work` for each item, `many` at a time. */
export async function atOnce<T>(items: readonly T[], many: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: many }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** Runs a bare workflow to its end. */
export const runBare = ({ temporalClient }: TestService, workflow: 'callOnce' | 'callTwice') =>
  temporalClient.workflow.execute(workflow, { taskQueue: TASK_QUEUE, workflowId: randomUUID() });

export type Processes = Readonly<Record<string, number>>;

/** Reads the processor time of each process so far, in ms. `load` sends requests and is the sandbox. */
export async function watchProcessors(service: TestService, ...barePids: readonly number[]): Promise<() => Processes> {
  const { apis, workers, temporal, database } = service;
  const [row] = await database.sql`select pg_backend_pid() as pid`;
  const postmaster = parentOf(row?.pid);
  const sum = (parts: readonly Part[]) =>
    parts.reduce((ms, { pid, isRunning }) => ms + (pid !== undefined && isRunning ? cpuOf(pid) : 0), 0);
  return () => ({
    api: sum(apis),
    worker: sum(workers),
    bare: barePids.reduce((ms, pid) => ms + cpuOf(pid), 0),
    temporal: sum([temporal]),
    postgres: cpuOfFamily(postmaster),
    load: cpuOf(process.pid),
  });
}

/** Asks again while the api is too busy to answer, as callers do. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'UPSTREAM_UNAVAILABLE') throw error;
    }
  }
}

/** Disconnects the connections of seeded people, and checks both receipts of each. @returns ms to the last receipt. */
export async function disconnectAll(service: TestService, ids: readonly string[], everyMs: number): Promise<number> {
  const watch = watchJobs(service, everyMs);
  const person = new Person(service);
  const ended: { scope: object; connectionId: string; jobIds: readonly string[] }[] = [];
  const ms = await timed(async () => {
    await Promise.all(
      ids.map(async (connectionId) => {
        const scope = { ...person.scope, externalSubjectId: connectionId };
        const { revokeJobId, eraseJobId } = await untilAnswered(() =>
          person.ask('disconnectConnection', { scope, connectionId }),
        );
        const jobIds = [revokeJobId, eraseJobId];
        await Promise.all(jobIds.map((id) => watch.ended(id)));
        ended.push({ scope, connectionId, jobIds });
      }),
    );
  });
  await atOnce(ended, 8, async ({ scope, connectionId, jobIds }) => {
    for (const id of jobIds) {
      const { status } = await person.ask('syncJob', { scope, connectionId, id });
      if (status !== 'SUCCEEDED') throw new Error(`A receipt is ${status}.`);
    }
  });
  return ms;
}

/**
 * Disconnects many people at once. Each app has a share of them: the api refuses an app's requests beyond 200 that wait.
 * @returns ms to the last receipt
 */
export async function disconnectMany(apps: readonly TestService[], count: number): Promise<number> {
  const shares = await Promise.all(
    apps.map(async (app, index) => {
      const share = Math.floor((count + index) / apps.length);
      return { app, ids: await seedGrantedConnections(app, share) };
    }),
  );
  return Math.max(...(await Promise.all(shares.map(({ app, ids }) => disconnectAll(app, ids, 25)))));
}
