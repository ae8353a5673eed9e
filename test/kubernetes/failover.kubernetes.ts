// The installation on a Postgres with a standby, behind a Service that leads to the primary. The oracle is docs/failover.md.
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../clients/typescript/src/index.ts';
import type { Sandbox } from '../../clients/typescript/src/sandbox.ts';
import { Database } from './database.ts';
import { evict, kubectl, podsOf, readyPodsOf, tryKubectl, waitFor } from './kubectl.ts';
import { Node } from './node.ts';
import { CONNECT } from './parts.ts';
import { openFolder, typeInstall } from './readme.ts';
import {
  connectMember,
  countEndpoints,
  type Job,
  listUnready,
  type Member,
  openStage,
  type Stage,
  stopAutoscaling,
} from './stage.ts';
import { type Client, disconnect, openClient, openSandbox, reachProxy, setUpApp } from './usage.ts';

/** Of docs/failover.md: after a primary answers, requests are answered and work goes on within so many seconds. */
const ANSWER_SECONDS = 2;
const JOB_SECONDS = 5;
/** What the job itself takes on a slow machine. */
const JOB_TAKES_SECONDS = 5;
/** Kubernetes asks `/readyz` every other second, and tells its nodes a second later. */
const PROBE_SECONDS = 3;

const rows: string[] = [];
const sandbox: Sandbox = openSandbox();
let folder: string;
let key: string;
let client: Client;
let reader: Member;
let database: Database;

const note = (text: string) => console.log(`      ${text}`);
const secondsSince = (from: number) => (performance.now() - from) / 1_000;
const codeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
const read = (from: Client = client, of: Member = reader) => from.connection({ scope: of.scope, id: of.connectionId });

beforeAll(async () => {
  reachProxy();
  folder = openFolder();
  if (!(await tryKubectl(['get', 'deployment', 'accounts-social-accounts-api'])).succeeds) await typeInstall(folder);
  key = await setUpApp(sandbox);
  client = openClient(key);
  database = new Database(new Node(inject('nodeFolder') ?? ''));
  await stopAutoscaling();
  reader = await connectMember(client, sandbox, '250 posts');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  console.log(['| Case | read | write | ready | through the Service | job | lost | restarts |', ...rows].join('\n'));
});

async function open(isSynchronous = true): Promise<Stage> {
  await database.addStandby(isSynchronous);
  const stage = await openStage({ database, sandbox, key, reader });
  onTestFinished(() => stage.probes.stop());
  return stage;
}

/** Waits until all is well again, notes how long that took, and compares it with the page. */
async function measure(name: string, stage: Stage, writableAt: number, job?: Job) {
  await job?.hurry();
  const [directRead, directWrite, directReady, proxied] = await Promise.all(
    (['directRead', 'directWrite', 'directReady', 'proxied'] as const).map((kind) =>
      stage.probes.secondsUntilGood(kind, writableAt),
    ),
  );
  const { status, endedAt } = (await job?.ended) ?? { status: 'SUCCEEDED', endedAt: writableAt };
  await stage.probes.stop();
  await waitFor('all pods are ready', async () => (await listUnready()).length === 0);
  const jobSeconds = Math.max(0, (endedAt - writableAt) / 1_000);
  const lost = await stage.countLost();
  const restarts = await stage.countRestarts();
  const figures = [directRead, directWrite, directReady, proxied, jobSeconds].map((one) => Number(one).toFixed(2));
  rows.push(`| ${[name, ...figures, lost, restarts].join(' | ')} |`);
  note(`${rows.at(-1)} load ${loadavg()[0]}`);
  expect.soft(status, 'the job').toBe('SUCCEEDED');
  expect.soft(directRead, 'seconds until a read').toBeLessThan(ANSWER_SECONDS);
  expect.soft(directWrite, 'seconds until a write').toBeLessThan(ANSWER_SECONDS);
  expect.soft(directReady, 'seconds until ready').toBeLessThan(ANSWER_SECONDS + 1);
  expect.soft(proxied, 'seconds until a read through the Service').toBeLessThan(ANSWER_SECONDS + PROBE_SECONDS);
  expect.soft(jobSeconds, 'seconds until the job ended').toBeLessThan(JOB_SECONDS + JOB_TAKES_SECONDS);
  expect.soft(restarts, 'restarts').toBe(0);
  return { lost };
}

