import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { NAMESPACE } from '../../local/src/temporal.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
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

/** The fairness of a run's calls, as Temporal has them. */
async function readFairness(run: WorkflowHandle) {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [[scheduled.priority?.fairnessKey, scheduled.priority?.fairnessWeight]] : [],
  );
}

test('each app has one weight in all its runs, another than other apps, near the average', async () => {
  const queue = await openQueue();
  try {
    await queue.run(async () => {
      const [one, other] = ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-00000000ffff'];
      const fairness = async (appId: string) => (await readFairness(await queue.lookUp(appId)))[0];
      const seen = [await fairness(one), await fairness(one), await fairness(other), await fairness(other)];
      expect(seen[0]).toEqual([one, expect.closeTo(1 / 0.9)]); // The limits of a tenth.
      expect(seen[2]).toEqual([other, expect.closeTo(1 / 1.1)]);
      expect([seen[1], seen[3]]).toEqual([seen[0], seen[2]]);
    });
  } finally {
    await queue.close();
  }
});

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

test('a refresh that somebody waits for now leaves the queue of bulk work', async () => {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  try {
    const taskQueue = `test-${randomUUID()}`;
    const workflowBundle = await bundleWorkflows();
    const ours = await Worker.create({
      connection: env.nativeConnection,
      taskQueue,
      workflowBundle,
      activities: quiet,
    });
    await runUntil([ours], async () => {
      // As the outbox starts an automatic refresh. No worker takes its step.
      const run = await env.client.workflow.start('scan', {
        taskQueue,
        workflowId: randomUUID(),
        args: [{ ...newReadJob(), urgency: 'BACKGROUND' }],
        priority: { priorityKey: 5 },
      });
      const priorities = async () => {
        const { events } = await run.fetchHistory();
        const scheduled = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
        return scheduled.map(({ priority }) => priority?.priorityKey);
      };
      await expect.poll(priorities).toEqual([5]);
      await run.signal(retryNow);
      await expect.poll(priorities).toEqual([5, 3]);
      await run.terminate();
    });
  } finally {
    await env.teardown();
  }
});
