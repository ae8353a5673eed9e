import './workflow-thread.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowHandleWithStartDetails } from '@temporalio/client';
import type { SignalDefinition, Workflow } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { inject, test as plainTest } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import type { InlineSteps } from '../../src/activities/fast/inline-steps.ts';
import type {
  IssuerActivities,
  ProviderActivities,
  StoreActivities,
  WebhookActivities,
} from '../../src/activities/index.ts';
import { CONNECT_QUEUES, GRANT_QUEUES, ISSUER_QUEUE as ISSUERS, WEBHOOK_QUEUE } from '../../src/workflows/contract.ts';
import { isPatchTaken } from '../../src/workflows/patches.ts';
import { perFile } from './per-file.ts';

export type Activities = StoreActivities & ProviderActivities & InlineSteps & IssuerActivities & WebhookActivities;

/** Starts a workflow, by function or name, on the run's own queue; a signal is sent in the same request. */
export type Start = <W extends Workflow>(
  workflow: W | string,
  input: Parameters<W>[0],
  options?: { readonly signal?: SignalDefinition },
) => Promise<WorkflowHandleWithStartDetails<W>>;

/** A test's access to a server whose clock jumps to the next timer while a result is awaited. */
export type TestTemporal = Awaited<ReturnType<typeof openTemporal>>;

/** The identity in histories, because the defaults name process and host. */
export const IDENTITY = 'test';

const SOURCE = path.join(ROOT, 'src', 'workflows', 'index.ts');
export const VERSIONED = path.join(ROOT, 'src', 'workflows', 'versioned.ts');
const INTERCEPTORS = path.join(ROOT, 'src', 'workflows', 'trace-context.ts');

/** A test's output contains only the errors of the SDK's log. */
const logger = new DefaultLogger('ERROR');
const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
Runtime.install({ logger, telemetryOptions: { logging: { filter } } });

const bundles = new Map<string, ReturnType<typeof bundleWorkflowCode>>();

/** The bundle that `npm test` has built of the same sources; a mutation run has none of its mutants. */
async function readBuilt(): ReturnType<typeof bundleWorkflowCode> {
  const code = await readFile(path.join(ROOT, 'dist', 'workflow-bundles', 'index.js'), 'utf8');
  return { code, sourceMap: '' };
}
const isBuilt = process.env.BUILT_FOR_TESTS === 'yes';

/** The workflow bundle of a worker. Without a build it takes a second or two, once for all files of a process. */
export function bundleWorkflows(
  workflowsPath: string = SOURCE,
  further: readonly string[] = [],
): ReturnType<typeof bundleWorkflowCode> {
  const key = [workflowsPath, ...further].join();
  const workflowInterceptorModules = [INTERCEPTORS, ...further];
  const bundle =
    bundles.get(key) ??
    (isBuilt && key === SOURCE
      ? readBuilt()
      : bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger }));
  bundles.set(key, bundle);
  return bundle;
}

/** One provider represents all: workflows distinguish them only by the name of the queue. */
const SIDES = ['PROVIDER_B', CONNECT_QUEUES.PROVIDER_B, GRANT_QUEUES.PROVIDER_B, ISSUERS, WEBHOOK_QUEUE];

/** Workers for one task queue and for the providers' queues named after it. */
export async function createWorkers(
  env: TestWorkflowEnvironment,
  taskQueue: string,
  options: Pick<
    WorkerOptions,
    'workflowBundle' | 'shutdownGraceTime' | 'shutdownForceTime' | 'workerDeploymentOptions'
  > & { activities: object; patches?: readonly string[] },
): Promise<Worker[]> {
  const { workflowBundle, patches, ...rest } = options;
  const shared = { ...rest, connection: env.nativeConnection, identity: IDENTITY };
  return await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      ...(workflowBundle && { workflowBundle }),
      reuseV8Context: true,
      patchActivationCallback: ({ patchId }) => isPatchTaken(patchId, patches),
    }),
    ...SIDES.map((side) => Worker.create({ ...shared, taskQueue: `${taskQueue}-${side}` })),
  ]);
}

/** Runs workers during `work`, and waits for all of them to stop. */
export async function runUntil<T>(workers: readonly Worker[], work: () => Promise<T>): Promise<T> {
  const working = work();
  const stopped = await Promise.allSettled(workers.map((worker) => worker.runUntil(working)));
  const result = await working;
  for (const outcome of stopped) if (outcome.status === 'rejected') throw outcome.reason;
  return result;
}

/** `IndexedValueType` of Temporal's API. */
const KEYWORD = 2;

/** @param interceptors further modules of the workflows' bundle */
export async function openTemporal(interceptors: readonly string[] = []) {
  const [env, bundle] = await Promise.all([
    TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: inject('timeSkippingServer') } },
      client: { identity: IDENTITY },
    }),
    bundleWorkflows(SOURCE, interceptors),
  ]);
  await env.connection.operatorService.addSearchAttributes({
    namespace: env.client.options.namespace,
    searchAttributes: { AppId: KEYWORD, JobKind: KEYWORD, LastFailure: KEYWORD },
  });
  return {
    env,
    bundle,
    /** The server's clock in milliseconds since the epoch, which is ahead of ours after it skipped. */
    now: () => env.currentTimeMs(),
    /** Runs the workflows, and these activities on their queue and each provider's, until `work` has settled. */
    async run<T>(activities: Partial<Activities>, work: (start: Start, taskQueue: string) => Promise<T>): Promise<T> {
      const taskQueue = `test-${randomUUID()}`;
      const workers = await createWorkers(env, taskQueue, { activities, workflowBundle: bundle });
      return await runUntil(workers, () => work(startOn(env, taskQueue), taskQueue));
    },
    close: () => env.teardown(),
  };
}

export const startOn = (env: TestWorkflowEnvironment, taskQueue: string): Start => {
  return async <W extends Workflow>(
    workflow: W | string,
    input: Parameters<W>[0],
    { signal }: Parameters<Start>[2] = {},
  ) => {
    const options = { taskQueue, workflowId: randomUUID(), args: [input] };
    const handle =
      signal === undefined
        ? await env.client.workflow.start(workflow as string, options)
        : await env.client.workflow.signalWithStart(workflow as string, { ...options, signal, signalArgs: [] });
    return handle as WorkflowHandleWithStartDetails<Workflow> as WorkflowHandleWithStartDetails<W>;
  };
};

/** A workflow's current details as the Temporal UI shows them. */
export async function currentDetails(handle: { query<T>(name: string): Promise<T> }): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

/** `test` with a time-skipping server that all tests of one file share. A call that outlives its run stops the clock of its server. */
export const test = plainTest.extend<{ $file: { temporal: TestTemporal } }>({
  temporal: perFile(() => openTemporal()),
});
