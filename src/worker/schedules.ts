import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { SWEEPS, type SweepKind } from '../workflows/contract.ts';

/** Named after the task queue: services that share a namespace each do their own housekeeping. */
export const sweepScheduleId = (taskQueue: string, kind: SweepKind) => `${taskQueue}-sweep-${kind}`;

/** Makes the sweeps' Schedules where they are missing: at first start, and after Temporal's data was lost. */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const [name, { everySeconds, summary }] of Object.entries(SWEEPS)) {
    const kind = name as SweepKind;
    try {
      await client.schedule.create({
        scheduleId: sweepScheduleId(taskQueue, kind),
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
          workflowExecutionTimeout: '10 minutes',
        },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
}
