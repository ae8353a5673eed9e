import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { inject, test as plainTest } from 'vitest';
import { ensureSchedules, sweepScheduleId } from '../../src/worker/schedules.ts';
import { SWEEPS, type SweepKind } from '../../src/workflows/contract.ts';

const KINDS = Object.keys(SWEEPS) as SweepKind[];

/** A task queue of a test's own, whose Schedules are gone when it ends. */
const test = plainTest.extend<{ $test: { client: Client; taskQueue: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  client: async ({}, use) => {
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    await use(new Client({ connection }));
    await connection.close();
  },
  taskQueue: async ({ client }, use) => {
    const taskQueue = `nobody-${randomUUID()}`;
    await use(taskQueue);
    for (const kind of KINDS) await client.schedule.getHandle(sweepScheduleId(taskQueue, kind)).delete();
  },
});

test('there is one Schedule for each sweep, which never runs twice at once', async ({ client, taskQueue, expect }) => {
  await ensureSchedules(client, taskQueue);
  for (const kind of KINDS) {
    const { spec, action, policies, memo } = await client.schedule
      .getHandle(sweepScheduleId(taskQueue, kind))
      .describe();
    expect(spec.intervals).toMatchObject([{ every: SWEEPS[kind].everySeconds * 1_000 }]);
    expect(action).toMatchObject({ workflowType: 'sweep', taskQueue, args: [{ kind }] });
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
    expect(memo).toEqual({ summary: SWEEPS[kind].summary });
  }
});

test('one that is gone comes back, and those that are there stay as they are', async ({
  client,
  taskQueue,
  expect,
}) => {
  await ensureSchedules(client, taskQueue);
  const [gone, paused] = [sweepScheduleId(taskQueue, 'outbox'), sweepScheduleId(taskQueue, 'upkeep')];
  await client.schedule.getHandle(gone).delete();
  await client.schedule.getHandle(paused).pause('an operator has');
  await ensureSchedules(client, taskQueue);
  expect((await client.schedule.getHandle(gone).describe()).state.paused).toBe(false);
  expect((await client.schedule.getHandle(paused).describe()).state.paused).toBe(true);
});
