import { Context, cancellationSignal } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { ProviderError } from '../providers/provider.ts';

/** Shorter than the two minutes after which Temporal considers a provider activity lost and starts it again. */
export const STEP_MS = 90_000;
const HEARTBEAT_EVERY_MS = 4_000;

/**
 * The time limit of one activity's calls. It aborts when Temporal cancels the activity, and before Temporal would
 * consider it lost. The call in progress then fails with `RetryLater`, and the workflow decides when to retry.
 */
export const createStepSignal = (): AbortSignal =>
  AbortSignal.any([cancellationSignal(), AbortSignal.timeout(STEP_MS)]);

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
 * and nobody records a setback. Throws an error that asks for a wait unchanged, above all the error of a refresh without an answer.
 */
export function handOverOnShutdown<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const { cancellationSignal: signal } = Context.current();
    try {
      return await activity(input);
    } catch (error) {
      const shutdown = isShutdown(signal.reason) ? signal.reason : undefined;
      throw shutdown !== undefined && isAborted(error) ? shutdown : error;
    }
  };
}

const isShutdown = (reason: unknown): reason is CancelledFailure =>
  reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';

const isAborted = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') ||
  (error instanceof ProviderError && error.type === 'RetryLater' && error.retryAfterSeconds === undefined);
