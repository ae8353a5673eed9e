import type { Client } from '@temporalio/client';

/** Whether workers take the tasks of workflows. NOT_KNOWN if Temporal does not answer. */
export type WorkersState = 'ANSWERING' | 'SILENT' | 'NOT_KNOWN';

export interface WorkersAnswer {
  readonly state: WorkersState;
  /** The last time that a worker asked for work. Null if Temporal has forgotten it, or did not answer. */
  readonly seenAt: Date | null;
}

/** A worker polls at least once a minute: Temporal ends an empty poll after that time. */
const LONGEST_PAUSE_MS = 90_000;
/** `TASK_QUEUE_TYPE_WORKFLOW` of Temporal's API. */
const WORKFLOW_TASKS = 1;

/** Compares the workers' last poll with the clock of this process. */
export async function askWorkers(client: Client, taskQueue: string): Promise<WorkersAnswer> {
  const { namespace } = client.options;
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  const lastPolls = pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
  const seenMs = Math.max(0, ...lastPolls);
  return {
    state: Date.now() - seenMs < LONGEST_PAUSE_MS ? 'ANSWERING' : 'SILENT',
    seenAt: seenMs === 0 ? null : new Date(seenMs),
  };
}
