// A part of the workflows' bundle in tests: writes down the requests of a run. It runs in the sandbox.
import * as wf from '@temporalio/workflow';

/** The next request of a run. */
export interface Line {
  readonly text: string;
  /** Of a call or a timer: all its options. */
  readonly options?: object;
}

/** The query that a run answers with its lines. */
export const TRANSCRIPT = 'transcript';
/** A workflow whose id begins like this gets a long history at this length: `long/12/…`. */
const LONG = /^long\/(\d+)\//;

/** The part of the SDK's run that it gives to no other code. */
interface Activator {
  mutateWorkflowInfo(change: (info: wf.WorkflowInfo) => wf.WorkflowInfo): void;
}
const getActivator = () => (globalThis as unknown as { __TEMPORAL_ACTIVATOR__: Activator }).__TEMPORAL_ACTIVATOR__;

export function interceptors(): wf.WorkflowInterceptors {
  const lines: { text: string; options?: object }[] = [];
  wf.setHandler(wf.defineQuery<Line[]>(TRANSCRIPT), () => lines);
  const note = (text: string, options?: object) => {
    const line = { text, ...(options && { options }) };
    lines.push(line);
    return line;
  };
  return {
    inbound: [
      {
        execute: async (input, next) => {
          try {
            const result = await next(input);
            note(`returns ${JSON.stringify(result)}`);
            return result;
          } catch (error) {
            if (error instanceof wf.ContinueAsNew) throw error;
            note(`fails: ${(error instanceof wf.ApplicationFailure && error.type) || error}`);
            // Temporal would have the run wait for a repaired build.
            throw error instanceof wf.TemporalFailure ? error : wf.ApplicationFailure.nonRetryable(String(error));
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: async (input, next) => {
          const { taskQueue, priority } = input.options;
          const queue = taskQueue?.slice(wf.workflowInfo().taskQueue.length + 1);
          const place = queue === undefined ? 'queued' : `on ${queue}`;
          const turn = priority?.priorityKey ? `, priority ${priority.priorityKey}` : '';
          note(`${input.activityType} ${place}${turn} ${JSON.stringify(input.args[0])}`, input.options);
          return await next(input);
        },
        scheduleLocalActivity: async (input, next) => {
          note(`${input.activityType} local ${JSON.stringify(input.args[0])}`, input.options);
          return await next(input);
        },
        startTimer: async (input, next) => {
          const line = note(`waits ${input.durationMs / 1_000} s`, input.options);
          try {
            await next(input);
          } catch (error) {
            line.text += ', cut short';
            throw error;
          }
        },
        continueAsNew: async (input, next) => {
          note(`continues as new ${JSON.stringify(input.args[0])}`);
          return await next(input);
        },
      },
    ],
    internals: [
      {
        activate: (input, next) => {
          const { workflowId, historyLength } = wf.workflowInfo();
          const most = LONG.exec(workflowId)?.[1];
          if (most !== undefined && historyLength >= Number(most))
            getActivator().mutateWorkflowInfo((info) => ({ ...info, continueAsNewSuggested: true }));
          next(input);
        },
      },
    ],
  };
}
