import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { describe, expect, inject, vi } from 'vitest';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import { getWorkflowState, startWorkflow } from '../../src/temporal/start-workflow.ts';
import { buildReadJobDispatch } from '../../src/workflows/dispatches.ts';
import { openStage } from '../kit/activity-stage.ts';
import { HOUR_MS, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
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
    terminate: (workflowId: string) => temporal.workflow.getHandle(workflowId).terminate(),
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
  test('starts a probe of each refused client, at most once a minute, and of no other', async ({ sql, client }) => {
    const { stage, reconcile } = await open(sql, client);
    const { PROVIDER_A: refused, PROVIDER_B: probed } = stage.seeded.registrations;
    await sql`update registration set rejected_at = null`;
    await sql`delete from outbox`;
    await sql`update registration set rejected_at = business_now(), client_probed_at = null where registration_id = ${refused}`;
    await sql`update registration set rejected_at = business_now(), client_probed_at = business_now() where registration_id = ${probed}`;
    expect(await reconcile()).toEqual({ rejectedClients: 1 });
    const dispatched = async () =>
      await sql`select workflow_id, workflow_type, restart, input from outbox order by workflow_id`;
    const probe = (registrationId: string, provider: string) => ({
      workflowId: `probe/${registrationId}`,
      workflowType: 'clientProbe',
      restart: true,
      input: { registrationId, provider },
    });
    expect(await dispatched()).toEqual([probe(refused, 'PROVIDER_A')]);
    await moveClock(sql, MINUTE_MS);
    expect(await reconcile()).toEqual({ rejectedClients: 2 });
    expect(await dispatched()).toHaveLength(2); // One that waits already is not added again.
    await sql`update registration set rejected_at = null`;
  });

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

  test.for(['scope', 'principal'] as const)(
    'verifies connections on hold for a disconnect of the same %s after it settles',
    async (shared, { sql, client }) => {
      const { stage, reconcile, statusOf, terminate } = await open(sql, client);
      const [scope, principal] = [stage.seeded.newScope(), randomUUID()];
      const left = await stage.newConnection({ scope, principal });
      const held = await stage.newConnection({
        status: 'SUSPENDED',
        ...(shared === 'scope' ? { scope } : { principal }),
      });
      await stage.disconnect(left);
      await moveClock(sql, OVERDUE_MS);
      expect(await reconcile()).toEqual({ disconnectJobs: 1 }); // The disconnect still holds it.
      await sql`update connection set status = 'DELETING' where connection_id = ${left.connectionId}`;
      expect(await reconcile()).toEqual({ holds: 1 });
      const [row] = await sql`select changed_at from connection where connection_id = ${held.connectionId}`;
      const workflowId = `verify/${held.connectionId}/${row?.changedAt.toISOString()}`;
      expect(await statusOf(workflowId)).toBe('RUNNING');
      expect(await reconcile()).toEqual(NOTHING);
      await terminate(workflowId);
      expect(await reconcile()).toEqual({ holds: 1 });
    },
  );

  test('finds lost rows behind hundreds with running workflows, and checks those less often', async ({
    sql,
    client,
  }) => {
    const { stage, reconcile, start, statusOf } = await open(sql, client);
    const scans = [];
    for (let i = 0; i < 30; i += 1) {
      const scan = await stage.newScan((await stage.newConnection()).connectionId);
      scans.push(scan);
      await start(scan);
    }
    const lost = await stage.newScan((await stage.newConnection()).connectionId);
    const describe = vi.spyOn(client.workflow, 'getHandle');
    await moveClock(sql, OVERDUE_MS);
    expect(await reconcile()).toEqual({ readJobs: 1 });
    expect(await statusOf(`scan/${lost.jobId}`)).toBe('RUNNING');
    describe.mockClear();
    await moveClock(sql, MINUTE_MS);
    expect(await reconcile()).toEqual(NOTHING);
    const looks = describe.mock.calls.map(([workflowId]) => workflowId);
    for (const scan of scans) expect(looks).not.toContain(`scan/${scan.jobId}`);
    describe.mockRestore();
  });

  test('restarts the other rows if one cannot be repaired, and logs it', async ({ sql, client }) => {
    const { stage, reconcile, statusOf } = await open(sql, client);
    const [broken, lost] = [await stage.newConnection(), await stage.newConnection()];
    const { eraseJobId } = await stage.disconnect(broken);
    await sql`delete from disconnect_job where job_id = ${eraseJobId}`;
    await stage.disconnect(lost);
    await moveClock(sql, OVERDUE_MS);
    expect(await reconcile()).toEqual({ disconnectJobs: 1 });
    expect(await statusOf(`disconnect/${lost.connectionId}`)).toBe('RUNNING');
    expect(stage.deps.lines.join()).toContain('A sweep could not handle some rows');
  });

  test('revokes a grant that was stored after its attempt ended', async ({ sql, client }) => {
    const { stage, reconcile } = await open(sql, client);
    const attempt = await stage.newExchangedAttempt();
    await sql`
      update connect_attempt set status = 'EXPIRED', result_code = 'EXPIRED', sealed_code = null, sealed_code_verifier = null
      where attempt_id = ${attempt.attemptId}
    `;
    await moveClock(sql, 10 * MINUTE_MS + OVERDUE_MS);
    expect(await reconcile()).toEqual({ unclaimedGrants: 1 });
    expect(await sql`select kind from disconnect_job where attempt_id = ${attempt.attemptId}`).toEqual([
      { kind: 'COMPENSATION' },
    ]);
    expect(await reconcile()).toEqual(NOTHING);
  });
});
