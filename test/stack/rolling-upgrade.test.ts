import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import proto from '@temporalio/proto';
import { describe, vi } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { createCommandEnvironment, createWorkerService, ROOT } from '../../local/src/services.ts';
import { FAILING_WORKFLOWS, RETRY_NOW } from '../../src/workflows/contract.ts';
import { PROGRAM } from '../kit/built.ts';
import type { Answer } from '../kit/graphql.ts';
import { lastDays, PERMISSIONS, Person } from '../kit/person.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { bundleWorkflows } from '../kit/temporal.ts';
import { NEXT_PATCH } from '../workflows/next-workflows.ts';
import { seedConnections } from './many-people.ts';
import { operator } from './operator.ts';

/** `npm run test:upgrade` opens 500. */
const OPEN = Number(process.env.OPEN_WORKFLOWS);
const SCANS = Math.min(20, OPEN / 10);
const ATTEMPTS = 2 * Math.floor(OPEN / 10);
const REVOKES = OPEN - SCANS - ATTEMPTS;
const CALLERS = 2;
const AT_ONCE = 10;
const PATIENT = { timeout: 240_000, interval: 100 };
/** A flow of the load may take so long at most, while workers come and go beside it. */
const STALLED_MS = 60_000;

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;
/** A worker lost a task, or a signal came in between: Temporal repeats it at once. */
const HARMLESS = ['WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND', 'WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE'];

const test = stackTest({
  adjustments: {
    ...Object.fromEntries(['A', 'B', 'C'].map((name) => [`PROVIDER_${name}_CALLS_PER_SECOND`, '1000'])),
    LOG_LEVEL: 'warn',
  },
});

/** Workers of one build beside those of the service. */
async function openBuilds(service: TestService) {
  const run = await openRunFolder();
  const parts: Part[] = [];
  const { settings, database } = service;
  const bundle = async (name: string) => {
    const file = path.join(run.folder, `${path.basename(name, '.ts')}.js`);
    writeFileSync(file, (await bundleWorkflows(path.join(ROOT, name))).code);
    return file;
  };
  const [next, versioned] = [
    await bundle('test/workflows/next-workflows.ts'),
    await bundle('test/workflows/next-versioned-workflows.ts'),
  ];
  return {
    next: { WORKFLOW_BUNDLE: next },
    taking: { WORKFLOW_BUNDLE: next, WORKFLOW_PATCHES: NEXT_PATCH },
    version: (WORKER_BUILD_ID: string) => ({
      WORKFLOW_BUNDLE: versioned,
      WORKFLOW_PATCHES: NEXT_PATCH,
      WORKER_BUILD_ID,
    }),
    async start(variables: Record<string, string> = {}): Promise<Part> {
      const workerHealth = await findFreePort();
      const databaseUrl = database.urls.worker;
      const { env, ...worker } = createWorkerService({
        ...settings,
        databaseUrl,
        ports: { ...settings.ports, workerHealth },
      });
      const name = `worker-${parts.length + 2}`;
      const part = new Part({ ...worker, name, env: { ...env, ...variables } }, run);
      parts.push(part);
      await part.start();
      return part;
    },
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      run.remove();
    },
    get logs() {
      return parts.map((part) => part.log).join('');
    },
  };
}

/** An operator's command, as a process of the built program. */
async function type({ settings }: TestService, ...args: string[]): Promise<Answer> {
  const env = { ...createCommandEnvironment(settings), PATH: process.env.PATH ?? '' };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, '--json'], { env });
  return JSON.parse(stdout);
}

/** Some at a time: the test opens workflows, it does not overload the api. */
async function mapSome<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (let begun = 0; begun < items.length; begun += AT_ONCE)
    results.push(...(await Promise.all(items.slice(begun, begun + AT_ONCE).map(work))));
  return results;
}

