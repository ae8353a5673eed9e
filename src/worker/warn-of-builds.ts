import type { Client } from '@temporalio/client';
import type { Log } from '../basics/log.ts';
import { findCurrentBuild } from '../temporal/worker-versions.ts';

/** Warns if unversioned workers get no new workflows, because Temporal gives them to a build, whether its workers run or not. */
export async function warnOfBuilds(client: Client, taskQueue: string, log: Log): Promise<void> {
  try {
    const buildId = await findCurrentBuild(client, taskQueue);
    if (buildId !== null)
      log.warn('New workflows go to a build: run `workers promote --unversioned`, or set WORKER_BUILD_ID', { buildId });
  } catch (error) {
    log.warn('Could not ask Temporal which build gets new workflows', { error });
  }
}
