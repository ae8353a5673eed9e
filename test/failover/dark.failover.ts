import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { addFigures, printFigures } from './figures.ts';
import { type Job, openStage, type Stage, type StageOptions } from './stage.ts';

/** Reads and writes are answered so soon after Postgres accepts writes again; jobs under way go on. */
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
    job: Math.max(0, (endedAt - writableAt) / 1_000),
    lost: await stage.countLost(),
  };
  addFigures(figures);
  console.log(JSON.stringify(figures));
  expect.soft(status, 'the job').toBe('SUCCEEDED');
  expect.soft(figures.read, 'seconds until a read').toBeLessThan(ANSWER_SECONDS);
  expect.soft(figures.write, 'seconds until a write').toBeLessThan(ANSWER_SECONDS);
  expect.soft(figures.ready, 'seconds until ready').toBeLessThan(ANSWER_SECONDS + 1);
  expect.soft(figures.job, 'seconds until the job ended').toBeLessThan(JOB_SECONDS + JOB_TAKES_SECONDS);
  return figures;
}

/** What the job itself takes on a slow machine. */
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

test('the node is frozen for 30 s', async () => {
  const stage = await open({});
  const job = await stage.startJob();
  stage.nodes.freezePrimary(true);
  await delay(30_000);
  stage.nodes.freezePrimary(false);
  const { lost } = await measure('frozen for 30 s', stage, performance.now(), job);
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
