import type { WorkerOptions } from '@temporalio/worker';
import type { WorkerConfig } from '../config/config.ts';

/**
 * With a build id, a worker is one version of the deployment named after the task queue. It gets new workflows once an
 * operator makes that version the current one, and finishes the workflows that it began. Workflows that may wait for days
 * move to newer versions (`src/workflows/versioned.ts`). Without a build id, any worker runs any workflow.
 */
export const getVersioningOptions = (
  config: Pick<WorkerConfig, 'TASK_QUEUE' | 'WORKER_BUILD_ID'>,
): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  config.WORKER_BUILD_ID === undefined
    ? {}
    : {
        workerDeploymentOptions: {
          version: { deploymentName: config.TASK_QUEUE, buildId: config.WORKER_BUILD_ID },
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'PINNED',
        },
      };
