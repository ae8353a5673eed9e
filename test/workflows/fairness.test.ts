import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { NAMESPACE } from '../../src/local/temporal.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { bundleWorkflows, runUntil } from '../kit/temporal.ts';
import { newReadJob, quiet } from './fakes.ts';

const APP_ID = defineSearchAttributeKey('AppId', SearchAttributeType.KEYWORD);
const BUSY_APPS = 20;
const LOOKUPS_OF_EACH = 3;

test('one lookup of an app passes the waiting lookups of twenty others', async () => {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  const runs: WorkflowHandle[] = [];
  try {
    const taskQueue = `test-${randomUUID()}`;
    const workflowBundle = await bundleWorkflows();
    // It works on the workflows alone: the test takes the lookups.
    const ours = await Worker.create({
      connection: env.nativeConnection,
      taskQueue,
      workflowBundle,
      activities: quiet,
    });
    /** Starts a lookup, which then waits in the queue of its provider. */
    const lookUp = async (appId: string) => {
      const run = await env.client.workflow.start('contentLookup', {
        taskQueue,
        workflowId: randomUUID(),
        args: [newReadJob()],
        typedSearchAttributes: new TypedSearchAttributes([{ key: APP_ID, value: appId }]),
      });
      runs.push(run);
      const isWaiting = async () => (await run.describe()).raw.pendingActivities?.length === 1;
      await expect.poll(isWaiting).toBe(true);
      return run.workflowId;
    };
    /** Takes a lookup out of the queue, as a worker would. @returns its workflow */
    const take = async () => {
      const queue = { name: `${taskQueue}-PROVIDER_B` };
      const task = await env.connection.withDeadline(Date.now() + 15_000, () =>
        env.connection.workflowService.pollActivityTaskQueue({ namespace: NAMESPACE, taskQueue: queue }),
      );
      return task.workflowExecution?.workflowId;
    };
    await runUntil([ours], async () => {
      const apps = Array.from({ length: BUSY_APPS }, () => randomUUID());
      for (let turn = 0; turn < LOOKUPS_OF_EACH; turn += 1) await Promise.all(apps.map(lookUp));
      for (let taken = 0; taken < BUSY_APPS + 2; taken += 1) await take();
      const single = await lookUp(randomUUID());
      const next = [await take(), await take(), await take()];
      expect(next).toContain(single);
    });
  } finally {
    await Promise.all(runs.map((run) => run.terminate().catch(() => undefined)));
    await env.teardown();
  }
}, 60_000);

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
}, 60_000);
