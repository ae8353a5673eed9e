import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { ProviderError } from '../providers/provider.ts';

/**
 * A call that our own shutdown breaks off is nobody's failure: the activity ends as cancelled, which Temporal has another
 * worker make good at once, and no setback is booked. A wait that the call itself asks for stands: above all that of a
 * refresh whose answer is lost.
 */
export function handingOver<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const { cancellationSignal } = Context.current();
    try {
      return await activity(input);
    } catch (error) {
      const shutdown = isShutdown(cancellationSignal.reason) ? cancellationSignal.reason : undefined;
      throw shutdown !== undefined && isBrokenOff(error) ? shutdown : error;
    }
  };
}

const isShutdown = (reason: unknown): reason is CancelledFailure =>
  reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';

const isBrokenOff = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') ||
  (error instanceof ProviderError && error.type === 'RetryLater' && error.retryAfterSeconds === undefined);