describe.runIf(inject('nodeFolder'))('Postgres behind a Service', () => {
  test('is killed, and its synchronous standby takes over after 3 s', async () => {
    const stage = await open();
    const job = await stage.startJob();
    await database.hold(database.primary);
    await database.kill(database.primary);
    await delay(3_000);
    const writableAt = await database.failOver();
    const { lost } = await measure('killed, taken over after 3 s', stage, writableAt, job);
    expect(lost).toBe(0);
  });

  test('loses its pod, which Kubernetes starts again on its volume', async () => {
    const stage = await open();
    const job = await stage.startJob();
    await database.restart(database.primary);
    const writableAt = await database.untilWritable();
    const { lost } = await measure('its pod deleted, started again', stage, writableAt, job);
    expect(lost).toBe(0);
  });

  test('is gone without a word, and its standby takes over after 10 s', async () => {
    const stage = await open();
    const job = await stage.startJob();
    await database.silence(database.primary);
    await delay(10_000);
    const writableAt = await database.failOver();
    const { lost } = await measure('gone without a word, taken over after 10 s', stage, writableAt, job);
    expect(lost).toBe(0);
  });

  test('is read-only for 30 s: the Service leads to the standby', async () => {
    const stage = await open();
    const job = await stage.startJob();
    await database.leadTo(database.standby);
    await database.cut(database.primary);
    await waitFor('no api is in the Service', async () => (await countEndpoints()) === 0);
    await delay(30_000);
    expect(await codeOf(read(stage.direct))).toBe('UPSTREAM_UNAVAILABLE');
    await database.leadTo(database.primary);
    const writableAt = await database.untilWritable();
    const { lost } = await measure('read-only for 30 s', stage, writableAt, job);
    expect(lost).toBe(0);
  });

  test('is away for two minutes: no pod restarts or stays ready, and callers are told', async () => {
    const stage = await open();
    const job = await stage.startJob();
    await database.hold(database.primary);
    await database.kill(database.primary);
    const goneAt = performance.now();
    await waitFor('no api is in the Service', async () => (await countEndpoints()) === 0);
    note(`no api is in the Service after ${secondsSince(goneAt).toFixed(1)} s`);
    await waitFor('no worker is ready', async () => (await readyPodsOf('worker')).length === 0);
    for (const component of ['api', 'worker']) {
      const pod = (await podsOf(component)).find(({ metadata }) => metadata.name !== stage.pod);
      await evict(pod?.metadata.name ?? '');
    }
    while (secondsSince(goneAt) < 120) {
      await stage.isAlive();
      expect(await stage.countRestarts()).toBe(0);
      expect(await countEndpoints()).toBe(0);
      expect(await codeOf(read(stage.direct))).toBe('UPSTREAM_UNAVAILABLE');
      const askedAt = performance.now();
      expect([502, 503]).toContain((await fetch(`https://${CONNECT}/readyz`)).status);
      expect(await codeOf(read())).toBe('UPSTREAM_UNAVAILABLE');
      expect(secondsSince(askedAt)).toBeLessThan(5);
      await delay(5_000);
    }
    for (const component of ['api', 'worker']) expect(await podsOf(component)).toHaveLength(2);
    await database.release(database.primary);
    const writableAt = await database.untilWritable();
    const { lost } = await measure('away for two minutes', stage, writableAt, job);
    expect(lost).toBe(0);
  });
});

describe.runIf(inject('nodeFolder'))(
  'an asynchronous standby that lacks a disconnect of the journal takes over',
  () => {
    async function loseDisconnect(act = async () => {}): Promise<{ leaver: Member; writableAt: number }> {
      const leaver = await connectMember(client, sandbox, '40 posts');
      await database.startLosing();
      expect(await disconnect(client, leaver.scope, leaver.connectionId)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
      await act();
      await database.hold(database.primary);
      await database.kill(database.primary);
      return { leaver, writableAt: await database.failOver() };
    }

    test('and a worker that runs repeats it', async () => {
      const stage = await open(false);
      const { leaver, writableAt } = await loseDisconnect();
      const isGone = async () => (await codeOf(read(client, leaver))) === 'NOT_FOUND';
      await waitFor('the account is gone again', isGone, 30_000);
      note(`the account is gone again after ${secondsSince(writableAt).toFixed(1)} s`);
      expect(await read()).toMatchObject({ status: 'CONNECTED' });
      expect(await stage.countRestarts()).toBe(0);
    });

    test('and no worker runs: nobody is served until the replay', async () => {
      const stage = await open(false);
      const workers = 'deployment/accounts-social-accounts-worker';
      const { leaver, writableAt } = await loseDisconnect(async () => {
        await kubectl(['scale', workers, '--replicas', '0']);
        await waitFor('no worker', async () => (await podsOf('worker')).length === 0, 120_000);
      });
      await waitFor('no api is in the Service', async () => (await countEndpoints()) === 0);
      note(`no api is in the Service after ${secondsSince(writableAt).toFixed(1)} s`);
      expect(await codeOf(read(stage.direct))).toBe('UPSTREAM_UNAVAILABLE');
      await kubectl(['scale', workers, '--replicas', '2']);
      await delay(20_000);
      note(await kubectl(['get', 'pods']));
      expect(await countEndpoints()).toBe(0);
      await kubectl(['create', 'job', 'maintenance', '--from=cronjob/accounts-social-accounts-maintenance']);
      await kubectl(['wait', 'job/maintenance', '--for', 'jsonpath={.status.ready}=1', '--timeout', '2m']);
      note(await kubectl(['exec', 'job/maintenance', '--', 'node', 'dist/main.js', 'restore', 'replay']));
      const replayedAt = performance.now();
      await kubectl(['delete', 'job', 'maintenance']);
      await waitFor('the apis serve', async () => (await countEndpoints()) === 2);
      note(`the apis are in the Service ${secondsSince(replayedAt).toFixed(1)} s after the replay`);
      await waitFor('all pods are ready', async () => (await listUnready()).length === 0, 330_000);
      note(`all pods are ready ${secondsSince(replayedAt).toFixed(1)} s after the replay`);
      expect(await codeOf(read(client, leaver))).toBe('NOT_FOUND');
      expect(await read()).toMatchObject({ status: 'CONNECTED' });
    });
  },
);
