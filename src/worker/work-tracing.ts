import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { findNamedInLog } from '../activities/log-context.ts';
import { countSweep } from '../telemetry/instruments.ts';
import { recordSpan, resumeTrace, runInSpan, SpanKind } from '../telemetry/tracing.ts';
import type { ScheduledSweep, SweepRound } from '../workflows/contract.ts';
import { readTrace, spanIdOf, type TraceSinks } from '../workflows/trace-header.ts';

/** The activity that runs each kind of scheduled sweep. */
const SWEEPING: Readonly<Record<string, ScheduledSweep>> = {
  reconcileRows: 'reconcile',
  startUpkeep: 'upkeep',
  applyRetention: 'retention',
};

/** Counts the sweep round if the activity is one. */
async function countRound<T>(activityType: string, work: () => Promise<T>): Promise<T> {
  const sweep = SWEEPING[activityType];
  if (sweep === undefined) return await work();
  try {
    const result = await work();
    countSweep(sweep, (result as SweepRound).failed.length === 0 ? 'OK' : 'FAILED');
    return result;
  } catch (error) {
    countSweep(sweep, 'FAILED');
    throw error;
  }
}

/** Runs each activity in a span below the span that started or signaled its workflow, and names its work in its log lines. */
export const activityTracing: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    execute: async (input, next) =>
      await resumeTrace(readTrace(input.headers), () =>
        runInSpan(
          context.info.activityType,
          {
            kind: SpanKind.CONSUMER,
            attributes: {
              'temporal.workflow.type': context.info.workflowType ?? '',
              'temporal.workflow.id': context.info.workflowExecution?.workflowId ?? '',
              'temporal.run.id': context.info.workflowExecution?.runId ?? '',
              'temporal.activity.attempt': context.info.attempt,
              'temporal.task_queue': context.info.taskQueue,
            },
          },
          () => countRound(context.info.activityType, () => next(input)),
        ),
      ),
  },
  outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...findNamedInLog(context) }) },
});

/** Records a span for each workflow run when it ends, including its waits. A run that is terminated or times out has none. */
export const workflowTracing: InjectedSinks<TraceSinks> = {
  traces: {
    ended: {
      fn: ({ runId, runStartTime, workflowId, workflowType }, parent) =>
        resumeTrace(parent, () => {
          recordSpan(workflowType, {
            kind: SpanKind.CONSUMER,
            startTime: runStartTime,
            spanId: spanIdOf(runId), // The spans of its activities name it as their parent.
            attributes: {
              'temporal.workflow.type': workflowType,
              'temporal.workflow.id': workflowId,
              'temporal.run.id': runId,
            },
          });
        }),
    },
  },
};
