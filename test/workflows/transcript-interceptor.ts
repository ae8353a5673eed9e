// A part of the workflows' bundle in tests: writes down the state and the requests of a run. It runs in the sandbox.
import * as wf from '@temporalio/workflow';
import type { Progress } from '../../src/workflows/contract.ts';

/** The next step of a run. */
export interface Line {
  readonly text: string;
  /** Of a call: all its options. */
  readonly options?: object;
}

/** The query that a run answers with its lines. */
export const TRANSCRIPT = 'transcript';
/** A workflow whose id begins like this gets a long history at this length: `long/12/…`. */
const LONG = /^long\/(\d+)\//;

/** The parts of the SDK's run that it gives to no other code. */
interface Activator {
  readonly queryHandlers: ReadonlyMap<string, { handler(): unknown }>;
  mutateWorkflowInfo(change: (info: wf.WorkflowInfo) => wf.WorkflowInfo): void;
}
const getActivator = () => (globalThis as unknown as { __TEMPORAL_ACTIVATOR__: Activator }).__TEMPORAL_ACTIVATOR__;

export function interceptors(): wf.WorkflowInterceptors {
  const lines: Line[] = [];
  wf.setHandler(wf.defineQuery<Line[]>(TRANSCRIPT), () => lines);
  let shown = '';
  let details = '';
  /** Writes the state of the run, if it has changed. */
  const look = () => {
    const progress = getActivator().queryHandlers.get('progress')?.handler() as Progress | undefined;
    const now = wf.getCurrentDetails();
    if (progress === undefined || (JSON.stringify(progress) === shown && now === details)) return;
    const saying = now === details ? '' : `: ${hideInstant(now, progress.waitingUntil)}`;
    lines.push({ text: `${describe(progress)}${saying}` });
    [shown, details] = [JSON.stringify(progress), now];
  };
  const note = (text: string, options?: object): Written => {
    look();
    const line = { text, ...(options && { options }) };
    lines.push(line);
    return line;
  };
  const noteCall = (place: string, { activityType, args, options }: Call) =>
    note(`${activityType} ${place} (${options.summary ?? ''}) ${toText(args[0])}`, options);
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
          noteCall(`${place}${priority?.priorityKey ? `, priority ${priority.priorityKey}` : ''}`, input);
          return await next(input);
        },
        scheduleLocalActivity: async (input, next) => {
          noteCall('local', input);
          return await next(input);
        },
        startTimer: async (input, next) => {
          const line = note(`waits ${input.durationMs} ms (${input.options?.summary ?? ''})`);
          try {
            await next(input);
          } catch (error) {
            line.text += ', cut short';
            throw error;
          }
        },
        continueAsNew: async (input, next) => {
          note(`continues as new ${toText(input.args[0])}`);
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
        concludeActivation: (input, next) => {
          look();
          return next(input);
        },
      },
    ],
  };
}

type Written = { -readonly [Field in keyof Line]: Line[Field] };

interface Call {
  readonly activityType: string;
  readonly args: readonly unknown[];
  readonly options: { readonly summary?: string };
}

function describe({ step, tries, lastCode, waitingFor, waitingUntil, done, total }: Progress): string {
  return [
    step,
    ...(done === null ? [] : [`${done} of ${total}`]),
    ...(tries === 0 ? [] : [`${tries} tries`]),
    ...(lastCode === null ? [] : [lastCode]),
    ...(waitingFor === null ? [] : [`${waitingFor} for ${Date.parse(String(waitingUntil)) - Date.now()} ms`]),
  ].join(', ');
}

/** Instants as the time until then. */
const toText = (value: unknown) =>
  JSON.stringify(value)?.replace(
    /"(\w+Ms)":(\d{13})/g,
    (_, name, ms) => `"${name}":"in ${Number(ms) - Date.now()} ms"`,
  );

const hideInstant = (text: string, instant: string | null) =>
  instant === null ? text : text.replace(instant, 'UNTIL');
