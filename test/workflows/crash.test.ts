import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, inject, test, vi } from 'vitest';
import { disconnect } from '../../src/workflows/disconnect.ts';
import type { scan } from '../../src/workflows/read-job.ts';
import { bundleWorkflows, createWorkers, runUntil, startOn } from '../kit/temporal.ts';
import { gate, newDisconnect, newReadJob, quiet } from './fakes.ts';

test('a call whose worker has died is taken over by another as soon as its heartbeats are missed', async () => {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  const workflowBundle = await bundleWorkflows();
  const taskQueue = `test-${randomUUID()}`;
  const revoking = gate();
  const order: string[] = [];
  const dying = {
    ...quiet,
    purgeContent: async () => void order.push('purge'),
    // It neither ends nor beats nor hears that it should: to the server, as good as killed.
    revoke: () => {
      order.push('lost revoke');
      revoking.open();
      return new Promise<never>(() => undefined);
    },
  };
  const first = await createWorkers(env, taskQueue, { activities: dying, workflowBundle, shutdownForceTime: 100 });
  const ended = first.map((worker) => worker.run().catch((error: Error) => error.name));
  const run = await startOn(env, taskQueue)(disconnect, newDisconnect());
  await revoking.opened;
  for (const worker of first) worker.shutdown();
  expect(await Promise.all(ended)).toContain('GracefulShutdownPeriodExpiredError');

  const revoke = vi.fn(async () => void order.push('revoke'));
  const living = { ...dying, revoke, eraseConnection: async () => void order.push('erase') };
  const second = await createWorkers(env, taskQueue, { activities: living, workflowBundle });
  await runUntil(second, () => run.result());
  expect(order).toEqual(['purge', 'lost revoke', 'revoke', 'erase']);
}, 60_000);

test('a job too long for one history goes on in a new run, and ends', async () => {
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: inject('temporalCommand') },
      extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=20'],
    },
  });
  try {
    const taskQueue = `test-${randomUUID()}`;
    const input = newReadJob();
    const scanStep = vi.fn(async (_step: { jobId: string }) => ({ done: scanStep.mock.calls.length === 8 }));
    const workers = await createWorkers(env, taskQueue, {
      activities: { ...quiet, scanStep },
      workflowBundle: await bundleWorkflows(),
    });
    await runUntil(workers, async () => {
      const run = await startOn(env, taskQueue)<typeof scan>('scan', input);
      await run.result();
      const last = await env.client.workflow.getHandle(run.workflowId).describe();
      expect(last.runId).not.toBe(run.firstExecutionRunId);
      expect(last.type).toBe('scan');
    });
    expect(scanStep.mock.calls).toEqual(Array.from({ length: 8 }, () => [{ jobId: input.jobId }]));
  } finally {
    await env.teardown();
  }
}, 60_000);
