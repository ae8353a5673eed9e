import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, inject, test, vi } from 'vitest';
import { bundleWorkflows, createWorkers, runUntil, startOn } from '../kit/temporal.ts';
import { newReadJob, quiet, until } from './fakes.ts';

const DEFECTIVE = path.join(import.meta.dirname, 'defective-workflows.ts');

test('a defect of a build ends no work: the run waits, and the repaired build completes it', async () => {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  try {
    const taskQueue = `test-${randomUUID()}`;
    const recordReadSetback = vi.fn(quiet.recordReadSetback);
    const runLookupStep = vi.fn(quiet.runLookupStep);
    const activities = { ...quiet, recordReadSetback, runLookupStep };
    const [broken, repaired] = await Promise.all([bundleWorkflows(DEFECTIVE), bundleWorkflows()]);
    const run = await startOn(env, taskQueue)('contentLookup', newReadJob());
    const hasFailedTask = async () => {
      const { events } = await run.fetchHistory();
      return events?.some((event) => event.workflowTaskFailedEventAttributes) ?? false;
    };
    await runUntil(await createWorkers(env, taskQueue, { activities, workflowBundle: broken }), () =>
      until(hasFailedTask),
    );
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect(recordReadSetback).not.toHaveBeenCalled();
    await runUntil(await createWorkers(env, taskQueue, { activities, workflowBundle: repaired }), () => run.result());
    expect(runLookupStep).toHaveBeenCalledOnce();
  } finally {
    await env.teardown();
  }
}, 90_000);
