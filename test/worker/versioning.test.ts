import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import type { CliConfig } from '../../src/config/config.ts';
import { startMetrics } from '../../src/telemetry/metrics.ts';
import { createWorkerVersions } from '../../src/temporal/worker-versions.ts';
import { observeTemporal } from '../../src/worker/gauges.ts';
import { getVersioningOptions } from '../../src/worker/versioning.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { failure, newAttempt, newDisconnect, quiet, until, wait } from '../kit/fake-activities.ts';
import { bundleWorkflows, createWorkers, startOn, VERSIONED } from '../kit/temporal.ts';

const SOON = { interval: 100 };
/** By default a version counts as drained minutes after its last workflow ended. */
const DRAINED_SOON = ['VisibilityGracePeriod', 'RefreshInterval'].flatMap((name) => [
  '--dynamic-config-value',
  `matching.wv.VersionDrainageStatus${name}="1s"`,
]);

/** A deployment on a separate Temporal server, with the effects of the operator's commands. */
async function openDeployment() {
  const program = inject('temporalCommand');
  const workflowBundle = await bundleWorkflows(VERSIONED); // Before the server starts, so that a failure leaves none running.
  const env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: program },
      extraArgs: [...DRAINED_SOON, '--search-attribute', 'LastFailure=Keyword'],
    },
  });
  const taskQueue = `test-${randomUUID()}`;
  process.env.TEMPORAL_ADDRESS = env.address;
  const versions = createWorkerVersions({ TASK_QUEUE: taskQueue } as CliConfig);
  return {
    env,
    taskQueue,
    start: startOn(env, taskQueue),
    /** Workers of one build, which record each call and its build in `calls`. */
    async run(buildId: string, calls: string[], revoke: () => Promise<void>, exchange = async () => {}) {
      const workers = await createWorkers(env, taskQueue, {
        activities: {
          ...quiet,
          obtainGrant: async () => {
            await exchange();
            calls.push(`${buildId} exchange`);
          },
          tryRevoke: async () => {
            calls.push(`${buildId} revoke`);
            await revoke();
          },
          recordDisconnectFailure: async () => wait(3_000),
          eraseConnection: async () => void calls.push(`${buildId} erase`),
        },
        workflowBundle,
        ...getVersioningOptions({ TASK_QUEUE: taskQueue, WORKER_BUILD_ID: buildId }),
      });
      const runs = workers.map((worker) => worker.run());
      return async () => {
        for (const worker of workers) worker.shutdown();
        await Promise.all(runs);
      };
    },
    promote: (buildId: string, withinMs = 20_000) => versions.promote(buildId, withinMs),
    async listStatuses() {
      return (await versions.list()).map(({ buildId, status }) => `${buildId} ${status}`);
    },
  };
}

/** The gauge's value for the deployment's main queue. */
async function backlogs({ env, taskQueue }: Awaited<ReturnType<typeof openDeployment>>) {
  const metrics = await startMetrics({ host: LOOPBACK, port: 0 }, createLog('silent'));
  observeTemporal(metrics.board, env.client, taskQueue);
  const text = await (await fetch(`http://${LOOPBACK}:${metrics.port}/metrics`)).text();
  await metrics.close();
  const series = new RegExp(`^accounts_task_queue_backlog\\{queue="${taskQueue}",type="(\\w+)"\\} (\\d+)$`, 'gm');
  return [...text.matchAll(series)].map(([, type, count]) => [type, Number(count)]);
}

test('versions of workers an attempt ends on its first version, a waiting disconnect moves to the new one, and nothing is lost', async () => {
  const deployment = await openDeployment();
  const { env, start } = deployment;
  onTestFinished(() => env.teardown());
  const calls: string[] = [];
  expect(await deployment.listStatuses()).toEqual([]);
  await expect(deployment.promote('1', 500)).rejects.toThrow(/^No worker of build "1" polls all task queues of test-/);
  let isAway = true;
  const refuse = async () => Promise.reject(failure('RetryLater'));
  const exchange = async () => (isAway ? await refuse() : undefined);
  const stopOld = await deployment.run('1', calls, refuse, exchange);
  expect(await deployment.promote('1')).toBeNull();
  const attempt = await start('connectAttempt', newAttempt(Date.now()));
  const letGo = await start('disconnect', newDisconnect());
  await until(() => calls.length === 1);
  const waits = async () => (await letGo.fetchHistory()).events?.at(-1)?.timerStartedEventAttributes != null;
  await until(waits);

  const stopNew = await deployment.run('2', calls, async () => undefined, exchange);
  expect(await deployment.promote('2')).toBe('1');
  const later = await start('connectAttempt', newAttempt(Date.now()));
  await letGo.signal(retryNow);
  await letGo.result();
  expect(calls).toEqual(['1 revoke', '2 revoke', '2 erase']);
  // One attempt still runs on the first version.
  await vi.waitFor(async () => expect(await deployment.listStatuses()).toEqual(['2 CURRENT', '1 DRAINING']), SOON);
  const keepsIt = `TemporalWorkerDeploymentVersion = "${deployment.taskQueue}:1" AND ExecutionStatus = "Running"`;
  await vi.waitFor(async () => expect((await env.client.workflow.count(keepsIt)).count).toBe(1), SOON);

  isAway = false;
  expect(await Promise.all([attempt.result(), later.result()])).toEqual([
    { status: 'COMPLETED', resultCode: null },
    { status: 'COMPLETED', resultCode: null },
  ]);
  expect(calls.slice(3).sort()).toEqual(['1 exchange', '2 exchange']);
  // The way back, and on again.
  expect([await deployment.promote('1'), await deployment.promote('2')]).toEqual(['2', '1']);
  await vi.waitFor(async () => expect(await deployment.listStatuses()).toEqual(['2 CURRENT', '1 DRAINED']), SOON);
  await stopOld();
  const running = await env.client.workflow.count('ExecutionStatus = "Running" AND TaskQueue STARTS_WITH "test-"');
  expect(running.count).toBe(0);
  await stopNew();

  // Waiting tasks are in their version's queue, which is counted a moment later.
  await start('connectAttempt', newAttempt(Date.now()));
  await vi.waitFor(async () => expect(await backlogs(deployment)).toContainEqual(['workflow', 1]), SOON);
});
