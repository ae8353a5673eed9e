import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { PROGRESS, PROGRESS_STEPS, PROGRESS_WAITS, type Progress } from '../workflows/contract.ts';
import { countFailingWorkflows, isFailing } from './failing-workflows.ts';
import { askWorkers, type WorkersAnswer } from './workers-state.ts';

/** An activity that a workflow waits for. */
export interface PendingActivity {
  readonly name: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The type of the last attempt's failure. Null if none has failed. */
  readonly lastFailureType: string | null;
  /** Null while it runs. */
  readonly nextRetryAt: Date | null;
}

/** The latest run of a workflow, as Temporal describes it. */
export type WorkflowAnswer =
  /** Temporal, or this process, is too busy or away. */
  | { readonly state: 'NOT_KNOWN' }
  /** Temporal knows no such workflow: it has not started, or its retention is over. */
  | { readonly state: 'MISSING' }
  | {
      readonly state: 'RUNNING' | 'CLOSED';
      /** Whether its own task fails repeatedly: only another build of the worker can continue it. */
      readonly failing: boolean;
      /** Null if no worker answered in time, or one of another version did. */
      readonly progress: Progress | null;
      readonly pendingActivities: readonly PendingActivity[];
      /** The number of events. */
      readonly historyLength: number;
      /** The build of the worker that took its last task. Null if none has, or the worker reports none. */
      readonly workerBuild: string | null;
    };

export type AskWorkflow = (workflowId: string) => Promise<WorkflowAnswer>;
export type CountFailing = () => Promise<number | null>;

const NOT_KNOWN: WorkflowAnswer = { state: 'NOT_KNOWN' };

/** A query without a worker would wait for 30 s. */
const PATIENCE_MS = 1_000;
/** Without a worker, a query takes all of its time. The rest is for the description. */
const QUERY_MS = 700;
/** The number of cached answers; they are small. */
const MAX_REMEMBERED = 1_000;
/** The most concurrent queries, so that an outage of Temporal never blocks the process. */
const MAX_ASKED = 16;

/**
 * Queries the state of workflows. Answers within a second even if Temporal hangs, and never throws. A workflow whose history has
 * not grown is not queried again: Temporal Cloud bills each query.
 */
export function createWorkflowAsker(
  client: Client,
  taskQueue: string,
): {
  readonly ask: AskWorkflow;
  /** How many workflows fail their own tasks. Null if Temporal does not report it. */
  readonly countFailing: CountFailing;
  readonly askWorkers: () => Promise<WorkersAnswer>;
  /** Waits for abandoned requests. Close the connection after it: the SDK still retries them. */
  close(): Promise<void>;
} {
  const asked = new Set<Promise<unknown>>();
  const track = <T>(answer: Promise<T>): Promise<T> => {
    const settled = Promise.allSettled([answer]);
    asked.add(settled);
    void settled.then(() => asked.delete(settled));
    return answer;
  };
  /** By workflow: its answer, and the run and length of its history then. Without a new event it answers the same. */
  const answers = new Map<string, { readonly key: string; readonly progress: Progress }>();

  async function askProgress(handle: WorkflowHandle, key: string): Promise<Progress | null> {
    const { workflowId } = handle;
    const known = answers.get(workflowId);
    if (known?.key === key) return known.progress;
    const query = track(client.withDeadline(Date.now() + QUERY_MS, () => handle.query<unknown>(PROGRESS)));
    // Without an answer only the step is unknown.
    const progress = readProgress(
      await orAfter(
        QUERY_MS,
        null,
        query.catch(() => null),
      ),
    );
    answers.delete(workflowId);
    if (progress !== null) answers.set(workflowId, { key, progress });
    const [oldest] = answers.keys();
    if (answers.size > MAX_REMEMBERED && oldest !== undefined) answers.delete(oldest);
    return progress;
  }

  async function askFor(workflowId: string): Promise<WorkflowAnswer> {
    const handle = client.workflow.getHandle(workflowId);
    const { raw, runId, historyLength, isRunning, failing } = await track(
      client.withDeadline(Date.now() + PATIENCE_MS, async () => {
        const description = await handle.describe();
        const isRunning = description.status.name === 'RUNNING' || description.status.name === 'PAUSED';
        return { ...description, isRunning, failing: isRunning && (await isFailing(client, description)) };
      }),
    );
    return {
      state: isRunning ? 'RUNNING' : 'CLOSED',
      failing,
      // A closed run would answer the query too, after a replay of its whole history; a failing one answers none.
      progress: isRunning && !failing ? await askProgress(handle, `${runId} ${historyLength}`) : null,
      pendingActivities: (raw.pendingActivities ?? []).map((activity) => ({
        name: activity.activityType?.name ?? 'unknown',
        attempt: activity.attempt ?? 1,
        lastFailureType: readFailureType(activity.lastFailure),
        nextRetryAt: toDate(activity.nextAttemptScheduleTime),
      })),
      historyLength,
      workerBuild: readBuild(raw.workflowExecutionInfo),
    };
  }

  /** @returns undefined if Temporal, or this process, is too busy or away. */
  async function askInTime<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (asked.size >= MAX_ASKED) return undefined;
    const answer = track(client.withDeadline(Date.now() + PATIENCE_MS, ask));
    return await orAfter(
      PATIENCE_MS,
      undefined,
      answer.catch(() => undefined),
    );
  }

  return {
    countFailing: async () => (await askInTime(() => countFailingWorkflows(client, taskQueue))) ?? null,
    askWorkers: async () =>
      (await askInTime(() => askWorkers(client, taskQueue))) ?? { state: 'NOT_KNOWN', seenAt: null },
    ask: async (workflowId) => {
      if (asked.size >= MAX_ASKED) return NOT_KNOWN;
      const answer = askFor(workflowId).catch(
        (error): WorkflowAnswer => (error instanceof WorkflowNotFoundError ? { state: 'MISSING' } : NOT_KNOWN),
      );
      return await orAfter(PATIENCE_MS, NOT_KNOWN, answer);
    },
    close: async () => void (await Promise.all(asked)),
  };
}

