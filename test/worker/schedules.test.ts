import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { inject, test as plainTest, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { alignSchedules, watchSchedules } from '../../src/worker/schedules.ts';
import { getSweepScheduleId, SCHEDULES, type ScheduleKind } from '../../src/workflows/contract.ts';

const KINDS = Object.keys(SCHEDULES) as ScheduleKind[];

const OURS = randomUUID();
const placeOf = (taskQueue: string) => ({ taskQueue, installationId: OURS });

/** A separate task queue for a test; its Schedules are deleted at the end. */
const test = plainTest.extend<{ $test: { client: Client; taskQueue: string } }>({
  client: async ({}, use) => {
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    await use(new Client({ connection }));
    await connection.close();
  },
  taskQueue: async ({ client }, use) => {
    const taskQueue = `nobody-${randomUUID()}`;
    await use(taskQueue);
    for (const kind of KINDS) await client.schedule.getHandle(getSweepScheduleId(taskQueue, kind)).delete();
  },
});

test('each kind of sweeps has one Schedule, whose runs never overlap', async ({ client, taskQueue, expect }) => {
  await alignSchedules(client, placeOf(taskQueue));
  for (const kind of KINDS) {
    const { spec, action, policies, memo } = await client.schedule
      .getHandle(getSweepScheduleId(taskQueue, kind))
      .describe();
    expect(spec.intervals).toMatchObject([{ every: SCHEDULES[kind].everySeconds * 1_000 }]);
    expect(action).toMatchObject({ workflowType: 'sweep', taskQueue, args: [{ kind }] });
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
    expect(memo).toEqual({ summary: SCHEDULES[kind].summary });
  }
});

test('the Schedules of another installation stay as they are', async ({ client, taskQueue, expect }) => {
  await alignSchedules(client, placeOf(taskQueue));
  const describe = () => client.schedule.getHandle(getSweepScheduleId(taskQueue, 'minute')).describe();
  const { raw } = await describe();
  await expect(alignSchedules(client, { taskQueue, installationId: randomUUID() })).rejects.toThrow(
    `The task queue ${taskQueue} in this namespace of Temporal belongs to another installation`,
  );
  expect((await describe()).raw).toEqual(raw);
});

test('a Schedule of another build changes at start, and stays paused if so', async ({ client, taskQueue, expect }) => {
  await alignSchedules(client, placeOf(taskQueue));
  const handles = (['minute', 'retention'] as const).map((kind) =>
    client.schedule.getHandle(getSweepScheduleId(taskQueue, kind)),
  );
  for (const handle of handles)
    await handle.update((previous) => ({
      ...previous,
      spec: { intervals: [{ every: 7_000 }] },
      action: { ...previous.action, args: [{ kind: 'old' }], memo: { schedule: 'of another build' } },
    }));
  await handles[0]?.pause('an operator has');
  await alignSchedules(client, placeOf(taskQueue));
  const [paused, running] = await Promise.all(handles.map((handle) => handle.describe()));
  expect(paused?.spec.intervals).toMatchObject([{ every: 60_000 }]);
  expect(paused?.action).toMatchObject({ args: [{ kind: 'minute' }], workflowId: `sweep/${taskQueue}/minute` });
  expect(paused?.state).toMatchObject({ paused: true, note: 'an operator has' });
  expect(running?.spec.intervals).toMatchObject([{ every: 900_000 }]);
  expect(running?.state.paused).toBe(false);
});

test('a Schedule of another task queue stays', async ({ client, taskQueue, expect }) => {
  const scheduleId = getSweepScheduleId(`${taskQueue}-other`, 'minute');
  const other = await client.schedule.create({
    scheduleId,
    spec: { intervals: [{ every: '1 hour' }] },
    action: { type: 'startWorkflow', workflowType: 'sweep', taskQueue: 'nobody', args: [] },
  });
  const isListed = async () => {
    for await (const found of client.schedule.list()) if (found.scheduleId === scheduleId) return true;
    return false;
  };
  await vi.waitUntil(isListed);
  await alignSchedules(client, placeOf(taskQueue));
  expect((await other.describe()).state.paused).toBe(false);
  await other.delete();
});

test('a deleted Schedule is noticed while the worker runs', async ({ client, taskQueue }) => {
  const end = watchSchedules(client, placeOf(taskQueue), createLog('silent'), { everyMs: 20 });
  const gone = client.schedule.getHandle(getSweepScheduleId(taskQueue, 'minute'));
  await vi.waitFor(() => gone.describe());
  await gone.delete();
  await vi.waitFor(() => gone.describe());
  await end();
});
