import type { WorkerOptions } from '@temporalio/worker';
import type { WorkerConfig } from '../config.ts';

/**
 * With a build id, a worker is one version of the deployment named after the task queue: it gets new work once an
 * operator has made that version the current one, and keeps what was begun with it. Workflows that may wait for days say
 * of themselves that they move on to a newer version (`src/workflows/versioned.ts`). Without one, any worker takes anything.
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