/** The promise's result, or `fallback` after `ms`. */
async function orAfter<T>(ms: number, fallback: T, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, fallback);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const isNullOr = (value: unknown, is: (text: string) => boolean) =>
  value === null || (typeof value === 'string' && is(value));
const isInstant = (text: string) => !Number.isNaN(Date.parse(text));
const isCode = (text: string) => /^[A-Z][A-Z0-9_]{0,59}$/.test(text);
const isCount = (value: unknown) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0);

/** @returns null for an answer of another shape, such as a worker of another version may give. */
function readProgress(answer: unknown): Progress | null {
  const progress = (answer ?? {}) as Partial<Progress>;
  const isWhole =
    (PROGRESS_STEPS as readonly unknown[]).includes(progress.step) &&
    typeof progress.since === 'string' &&
    isInstant(progress.since) &&
    Number.isSafeInteger(progress.tries) &&
    isNullOr(progress.lastCode, isCode) &&
    isNullOr(progress.waitingFor, (text) => (PROGRESS_WAITS as readonly string[]).includes(text)) &&
    isNullOr(progress.waitingUntil, isInstant) &&
    isCount(progress.done) &&
    isCount(progress.total);
  return isWhole ? (progress as Progress) : null;
}

type Instant = { seconds?: unknown; nanos?: number | null } | null | undefined;

const toDate = (instant: Instant): Date | null => {
  const ms = Number(instant?.seconds ?? 0) * 1000 + Math.floor((instant?.nanos ?? 0) / 1_000_000);
  return ms > 0 ? new Date(ms) : null;
};

interface RawFailure {
  readonly applicationFailureInfo?: { readonly type?: string | null } | null;
  readonly timeoutFailureInfo?: object | null;
}

/** A failure's type is one of our closed set; its message stays out of the answer. */
function readFailureType(failure: RawFailure | null | undefined): string | null {
  if (!failure) return null;
  const type = failure.applicationFailureInfo?.type;
  if (type && /^\w{1,60}$/.test(type)) return type;
  return failure.timeoutFailureInfo ? 'Timeout' : 'Unexpected';
}

interface RawExecution {
  readonly mostRecentWorkerVersionStamp?: { readonly buildId?: string | null } | null;
  readonly versioningInfo?: { readonly deploymentVersion?: { readonly buildId?: string | null } | null } | null;
}

const readBuild = (execution: RawExecution | null | undefined): string | null =>
  execution?.versioningInfo?.deploymentVersion?.buildId || execution?.mostRecentWorkerVersionStamp?.buildId || null;
