import { setTimeout as delay } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { ServiceError } from '../basics/errors.ts';
import type { CliConfig } from '../config/config.ts';
import { createTemporalClient } from './client.ts';

/** One build of the workers, as Temporal knows it. */
export interface WorkerVersion {
  readonly buildId: string;
  /** CURRENT: new workflows start on it. DRAINING: it still has workflows of its own. DRAINED: its workers can go. */
  readonly status: 'CURRENT' | 'RAMPING' | 'DRAINING' | 'DRAINED' | 'INACTIVE' | 'UNKNOWN';
  readonly createdAt: Date | null;
}

/** The operators' commands for the versions of the workers. Each opens a connection of its own. */
export interface WorkerVersions {
  /** Newest first. Empty if all workers are unversioned. */
  list(): Promise<readonly WorkerVersion[]>;
  /**
   * Makes a build current once its workers poll; null for unversioned workers. @returns the build that was current; null if none was.
   * @throws ServiceError `BAD_USER_INPUT` if they do not within the time.
   */
  promote(buildId: string | null, withinMs: number): Promise<string | null>;
}

const STATUSES: readonly WorkerVersion['status'][] = [
  'UNKNOWN',
  'INACTIVE',
  'CURRENT',
  'RAMPING',
  'DRAINING',
  'DRAINED',
];
/** All task queues have the new routing. */
const ROUTING_COMPLETED = 2;
const CALL_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

const codeOf = (error: unknown): number | undefined => (isGrpcServiceError(error) ? Number(error.code) : undefined);

/** @returns undefined if no versioned worker has polled yet. */
async function describe(client: Client, deploymentName: string) {
  const { namespace } = client.options;
  try {
    const { workerDeploymentInfo } = await client.withDeadline(Date.now() + CALL_WITHIN_MS, () =>
      client.workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
    return workerDeploymentInfo ?? undefined;
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

/** The build that gets new workflows of this task queue; null if unversioned workers do. */
export async function findCurrentBuild(client: Client, taskQueue: string): Promise<string | null> {
  const info = await describe(client, taskQueue);
  return info?.routingConfig?.currentDeploymentVersion?.buildId || null; // Empty for unversioned workers.
}

export function createWorkerVersions(config: CliConfig): WorkerVersions {
  const deploymentName = config.TASK_QUEUE;

  async function connected<T>(work: (client: Client, namespace: string) => Promise<T>): Promise<T> {
    const client = createTemporalClient(config);
    try {
      return await work(client, client.options.namespace);
    } finally {
      await client.connection.close();
    }
  }

  /** @returns undefined while Temporal refuses it, because it does not know the build or its workers do not poll all queues. */
  async function makeCurrent(client: Client, namespace: string, buildId: string | null): Promise<true | undefined> {
    try {
      await client.withDeadline(Date.now() + CALL_WITHIN_MS, () =>
        client.workflowService.setWorkerDeploymentCurrentVersion({
          namespace,
          deploymentName,
          buildId: buildId ?? '',
          identity: 'command line',
        }),
      );
      return true;
    } catch (error) {
      if ([NOT_FOUND, FAILED_PRECONDITION].includes(codeOf(error) ?? -1)) return undefined;
      throw error;
    }
  }

  /** Repeats `attempt` until it returns a value. */
  async function until<T>(deadline: number, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      const result = await attempt();
      if (result !== undefined || Date.now() >= deadline) return result;
      await delay(LOOK_EVERY_MS);
    }
  }

  return {
    list: () =>
      connected(async (client) => {
        const info = await describe(client, deploymentName);
        return (info?.versionSummaries ?? [])
          .map(({ deploymentVersion, status, createTime }) => ({
            buildId: deploymentVersion?.buildId ?? '',
            status: STATUSES[status ?? 0] ?? 'UNKNOWN',
            createdAt: createTime?.seconds ? new Date(Number(createTime.seconds) * 1_000) : null,
          }))
          .sort((one, other) => Number(other.createdAt) - Number(one.createdAt));
      }),
    promote: (buildId, withinMs) =>
      connected(async (client, namespace) => {
        const deadline = Date.now() + withinMs;
        // Not from the answer to the request: if that is lost, the next one names the build itself.
        const before = await describe(client, deploymentName);
        if ((await until(deadline, () => makeCurrent(client, namespace, buildId))) === undefined) {
          throw new ServiceError(
            'BAD_USER_INPUT',
            buildId === null
              ? `The unversioned workers of ${deploymentName} do not poll all of its task queues: do they run?`
              : `No worker of build "${buildId}" polls all task queues of ${deploymentName}: do its workers run, with this WORKER_BUILD_ID?`,
          );
        }
        await until(deadline, async () => {
          const info = await describe(client, deploymentName);
          return info?.routingConfigUpdateState === ROUTING_COMPLETED ? true : undefined;
        });
        return before?.routingConfig?.currentDeploymentVersion?.buildId || null;
      }),
  };
}
