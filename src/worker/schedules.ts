import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Log } from '../log.ts';
import { SWEEPS, type SweepKind } from '../workflows/contract.ts';

/** How often the worker checks the Schedules: if Temporal loses its data, nothing else re-creates them. */
const EVERY_MS = 60_000;
/** The time limit of one check, so that it does not delay a shutdown. */
const WITHIN_MS = 5_000;

/** Contains the task queue's name, so that each service in a shared namespace has its own sweeps. @internal */
export const getSweepScheduleId = (taskQueue: string, kind: SweepKind) => `${taskQueue}-sweep-${kind}`;

/** Creates missing Schedules of the sweeps: at the first start, and after Temporal lost its data. */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const [name, { everySeconds, summary }] of Object.entries(SWEEPS)) {
    const kind = name as SweepKind;
    try {
      await client.schedule.create({
        scheduleId: getSweepScheduleId(taskQueue, kind),
        spec: { intervals: [{ every: everySeconds * 1_000 }] },
        // After an outage one round runs, not one for each missed interval.
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
        memo: { summary },
        action: {
          type: 'startWorkflow',
          workflowType: 'sweep',
          workflowId: `sweep/${taskQueue}/${kind}`,
          taskQueue,
          args: [{ kind }],
          staticSummary: summary,
          // A round ends when nothing is due, or continues as a new run. The timeout only ends a run that no worker handles.
          workflowRunTimeout: '1 day',
        },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
}

/**
 * Re-creates missing Schedules regularly. @returns a function that stops this; it resolves when no call is running. If the
 * connection closed while a call waits for its retry, the client would throw an uncaught error.
 */
export function watchSchedules(
  client: Client,
  taskQueue: string,
  log: Log,
  { everyMs = EVERY_MS, withinMs = WITHIN_MS } = {},
): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const look = () =>
    client
      .withDeadline(Date.now() + withinMs, () => ensureSchedules(client, taskQueue))
      .catch((error: unknown) => log.warn('Schedules not checked', { error }))
      .finally(() => {
        looking = undefined;
      });
  const timer = setInterval(() => {
    looking ??= look();
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
