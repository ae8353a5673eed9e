import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type ActivityInterceptorsFactory,
  type NativeConnection,
  Worker,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker';
import type { InlineSteps } from '../activities/fast/inline-steps.ts';
import type { IssuerActivities, ProviderActivities, StoreActivities, WebhookActivities } from '../activities/index.ts';
import { PROVIDER_NAMES, type ProviderName } from '../basics/codes.ts';
import { readTemporalSettings } from '../basics/temporal-settings.ts';
import type { WorkerConfig } from '../config/config.ts';
import { CONNECT_QUEUES, GRANT_QUEUES, ISSUER_QUEUE, WEBHOOK_QUEUE } from '../workflows/contract.ts';
import { isPatchTaken } from '../workflows/patches.ts';
import { getVersioningOptions } from './versioning.ts';
import { activityTracing, workflowTracing } from './work-tracing.ts';

/** The folder of the built workflow code. */
const BUNDLES = path.join(import.meta.dirname, '..', 'workflow-bundles');

/**
 * How long a step of a workflow waits for the worker that has it in memory. A step that waits longer loses its place: of many
 * that are woken at once, the last would then start after the others have ended. After a crash, other workers wait as long.
 */
const STICKY_WAIT = '20 seconds';

/**
 * By default the library sends a heartbeat only after 80 % of its timeout. One lost request or a stall of three seconds then made
 * Temporal start a live call a second time. Now several in a row must fail to arrive.
 */
const HEARTBEATS_AT_MOST_EVERY = '4 seconds';

/** Creates the workers of one process: one for workflows and our own store, one for each queue of calls. */
export async function createWorkers(
  config: WorkerConfig,
  connection: NativeConnection,
  activities: {
    store: StoreActivities;
    provider: ProviderActivities;
    issuer: IssuerActivities;
    webhook: WebhookActivities;
    inlineSteps: InlineSteps;
  },
  { identity, activityEnded }: { identity?: string; activityEnded?: () => void } = {},
): Promise<Worker[]> {
  const taskQueue = config.TASK_QUEUE;
  const noting: ActivityInterceptorsFactory = () => ({
    inbound: { execute: (input, next) => next(input).finally(activityEnded) },
  });
  const interceptors = { activity: [activityTracing, noting] };
  const shared = {
    connection,
    ...(identity !== undefined && { identity }),
    interceptors,
    namespace: readTemporalSettings(config).namespace,
    shutdownGraceTime: `${config.SHUTDOWN_GRACE_SECONDS} seconds`,
    maxHeartbeatThrottleInterval: HEARTBEATS_AT_MOST_EVERY,
    ...getVersioningOptions(config),
  } as const;
  return await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      ...getWorkflowCode(config, interceptors),
      patchActivationCallback: ({ patchId }) => isPatchTaken(patchId, config.WORKFLOW_PATCHES),
      sinks: { ...workflowTracing },
      reuseV8Context: true,
      stickyQueueScheduleToStartTimeout: STICKY_WAIT,
      activities: { ...activities.store, ...activities.inlineSteps },
    }),
    ...PROVIDER_NAMES.flatMap((provider) =>
      [provider, CONNECT_QUEUES[provider], GRANT_QUEUES[provider]].map((side) =>
        Worker.create({
          ...shared,
          taskQueue: `${taskQueue}-${side}`,
          activities: activities.provider,
          maxTaskQueueActivitiesPerSecond: getQueueLimit(config, provider),
          // Further activities wait in the queue, which orders them by priority.
          maxConcurrentActivityTaskExecutions: countSlots(config[`${provider}_CALLS_PER_SECOND`]),
        }),
      ),
    ),
    Worker.create({ ...shared, taskQueue: `${taskQueue}-${ISSUER_QUEUE}`, activities: activities.issuer }),
    Worker.create({
      ...shared,
      taskQueue: `${taskQueue}-${WEBHOOK_QUEUE}`,
      activities: activities.webhook,
      // An endpoint that does not answer holds one of them for 15 seconds, at most every five minutes.
      maxConcurrentActivityTaskExecutions: 200,
    }),
  ]);
}

/**
 * Each activity makes at least one call; the slots in the database hold the exact rate. Partitions share a queue's limit, and are not
 * equally full: with several of them the limit only orders the backlog.
 */
const getQueueLimit = (config: WorkerConfig, provider: ProviderName): number =>
  config[`${provider}_CALLS_PER_SECOND`] * (config.TASK_QUEUE_PARTITIONS > 1 ? 2 : 1);

/** How many activities of a provider one worker runs at a time. */
const countSlots = (callsPerSecond: number) => Math.max(10, Math.min(100, Math.ceil(2 * callsPerSecond)));

/** The built bundle. In development there may be none: then the worker bundles the sources while it starts. */
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
