import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Job, open, type Stage } from './stage.ts';

/** Reads and writes are answered so soon after Postgres accepts writes again; running jobs continue. */
const ANSWER_SECONDS = 2;
const JOB_SECONDS = 5;
/** The time of the job itself on a slow machine. */
const JOB_TAKES_SECONDS = 5;

/** Waits until all is well again, and compares how long that took with the aims: nothing is lost, and nothing doubled. */
async function recover(stage: Stage, writableAt: number, job: Job): Promise<void> {
  job.hurry();
  const dark = await stage.measure(writableAt);
  const { status, endedAt } = await job.ended;
  expect.soft(status, 'the job').toBe('SUCCEEDED');
  for (const kind of ['read', 'write'] as const)
    expect.soft(dark[kind], `seconds until a ${kind}`).toBeLessThan(ANSWER_SECONDS);
  expect.soft(dark.ready, 'seconds until ready').toBeLessThan(ANSWER_SECONDS + 1);
  expect.soft(dark.listen, 'seconds until it listens').toBeLessThan(ANSWER_SECONDS + 1);
  expect
    .soft((endedAt - writableAt) / 1_000, 'seconds until the job ended')
    .toBeLessThan(JOB_SECONDS + JOB_TAKES_SECONDS);
  expect.soft(dark.doubled, 'doubled').toBe(0);
  expect(dark.lost, 'lost').toBe(0);
}

describe('a synchronous standby takes over', () => {
  test('20 s after the primary was killed', async () => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    await stage.nodes.killPrimary();
    await delay(20_000);
    await recover(stage, await stage.failOver(), job);
  });

  test('from a host that stops answering', async () => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    stage.address.silence();
    await stage.nodes.killPrimary();
    await delay(10_000);
    const writableAt = await stage.nodes.promote();
    stage.address.leadTo(stage.nodes.ports.standby);
    stage.address.speak();
    await recover(stage, writableAt, job);
  });

  test('from a node that is frozen, and continues later', async () => {
    const stage = await open({ synchronous: true });
    const job = await stage.startJob();
    stage.nodes.freeze('primary', true);
    await delay(10_000);
    const writableAt = await stage.nodes.promote();
    // The open connections lead to the frozen node.
    stage.address.leadTo(stage.nodes.ports.standby);
    const thawed = delay(20_000).then(() => stage.nodes.freeze('primary', false));
    await recover(stage, writableAt, job);
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
  await recover(stage, writableAt, job);
  for (const { log } of [...stage.service.apis, ...stage.service.workers])
    expect(log).toContain('Commits wait for a synchronous standby');
});
