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
/** A worker reports to the database every ten seconds (`worker/presence.ts`). */
const LONGEST_SILENCE_MS = 30_000;
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

/**
 * Completes Temporal's answer by the workers' last report to the database. Temporal shows a frozen worker as polling until its poll ends.
 * Workers that poll without a report, such as while the database is read-only, are not silent.
 */
export function completeByReport(
  answer: WorkersAnswer,
  report: { readonly seenAt: Date; readonly ageSeconds: number } | undefined,
): WorkersAnswer {
  if (answer.state === 'NOT_KNOWN' || report === undefined) return answer;
  const { seenAt } = answer;
  const polledMs = seenAt?.getTime() ?? 0;
  const isQuiet = report.ageSeconds * 1_000 > LONGEST_SILENCE_MS && Date.now() - polledMs > LONGEST_SILENCE_MS;
  return {
    state: isQuiet ? 'SILENT' : answer.state,
    seenAt: report.seenAt.getTime() > polledMs ? report.seenAt : seenAt,
  };
}
