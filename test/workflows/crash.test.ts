import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { NAMESPACE } from '../../local/src/temporal.ts';
import { GRANT_QUEUES } from '../../src/workflows/contract.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { newDisconnect, quiet } from '../kit/fake-activities.ts';
import { bundleWorkflows, createWorkers, runUntil, startOn } from '../kit/temporal.ts';

test('another worker takes over the call of a crashed one as soon as its heartbeats are missed', async () => {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  onTestFinished(() => env.teardown());
  const taskQueue = `test-${randomUUID()}`;
  const order: string[] = [];
  const activities = {
    ...quiet,
    purgeContent: async () => void order.push('purge'),
    tryRevoke: async () => void order.push('revoke'),
    eraseConnection: async () => void order.push('erase'),
  };
  const workflowBundle = await bundleWorkflows();
  const [ours, ...atProviders] = await createWorkers(env, taskQueue, { activities, workflowBundle });
  if (ours === undefined) throw new Error('There is no worker.');
  await runUntil([ours], async () => {
    const run = await startOn(env, taskQueue)(disconnect, newDisconnect());
    // To the server this is a worker that takes the call and never reports again.
    const queue = { name: `${taskQueue}-${GRANT_QUEUES.PROVIDER_B}` };
    const { activityType } = await env.connection.withDeadline(Date.now() + 15_000, () =>
      env.connection.workflowService.pollActivityTaskQueue({ namespace: NAMESPACE, taskQueue: queue }),
    );
    expect(activityType?.name).toBe('tryRevoke');
    expect(order).toEqual(['purge']);
    await runUntil(atProviders, () => run.result());
  });
  expect(order).toEqual(['purge', 'revoke', 'erase']);
});
