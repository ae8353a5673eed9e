import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { addFigures, printFigures } from './figures.ts';
import { canMount } from './small-disk.ts';
import { type Job, openStage, type Stage, type StageOptions } from './stage.ts';

/** Reads and writes are answered so soon after Postgres accepts writes again; running jobs continue. */
const ANSWER_SECONDS = 2;
const JOB_SECONDS = 5;

afterAll(printFigures);

async function open(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options);
  onTestFinished(({ task }) => stage.close({ hasFailed: task.result?.state === 'fail' }));
  await stage.probes.secondsUntilGood('write', performance.now());
  return stage;
}

/** Waits until all is well again, notes how long that took, and compares it with the aims. */
async function measure(name: string, stage: Stage, writableAt: number, job: Job) {
  job.hurry();
  const [read, write, ready] = await Promise.all(
    (['read', 'write', 'ready'] as const).map((kind) => stage.probes.secondsUntilGood(kind, writableAt)),
  );
  const { status, endedAt } = await job.ended;
  await stage.probes.stop();
  const figures = {
    name,
    read: Number(read),
    write: Number(write),
    ready: Number(ready),
    listen: await stage.secondsUntilListening(writableAt),
    job: Math.max(0, (endedAt - writableAt) / 1_000),
    lost: await stage.countLost(),
    doubled: stage.countDoubled(),
  };
  addFigures(figures);
  expect.soft(status, 'the job').toBe('SUCCEEDED');
  expect.soft(figures.read, 'seconds until a read').toBeLessThan(ANSWER_SECONDS);
  expect.soft(figures.write, 'seconds until a write').toBeLessThan(ANSWER_SECONDS);
  expect.soft(figures.ready, 'seconds until ready').toBeLessThan(ANSWER_SECONDS + 1);
  expect.soft(figures.listen, 'seconds until it listens').toBeLessThan(ANSWER_SECONDS + 1);
  expect.soft(figures.job, 'seconds until the job ended').toBeLessThan(JOB_SECONDS + JOB_TAKES_SECONDS);
  expect.soft(figures.doubled, 'doubled').toBe(0);
  return figures;
}

/** The time of the job itself on a slow machine. */
const JOB_TAKES_SECONDS = 5;

describe('a synchronous standby', () => {
  test.each([3_000, 20_000])('takes over %i ms after the primary was killed', async (ms) => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    await stage.nodes.killPrimary();
    await delay(ms);
    const writableAt = await stage.failOver();
    const { lost } = await measure(`synchronous, taken over after ${ms / 1_000} s`, stage, writableAt, job);
    expect(lost).toBe(0);
  });

  test('takes over from a host that is gone without a word', async () => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    stage.address.silence();
    await stage.nodes.killPrimary();
    await delay(10_000);
    const writableAt = await stage.nodes.promote();
    stage.address.leadTo(stage.nodes.ports.standby);
    stage.address.speak();
    const { lost } = await measure('host gone without a word, taken over after 10 s', stage, writableAt, job);
    expect(lost).toBe(0);
  });
});

test('Postgres is killed under load and starts again', async () => {
  const stage = await open({});
  const job = await stage.startJob();
  await stage.nodes.killPrimary();
  await delay(2_000);
  await stage.nodes.primary.start();
  const { lost } = await measure('killed, started again after 2 s', stage, performance.now(), job);
  expect(lost).toBe(0);
});

describe('the node is frozen for 30 s', () => {
  test('and continues', async () => {
    const stage = await open({});
    const job = await stage.startJob();
    stage.nodes.freeze('primary', true);
    await delay(30_000);
    stage.nodes.freeze('primary', false);
    const { lost } = await measure('frozen for 30 s', stage, performance.now(), job);
    expect(lost).toBe(0);
  });

  test('and its standby has taken over after 10 s', async () => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    stage.nodes.freeze('primary', true);
    await delay(10_000);
    const writableAt = await stage.nodes.promote();
    // The open connections lead to the frozen node.
    stage.address.leadTo(stage.nodes.ports.standby);
    const thawed = delay(20_000).then(() => stage.nodes.freeze('primary', false));
    const { lost } = await measure('frozen for 30 s, taken over after 10 s', stage, writableAt, job);
    expect(lost).toBe(0);
    await thawed;
    expect(await stage.countLost()).toBe(0);
  });
});

test('a synchronous standby stops for 20 s: reads continue, writes wait, and a log names the reason', async () => {
  const stage = await open({ synchronous: true });
  const job = await stage.startJob();
  stage.nodes.freeze('standby', true);
  const stoppedAt = performance.now();
  await delay(20_000);
  const reads = stage.probes.count('read', stoppedAt, performance.now());
  stage.nodes.freeze('standby', false);
  await stage.nodes.ask('primary', 'create table thawed ()'); // Its commit waits for the standby too.
  const writableAt = performance.now();
  expect(reads).toMatchObject({ bad: 0 });
  expect(reads.good).toBeGreaterThan(0);
  const { lost } = await measure('synchronous standby stopped for 20 s', stage, writableAt, job);
  expect(lost).toBe(0);
  for (const { log } of [...stage.service.apis, ...stage.service.workers])
    expect(log).toContain('Commits wait for a synchronous standby');
});

test.skipIf(!canMount)('the disk is full for 20 s', async () => {
  const stage = await open({ diskMegabytes: 900 });
  const job = await stage.startJob();
  const { disk, nodes } = stage;
  disk?.fill();
  // The next file of the log finds no room either.
  await vi.waitUntil(
    () =>
      nodes.ask('primary', 'select pg_switch_wal()').then(
        () => false,
        () => true,
      ),
    { timeout: 20_000 },
  );
  await delay(20_000);
  disk?.clear();
  if (!nodes.primary.isRunning) await nodes.primary.start();
  const { lost } = await measure('the disk is full for 20 s', stage, performance.now(), job);
  expect(lost).toBe(0);
});

test('all connections of the server are taken for 20 s', async () => {
  const stage = await open({ settings: { max_connections: '80' } });
  const job = await stage.startJob();
  const taken = await stage.nodes.takeAllConnections();
  await delay(20_000);
  await taken.release();
  const { lost } = await measure('max_connections used up for 20 s', stage, performance.now(), job);
  expect(lost).toBe(0);
});

describe('the address leads to a standby', () => {
  test('that becomes the primary after 30 s', async () => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    await stage.nodes.killPrimary();
    stage.address.leadTo(stage.nodes.ports.standby);
    stage.address.cut();
    await delay(30_000);
    const writableAt = await stage.nodes.promote();
    const { lost } = await measure('read-only for 30 s, in place', stage, writableAt, job);
    expect(lost).toBe(0);
  });

  test('for 30 s, and then to the primary again', async () => {
    const stage = await open({});
    const job = await stage.startJob();
    stage.address.leadTo(stage.nodes.ports.standby);
    stage.address.cut();
    await delay(30_000);
    stage.address.leadTo(stage.nodes.ports.primary);
    const { lost } = await measure('read-only for 30 s, behind the address', stage, performance.now(), job);
    expect(lost).toBe(0);
  });
});
