import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import { getWorkflowState, startWorkflow } from '../../src/temporal/start-workflow.ts';
import { buildReadJobDispatch } from '../../src/workflows/dispatches.ts';
import { openStage } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { quiet } from '../kit/fake-activities.ts';
import { createTestDatabase } from '../kit/postgres.ts';
import { sweepOnce } from '../kit/sweeping.ts';
import { bundleWorkflows, runUntil } from '../kit/temporal.ts';

const DEFECTIVE = path.join(import.meta.dirname, '..', 'workflows', 'defective-workflows.ts');

/** Another build, whose code fails for every workflow of the queue until `work` has ended. */
async function withDefectiveWorker(taskQueue: string, work: () => Promise<void>): Promise<void> {
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const workflowBundle = await bundleWorkflows(DEFECTIVE);
  const worker = await Worker.create({ connection, taskQueue, workflowBundle, activities: quiet });
  await runUntil([worker], work);
  await connection.close();
}

test('reconcile names a read whose workflow fails its tasks, and gives it up as late as one whose provider fails', async () => {
  const { sql, drop } = await createTestDatabase(); // It acts on all rows that are overdue.
  onTestFinished(drop);
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  const stage = await openStage(sql);
  const [taskQueue, nobody] = [`nobody-${randomUUID()}`, `nobody-${randomUUID()}`];
  const { reconcileRows } = createSweepActivities({ ...stage.deps, temporal: client, taskQueue });
  const scan = await stage.newScan((await stage.newConnection()).connectionId);
  const other = await stage.newScan((await stage.newConnection()).connectionId);
  await startWorkflow(client, taskQueue, { ...buildReadJobDispatch(scan), signalName: null });
  await startWorkflow(client, nobody, { ...buildReadJobDispatch(other), signalName: null });
  await withDefectiveWorker(taskQueue, async () => {
    const state = () => getWorkflowState(client, `scan/${scan.jobId}`);
    await vi.waitUntil(async () => (await state()) === 'failing', { interval: 500 });
  });
  await moveClock(sql, 91 * SECOND_MS);
  expect(await sweepOnce(reconcileRows)).not.toHaveProperty('readJobs');
  const said = (words: string) =>
    stage.deps.lines.map((line) => JSON.parse(line)).filter(({ message }) => message.includes(words));
  expect(said('fails its tasks')).toMatchObject([{ level: 'error', workflowId: `scan/${scan.jobId}` }]);
  expect(await stage.job('read_job', scan.jobId)).toMatchObject({ status: 'QUEUED' });
  await moveClock(sql, HOUR_MS);
  expect(await sweepOnce(reconcileRows)).toMatchObject({ readJobs: 1 });
  expect(await stage.job('read_job', scan.jobId)).toMatchObject({ status: 'FAILED', errorCode: 'INTERNAL' });
  expect(said('A job was ended')).toMatchObject([{ level: 'info', jobId: scan.jobId }]);
  expect(await stage.job('read_job', other.jobId)).toMatchObject({ status: 'QUEUED' });
  for (const { jobId } of [scan, other]) await client.workflow.getHandle(`scan/${jobId}`).terminate();
});