/** Workflows that wait: for a person, for the next try of a revoke, or for the next try of a scan. */
async function openWorkflows(service: TestService) {
  const { database, sandbox } = service;
  const { sql } = database;
  const ask = await operator(service);
  const client = service.temporalClient.workflow;
  const outage = { kind: 'status', status: 503, retryAfterSeconds: 600 } as const;

  const newPeople = (length: number) => Array.from({ length }, () => new Person(service));
  const scanning = await mapSome(newPeople(SCANS), async (person) => {
    const { connectionId } = await person.connect('PROVIDER_A', person.account('PROVIDER_A', /^250 posts/));
    await person.synced(connectionId);
    return { person, connectionId };
  });
  const faults = [
    sandbox.control.addFault({ provider: 'PROVIDER_B', route: 'revoke', what: outage, times: null }),
    sandbox.control.addFault({ provider: 'PROVIDER_A', route: 'playlistItems', what: outage, times: null }),
  ];
  const scans = await mapSome(scanning, async ({ person, connectionId }) => {
    const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(80) });
    return { person, connectionId, id: String(id) };
  });
  await seedConnections(service, REVOKES);
  const [registration] = await sql`select registration_id from registration where provider = 'PROVIDER_B'`;
  await ask('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { bulkDisconnect { id } } }', {
    i: { registrationId: registration?.registrationId },
  });
  const begin = async (count: number) =>
    await mapSome(newPeople(count), async (person) => ({ person, session: await person.createSession('PROVIDER_C') }));
  const attempts = await begin(ATTEMPTS);
  const countTried = async (tries: number) => {
    const [row] = await sql`
      select (select count(*) from disconnect_job where kind = 'REVOKE' and finished_at is null and tries >= ${tries}
          and next_retry_at > business_now())::int as revokes,
        (select count(*) from read_job where finished_at is null and tries >= ${tries}
          and next_retry_at > business_now())::int as scans
    `;
    return row as { revokes: number; scans: number };
  };
  const awaitTries = (tries: number) =>
    vi.waitUntil(async () => {
      const tried = await countTried(tries);
      return tried.revokes === REVOKES && tried.scans === SCANS;
    }, PATIENT);
  await awaitTries(1);
  const jobs = await sql`select job_id, kind, connection_id from disconnect_job where finished_at is null`;
  const waiting = [
    ...jobs.flatMap(({ kind, connectionId }) => (kind === 'REVOKE' ? [`disconnect/${connectionId}`] : [])),
    ...scans.map(({ id }) => `scan/${id}`),
  ];
  let tries = 1;
  return {
    /** Each waiting workflow takes its next step, on the workers of the moment, and waits again. */
    async step() {
      tries += 1;
      await Promise.all(waiting.map((id) => client.getHandle(id).signal(RETRY_NOW)));
      await awaitTries(tries);
    },
    /** Half of the people come back from the platform, and as many others leave for it. @returns their attempts' outcomes. */
    async comeBack() {
      const statuses = await mapSome(attempts.splice(0, ATTEMPTS / 2), async ({ person, session }) => {
        const account = person.account('PROVIDER_C', /^40 posts/);
        await person.agree(await person.launch(session), account, PERMISSIONS.PROVIDER_C);
        return (await person.outcome(session.id)).status;
      });
      attempts.push(...(await begin(ATTEMPTS / 2)));
      return new Set(statuses);
    },
    /** The platforms work again. @returns the ends of all revokes, erases and scans. */
    async end() {
      for (const { id } of faults) sandbox.control.removeFault(id);
      await Promise.all(waiting.map((id) => client.getHandle(id).signal(RETRY_NOW)));
      const jobIds = jobs.map(({ jobId }) => jobId);
      const count = async () =>
        await sql`
          select kind, status, count(*)::int as count from disconnect_job
          where job_id = any(${jobIds}) group by 1, 2 order by 1
        `;
      await vi.waitUntil(async () => (await count()).every(({ status }) => status === 'SUCCEEDED'), PATIENT);
      const read = await mapSome(
        scans,
        async ({ person, connectionId, id }) => (await person.ended(connectionId, id)).status,
      );
      return { jobs: await count(), scans: new Set(read) };
    },
  };
}

/** People who connect, scan and disconnect all the time. */
function startLoad(service: TestService) {
  let isOver = false;
  const ms: number[] = [];
  const odd: string[] = [];
  const begin = async () => {
    while (!isOver) {
      const person = new Person(service);
      const startedAt = performance.now();
      const attempt = await person.connect('PROVIDER_C', person.account('PROVIDER_C', /^40 posts/));
      if (attempt.status !== 'COMPLETED') odd.push(`attempt ${attempt.status} ${attempt.resultCode}`);
      const { connectionId } = attempt;
      const { syncStatus } = await person.synced(connectionId);
      if (syncStatus !== 'READY' && syncStatus !== 'PARTIAL') odd.push(`scan ${syncStatus}`);
      const { revoke, erase } = await person.disconnect(connectionId);
      for (const { status } of [revoke, erase]) if (status !== 'SUCCEEDED') odd.push(`receipt ${status}`);
      ms.push(performance.now() - startedAt);
    }
  };
  const running = Promise.all(
    Array.from({ length: CALLERS }, () => begin().catch((error: unknown) => void odd.push(String(error)))),
  );
  return {
    odd,
    /** The durations since the last call. */
    takeDurations: () => ms.splice(0),
    async end() {
      isOver = true;
      await running;
    },
  };
}

