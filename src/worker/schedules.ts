import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Log } from '../log.ts';
import { SWEEPS, type SweepKind } from '../workflows/contract.ts';

/** How often they are looked at: they go with Temporal's data, and nothing else would bring them back. */
const EVERY_MS = 60_000;
/** Of a shut-down's time no more is waited for one look. */
const WITHIN_MS = 5_000;

/** Named after the task queue: services that share a namespace each do their own housekeeping. @internal */
export const getSweepScheduleId = (taskQueue: string, kind: SweepKind) => `${taskQueue}-sweep-${kind}`;

/** Makes the sweeps' Schedules where they are missing: at first start, and after Temporal's data was lost. */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const [name, { everySeconds, summary }] of Object.entries(SWEEPS)) {
    const kind = name as SweepKind;
    try {
      await client.schedule.create({
        scheduleId: getSweepScheduleId(taskQueue, kind),
        spec: { intervals: [{ every: everySeconds * 1_000 }] },
        // A round that is late is made up for by the next one, not by many at once.
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
        memo: { summary },
        action: {
          type: 'startWorkflow',
          workflowType: 'sweep',
          workflowId: `sweep/${taskQueue}/${kind}`,
          taskQueue,
          args: [{ kind }],
          staticSummary: summary,
          // It ends when nothing is due, or goes on as a new run: this only frees the way of one that nobody works on.
          workflowRunTimeout: '1 day',
        },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
}

/**
 * Makes them anew whenever they are gone. @returns ends it; when that resolves nothing is being asked any more. The client
 * would throw where nobody catches, if its connection were closed while a call waits to be tried again.
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
      .catch((error: unknown) => log.warn('Schedules not looked at', { error }))
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
