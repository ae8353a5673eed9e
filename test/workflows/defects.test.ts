import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import { startMetrics } from '../../src/telemetry/metrics.ts';
import { createWorkflowAsker } from '../../src/temporal/ask-workflow.ts';
import { getWorkflowState } from '../../src/temporal/start-workflow.ts';
import { observeTemporal } from '../../src/worker/gauges.ts';
import { newReadJob, quiet } from '../kit/fake-activities.ts';
import { bundleWorkflows, createWorkers, runUntil, startOn } from '../kit/temporal.ts';

const DEFECTIVE = path.join(import.meta.dirname, 'defective-workflows.ts');
/** Temporal waits ten seconds after the second failure in a row, and longer after each further one. */
const SEEN = { interval: 500 };

/** A worker that takes each task of a queue and freezes, until one has timed out as often as one that fails. */
async function freeze(client: Client, name: string): Promise<void> {
  const { namespace } = client.options;
  const poll = () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name }, identity: 'frozen' });
  for (let attempt = 0; attempt <= 3; ) ({ attempt } = await client.withDeadline(Date.now() + 60_000, poll));
}

test('a defect of a build, unlike a frozen worker, is seen; it ends no work, and the repaired build completes it', async () => {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: inject('temporalAddress') });
  const metrics = await startMetrics({ host: LOOPBACK, port: 0 }, createLog('silent'));
  onTestFinished(() => env.teardown());
  onTestFinished(() => metrics.close());
  const taskQueue = `test-${randomUUID()}`;
  const recordReadFailure = vi.fn(quiet.recordReadFailure);
  const runLookupStep = vi.fn(quiet.runLookupStep);
  const activities = { ...quiet, recordReadFailure, runLookupStep };
  const [broken, repaired] = await Promise.all([bundleWorkflows(DEFECTIVE), bundleWorkflows()]);
  const start = startOn(env, taskQueue);
  const run = await start('contentLookup', newReadJob());
  const frozen = `frozen-${randomUUID()}`;
  const other = await env.client.workflow.start('contentLookup', {
    ...{ taskQueue: frozen, workflowId: frozen, args: [newReadJob()], workflowTaskTimeout: '1 second' },
  });
  const { ask, askWorkers, countFailing } = createWorkflowAsker(env.client, taskQueue);
  observeTemporal(metrics.board, env.client, taskQueue);
  const readGauge = async () => {
    const text = await (await fetch(`http://${LOOPBACK}:${metrics.port}/metrics`)).text();
    return /^accounts_workflows_failing (\d+)$/m.exec(text)?.[1];
  };
  const stateOf = (workflowId: string) => getWorkflowState(env.client, workflowId);
  expect([await countFailing(), await askWorkers()]).toEqual([0, { state: 'SILENT', seenAt: null }]);
  const seen = runUntil(await createWorkers(env, taskQueue, { activities, workflowBundle: broken }), async () => {
    await expect.poll(() => stateOf(run.workflowId), SEEN).toBe('failing');
    expect(await ask(run.workflowId)).toMatchObject({ state: 'RUNNING', failing: true });
    await expect.poll(countFailing, SEEN).toBe(1);
    expect(await askWorkers()).toMatchObject({ state: 'ANSWERING', seenAt: expect.any(Date) });
    await expect.poll(readGauge, SEEN).toBe('1');
  });
  await Promise.all([seen, freeze(env.client, frozen)]);
  const timedOut = `TemporalReportedProblems IN ("category=WorkflowTaskTimedOut") AND TaskQueue = "${frozen}"`;
  await expect.poll(async () => (await env.client.workflow.count(timedOut)).count, SEEN).toBe(1);
  expect(await createWorkflowAsker(env.client, frozen).countFailing()).toBe(0);
  expect(recordReadFailure).not.toHaveBeenCalled();
  expect([await stateOf(other.workflowId), await ask(other.workflowId)]).toMatchObject(['running', { failing: false }]);
  await runUntil(await createWorkers(env, taskQueue, { activities, workflowBundle: repaired }), () => run.result());
  expect(runLookupStep).toHaveBeenCalledOnce();
  expect([await stateOf(run.workflowId), await ask(run.workflowId)]).toMatchObject(['closed', { failing: false }]);
  await expect.poll(countFailing, SEEN).toBe(0);
  await other.terminate();
});
