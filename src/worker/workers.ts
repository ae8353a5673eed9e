import { existsSync } from 'node:fs';
import path from 'node:path';
import { type NativeConnection, Worker, type WorkerInterceptors, type WorkerOptions } from '@temporalio/worker';
import type { IssuerActivities, ProviderActivities, StoreActivities } from '../activities/index.ts';
import type { WorkerConfig } from '../config.ts';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import { activityTracing, workflowTracing } from '../telemetry/temporal-worker.ts';
import { readTemporalSettings } from '../temporal-settings.ts';
import { ISSUER_QUEUE } from '../workflows/contract.ts';
import { getVersioningOptions } from './versioning.ts';

/** Where the build puts the workflows' code. */
const BUNDLES = path.join(import.meta.dirname, '..', 'workflow-bundles');

/** The workers of one process: one for workflows and our own store, one for each far side's queue. */
export async function createWorkers(
  config: WorkerConfig,
  connection: NativeConnection,
  activities: { store: StoreActivities; provider: ProviderActivities; issuer: IssuerActivities },
): Promise<Worker[]> {
  const taskQueue = config.TASK_QUEUE;
  const interceptors = { activity: [activityTracing] };
  const shared = {
    connection,
    interceptors,
    namespace: readTemporalSettings(config).namespace,
    shutdownGraceTime: `${config.SHUTDOWN_GRACE_SECONDS} seconds`,
    ...getVersioningOptions(config),
  } as const;
  return await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      ...getWorkflowCode(config, interceptors),
      sinks: { ...workflowTracing },
      reuseV8Context: true,
      activities: activities.store,
    }),
    ...PROVIDER_NAMES.map((provider) =>
      Worker.create({
        ...shared,
        taskQueue: `${taskQueue}-${provider}`,
        activities: activities.provider,
        // An activity makes a call at least: the calls themselves are metered one by one.
        maxTaskQueueActivitiesPerSecond: config[`${provider}_CALLS_PER_SECOND`],
        // What cannot be sent within seconds waits in the queue, where the order is that of the priorities.
        maxConcurrentActivityTaskExecutions: countSlots(config[`${provider}_CALLS_PER_SECOND`]),
      }),
    ),
    Worker.create({ ...shared, taskQueue: `${taskQueue}-${ISSUER_QUEUE}`, activities: activities.issuer }),
  ]);
}

/** How many calls to a provider one worker has in hand at a time. */
const countSlots = (callsPerSecond: number) => Math.max(10, Math.min(100, Math.ceil(2 * callsPerSecond)));

/** The built bundle; run from sources in development there may be none, and it is made while starting. */
function getWorkflowCode(
  config: WorkerConfig,
  interceptors: WorkerInterceptors,
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors'> {
  const name = config.WORKER_BUILD_ID === undefined ? 'index' : 'versioned';
  const codePath = config.WORKFLOW_BUNDLE ?? path.join(BUNDLES, `${name}.js`);
  if (config.DEPLOYMENT === 'production' || existsSync(codePath)) return { workflowBundle: { codePath } };
  const sourceOf = (module: string) =>
    path.join(import.meta.dirname, '..', 'workflows', `${module}${path.extname(import.meta.filename)}`);
  return {
    workflowsPath: sourceOf(name),
    interceptors: { ...interceptors, workflowModules: [sourceOf('trace-context')] },
  };
}
