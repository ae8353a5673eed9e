import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { describe, expect, inject, vi } from 'vitest';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import { getWorkflowState, startWorkflow } from '../../src/temporal/start-workflow.ts';
import { buildReadJobDispatch } from '../../src/workflows/dispatches.ts';
import { openStage } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { quiet } from '../kit/fake-activities.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { sweepOnce } from '../kit/sweeping.ts';
import { bundleWorkflows, runUntil } from '../kit/temporal.ts';

const DEFECTIVE = path.join(import.meta.dirname, '..', 'workflows', 'defective-workflows.ts');

/** A real Temporal with a queue that has no worker: a started workflow never progresses. */
const test = postgresTest.extend<{ $file: { client: Client } }>({
  client: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
    async ({}, use) => {
      const connection = await Connection.connect({ address: inject('temporalAddress') });
      await use(new Client({ connection }));
      await connection.close();
    },
    { scope: 'file' },
  ],
});

async function open(sql: Parameters<typeof openStage>[0], temporal: Client) {
  const stage = await openStage(sql);
  // Rows of earlier tests must not count.
  await sql`update read_job set status = 'CANCELED', finished_at = business_now() where finished_at is null`;
  await sql`update disconnect_job set status = 'CANCELED', finished_at = business_now() where finished_at is null`;
  await sql`update connection set status = 'CONNECTED' where status = 'SUSPENDED'`;
  await sql`
    update connect_attempt set status = 'CANCELED', sealed_code = null, sealed_code_verifier = null
    where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
  `;
  await sql`update identity_attempt set status = 'FAILED' where status = 'PENDING'`;
  await sql`delete from webhook_endpoint`;
  const taskQueue = `nobody-${randomUUID()}`;
  const sweep = createSweepActivities({
    ...stage.deps,
    temporal,
    taskQueue,
  });
  return {
    stage,
    reconcile: async () => {
      const { endedWork: _counted, ...repaired } = await sweepOnce(sweep.reconcileRows);
      return repaired;
    },
    start: (dispatch: Parameters<typeof buildReadJobDispatch>[0]) =>
      startWorkflow(temporal, taskQueue, { ...buildReadJobDispatch(dispatch), signalName: null }),
    statusOf: async (workflowId: string) => (await temporal.workflow.getHandle(workflowId).describe()).status.name,
    taskQueue,
  };
}

/** Another build, whose code fails for every workflow of the queue until `work` has ended. */
async function withDefectiveWorker(taskQueue: string, work: () => Promise<void>): Promise<void> {
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const workflowBundle = await bundleWorkflows(DEFECTIVE);
  const worker = await Worker.create({ connection, taskQueue, workflowBundle, activities: quiet });
  await runUntil([worker], work);
  await connection.close();
}

const OVERDUE_MS = 91 * SECOND_MS;
const NOTHING = {};

describe('reconcile', () => {
  test('names a read whose workflow fails its tasks, and gives it up as late as one whose provider fails', async ({
    sql,
    client,
  }) => {
    const { stage, reconcile, start, taskQueue } = await open(sql, client);
    const scan = await stage.newScan((await stage.newConnection()).connectionId);
    const other = await stage.newScan((await stage.newConnection()).connectionId);
    await start(scan);
    await startWorkflow(client, `nobody-${randomUUID()}`, { ...buildReadJobDispatch(other), signalName: null });
    await withDefectiveWorker(taskQueue, async () => {
      const state = () => getWorkflowState(client, `scan/${scan.jobId}`);
      await vi.waitUntil(async () => (await state()) === 'failing', { timeout: 90_000, interval: 500 });
    });
    await moveClock(sql, OVERDUE_MS);
    expect(await reconcile()).toEqual(NOTHING);
    const said = () =>
      stage.deps.lines.map((line) => JSON.parse(line)).filter(({ message }) => message.includes('fails its tasks'));
    expect(said()).toMatchObject([{ level: 'error', workflowId: `scan/${scan.jobId}` }]);
    expect(await stage.job('read_job', scan.jobId)).toMatchObject({ status: 'QUEUED' });
    await moveClock(sql, HOUR_MS);
    expect(await reconcile()).toEqual({ readJobs: 1 });
    expect(await stage.job('read_job', scan.jobId)).toMatchObject({ status: 'FAILED', errorCode: 'INTERNAL' });
    expect(await stage.job('read_job', other.jobId)).toMatchObject({ status: 'QUEUED' });
    await client.workflow.getHandle(`scan/${scan.jobId}`).terminate();
    await client.workflow.getHandle(`scan/${other.jobId}`).terminate();
  });
});
