import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { SWEEPS, type SweepKind } from '../workflows/contract.ts';

/** Makes the sweeps' Schedules where they are missing: at first start, and after Temporal's data was lost. */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const [kind, { every, summary }] of Object.entries(SWEEPS)) {
    try {
      await client.schedule.create({
        scheduleId: `sweep-${kind}`,
        spec: { intervals: [{ every: every as '1 minute' }] },
        // A round that is late is made up for by the next one, not by many at once.
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
        memo: { summary },
        action: {
          type: 'startWorkflow',
          workflowType: 'sweep',
          workflowId: `sweep/${kind}`,
          taskQueue,
          args: [{ kind: kind as SweepKind }],
          staticSummary: summary,
          workflowExecutionTimeout: '10 minutes',
        },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
}