/** Workflow tasks that failed in any run: a defect, or a history that does not replay. */
async function listFailedTasks({ temporalClient: { workflow } }: TestService): Promise<string[]> {
  const failed: string[] = [];
  for await (const { workflowId, runId } of workflow.list({ query: 'WorkflowType != "sweep"' })) {
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: task } of events ?? []) {
      const cause = task ? (WorkflowTaskFailedCause[task.cause ?? 0] ?? '') : '';
      if (task && !HARMLESS.includes(cause)) failed.push(`${workflowId}: ${cause} ${task.failure?.message}`);
    }
  }
  return failed;
}

describe(`a rolling upgrade with changed workflows, and the way back, with ${OPEN} open workflows and load`, () => {
  test('fails none and stalls none', { timeout: 1_500_000 }, async ({ service, expect, onTestFinished }) => {
    const { temporalClient } = service;
    const builds = await openBuilds(service);
    onTestFinished(builds.close);
    const [old] = service.workers;
    const open = await openWorkflows(service);
    const load = startLoad(service);
    const count = async (query: string) => (await temporalClient.workflow.count(query)).count;
    const table: object[] = [];
    const phase = async (name: string, change: () => Promise<void>) => {
      const startedAt = performance.now();
      load.takeDurations();
      await change();
      const changed = performance.now();
      await open.step();
      expect(await open.comeBack()).toEqual(new Set(['COMPLETED']));
      const durations: number[] = [];
      await vi.waitUntil(() => {
        durations.push(...load.takeDurations());
        return durations.length >= CALLERS || load.odd.length > 0;
      }, PATIENT);
      expect(await count(FAILING_WORKFLOWS)).toBe(0);
      expect(load.odd).toEqual([]);
      expect(Math.max(0, ...durations), name).toBeLessThan(STALLED_MS);
      const seconds = (ms: number) => Number((ms / 1_000).toFixed(1));
      table.push({
        phase: name,
        'change, s': seconds(changed - startedAt),
        'all waiting ones tried, s': seconds(performance.now() - changed),
        flows: durations.length,
        'longest flow, s': seconds(Math.max(0, ...durations)),
      });
    };
    /** Replaces workers one by one, as a Deployment does: the new one is ready before an old one stops. */
    const replace = async (those: readonly (Part | undefined)[], variables: Record<string, string>) => {
      const made: Part[] = [];
      for (const part of those) {
        made.push(await builds.start(variables));
        await part?.stop();
      }
      return made;
    };
    const promote = (build: string) => type(service, 'workers', 'promote', '--build', build);

    let workers: readonly (Part | undefined)[] = [old, await builds.start()];
    await phase('rolling upgrade', async () => {
      workers = await replace(workers, builds.next);
    });
    await phase('rollback', async () => {
      workers = await replace(workers, {});
    });
    await phase('rolling upgrade again', async () => {
      workers = await replace(workers, builds.next);
    });
    await phase('the patch is taken', async () => {
      workers = await replace(workers, builds.taking);
    });
    await phase('first versioned build', async () => {
      await builds.start(builds.version('1'));
      expect(await promote('1')).toMatchObject({ currentBuild: '1', previousBuild: null });
      for (const part of workers) await part?.stop();
    });
    await phase('next versioned build', async () => {
      await builds.start(builds.version('2'));
      expect(await promote('2')).toMatchObject({ currentBuild: '2', previousBuild: '1' });
    });
    await phase('back to the earlier build', async () => {
      expect(await promote('1')).toMatchObject({ currentBuild: '1', previousBuild: '2' });
    });
    for (let half = 0; half < 2; half += 1) expect(await open.comeBack()).toEqual(new Set(['COMPLETED']));
    await load.end();
    expect(load.odd).toEqual([]);
    expect(await open.end()).toEqual({
      jobs: [
        { kind: 'ERASE', status: 'SUCCEEDED', count: REVOKES },
        { kind: 'REVOKE', status: 'SUCCEEDED', count: REVOKES },
      ],
      scans: new Set(['SUCCEEDED']),
    });
    const states = (await type(service, 'workers', 'list')) as unknown as { buildId: string; status: string }[];
    expect(states).toMatchObject([
      { buildId: '2', status: expect.stringMatching(/^DRAIN(ING|ED)$/) },
      { buildId: '1', status: 'CURRENT' },
    ]);
    await vi.waitUntil(
      async () => (await count('ExecutionStatus = "Running" AND WorkflowType = "disconnect"')) === 0,
      PATIENT,
    );
    expect(await count('ExecutionStatus IN ("Failed", "TimedOut", "Terminated")')).toBe(0);
    expect(await listFailedTasks(service)).toEqual([]);
    console.table(table);
  });
});
