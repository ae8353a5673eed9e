import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { NAMESPACE } from '../../local/src/temporal.ts';
import { newReadJob, quiet } from '../kit/fake-activities.ts';
import { bundleWorkflows, runUntil } from '../kit/temporal.ts';

const APP_ID = defineSearchAttributeKey('AppId', SearchAttributeType.KEYWORD);
const BUSY_APPS = 20;
const LOOKUPS_OF_EACH = 3;

/** Lookups that wait in the queue of their provider, which no worker takes: the test does. */
async function openQueue() {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  const runs: WorkflowHandle[] = [];
  const taskQueue = `test-${randomUUID()}`;
  const workflowBundle = await bundleWorkflows();
  // It works on the workflows alone.
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowBundle,
    activities: quiet,
  });
  return {
    run: <T>(work: () => Promise<T>) => runUntil([worker], work),
    /** Starts a lookup, and waits until it is in the queue. */
    async lookUp(appId: string) {
      const run = await env.client.workflow.start('contentLookup', {
        taskQueue,
        workflowId: randomUUID(),
        args: [newReadJob()],
        typedSearchAttributes: new TypedSearchAttributes([{ key: APP_ID, value: appId }]),
      });
      runs.push(run);
      const isWaiting = async () => (await run.describe()).raw.pendingActivities?.length === 1;
      await expect.poll(isWaiting).toBe(true);
      return run;
    },
    /** Takes a lookup out of the queue, as a worker would. @returns its workflow */
    async take() {
      const queue = { name: `${taskQueue}-PROVIDER_B` };
      const task = await env.connection.withDeadline(Date.now() + 15_000, () =>
        env.connection.workflowService.pollActivityTaskQueue({ namespace: NAMESPACE, taskQueue: queue }),
      );
      return task.workflowExecution?.workflowId;
    },
    async close() {
      await Promise.all(runs.map((run) => run.terminate().catch(() => undefined)));
      await env.teardown();
    },
  };
}

test('one lookup of an app passes the waiting lookups of twenty others', async () => {
  const queue = await openQueue();
  try {
    await queue.run(async () => {
      const apps = Array.from({ length: BUSY_APPS }, () => randomUUID());
      for (let turn = 0; turn < LOOKUPS_OF_EACH; turn += 1) await Promise.all(apps.map(queue.lookUp));
      for (let taken = 0; taken < BUSY_APPS + 2; taken += 1) await queue.take();
      const { workflowId } = await queue.lookUp(randomUUID());
      expect([await queue.take(), await queue.take(), await queue.take()]).toContain(workflowId);
    });
  } finally {
    await queue.close();
  }
});
