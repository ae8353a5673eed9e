import { AsyncLocalStorage } from 'node:async_hooks';
import { Context, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { FAILURES } from '../basics/failures.ts';
import { ProviderError } from '../providers/provider.ts';

/** Shorter than the two minutes after which Temporal considers a provider activity lost and starts it again. */
export const STEP_MS = 90_000;
const HEARTBEAT_EVERY_MS = 4_000;

/** What a step may take. */
export interface StepLimits {
  /** The time of the whole step, in ms. */
  readonly stepMs: number;
  /** How long it runs further steps of its read job, in ms. */
  readonly timeSliceMs: number;
  /** How long its first call waits for its slot, in seconds. */
  readonly patienceSeconds: number;
  /** False if it may end before the refresh of a token has. */
  readonly hasTimeForRefresh: boolean;
  /** Aborts the step when its worker has to stop. Temporal's library aborts only what came through a queue. */
  readonly leaving?: AbortSignal;
}

/** The limits of a step that came through its queue. */
const QUEUED: StepLimits = {
  stepMs: STEP_MS,
  timeSliceMs: Number.POSITIVE_INFINITY,
  patienceSeconds: Number.POSITIVE_INFINITY,
  hasTimeForRefresh: true,
};

const limitsOfStep = new AsyncLocalStorage<StepLimits>();

/** Runs a step within other limits than those of its queue; see `fast/inline-steps.ts`. */
export const runWithin = <Output>(limits: StepLimits, step: () => Promise<Output>): Promise<Output> =>
  limitsOfStep.run(limits, step);

export const getStepLimits = (): StepLimits => limitsOfStep.getStore() ?? QUEUED;

/** Ends a step that may have too little time for what comes next. Its queue runs the step instead; no history has this failure. */
export function requireTimeForRefresh(): void {
  if (!getStepLimits().hasTimeForRefresh) throw createNotInline();
}

const createNotInline = (): ApplicationFailure =>
  ApplicationFailure.create({ type: 'NotInline', message: FAILURES.NotInline.message, nonRetryable: true });

/**
 * The time limit of one activity's calls. It aborts when Temporal cancels the activity, and before Temporal would
 * consider it lost. The call in progress then fails with `RetryLater`, and the workflow decides when to retry.
 */
export function createStepSignal(): AbortSignal {
  const { stepMs, leaving } = getStepLimits();
  return AbortSignal.any([cancellationSignal(), AbortSignal.timeout(stepMs), ...(leaving ? [leaving] : [])]);
}

const kept = new WeakMap<Context, unknown>();

/** Sends these details with each heartbeat from now on: the next attempt finds them, also if this worker dies. */
export function keepInHeartbeats(details: unknown): void {
  const context = Context.current();
  kept.set(context, details);
  context.heartbeat(details);
}

/** Sends heartbeats while the activity runs, so that Temporal soon restarts the work of a crashed worker. */
export function sendHeartbeats<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current();
    if (context.info.isLocal) return await activity(input); // It has no heartbeats.
    const beat = setInterval(() => context.heartbeat(kept.get(context)), HEARTBEAT_EVERY_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(beat);
    }
  };
}

/**
 * Ends an activity as canceled when our own shutdown aborts its call. Temporal then gives it to another worker at once,
 * and no failed try is recorded. Rethrows an error that requests a wait, above all the error of a refresh without an answer.
 */
export function handOverOnShutdown<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const { cancellationSignal: signal } = Context.current();
    try {
      return await activity(input);
    } catch (error) {
      if (!isAborted(error)) throw error;
      if (getStepLimits().leaving?.aborted) throw createNotInline();
      throw isShutdown(signal.reason) ? signal.reason : error;
    }
  };
}

const isShutdown = (reason: unknown): reason is CancelledFailure =>
  reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';

const isAborted = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') ||
  (error instanceof ProviderError && error.type === 'RetryLater' && error.retryAfterSeconds === undefined);
