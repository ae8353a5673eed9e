import { AsyncLocalStorage } from 'node:async_hooks';
import { Context, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { FAILURES } from '../basics/failures.ts';
import { ProviderError } from '../providers/provider.ts';

/** Shorter than the two minutes after which Temporal considers a provider activity lost and starts it again. */
export const STEP_MS = 90_000;
/** How long an inline step may take: longer than the two requests of an exchange, but short, since it holds a workflow task. */
const INLINE_STEP_MS = 40_000;
const HEARTBEAT_EVERY_MS = 4_000;

/** Aborts an inline step when its worker has to stop. Temporal's library aborts only activities that came through a queue. */
const leavingOfStep = new AsyncLocalStorage<AbortSignal>();

/** Runs a step within a workflow task; see `inline-steps.ts`. */
export const runInline = <Output>(leaving: AbortSignal, step: () => Promise<Output>): Promise<Output> =>
  leavingOfStep.run(leaving, step);

export const isInline = (): boolean => leavingOfStep.getStore() !== undefined;

/** Ends an inline step whose next part must not run there. Its queue runs the step instead; no history has this failure. */
export function requireQueue(): void {
  if (isInline()) throw createNotInline();
}

const createNotInline = (): ApplicationFailure =>
  ApplicationFailure.create({ type: 'NotInline', message: FAILURES.NotInline.message, nonRetryable: true });

/**
 * The time limit of one activity's calls. It aborts when Temporal cancels the activity, and before Temporal would
 * consider it lost. The call in progress then fails with `RetryLater`, and the workflow decides when to retry.
 */
export function createStepSignal(): AbortSignal {
  const leaving = leavingOfStep.getStore();
  return leaving === undefined
    ? AbortSignal.any([cancellationSignal(), AbortSignal.timeout(STEP_MS)])
    : AbortSignal.any([cancellationSignal(), leaving, AbortSignal.timeout(INLINE_STEP_MS)]);
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
    if (isInline()) return await activity(input);
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
      if (leavingOfStep.getStore()?.aborted) throw createNotInline();
      throw isShutdown(signal.reason) ? signal.reason : error;
    }
  };
}

const isShutdown = (reason: unknown): reason is CancelledFailure =>
  reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';

const isAborted = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') ||
  (error instanceof ProviderError && error.type === 'RetryLater' && error.retryAfterSeconds === undefined);
