import { cancellationSignal } from '@temporalio/activity';

/** Less than the two minutes after which Temporal takes an activity at a provider for lost and starts it again. */
const STEP_MS = 90_000;

/**
 * Ends what an activity does at a provider: when Temporal cancels it, and in good time before Temporal would take it for
 * lost. What was being asked for is then `RetryLater`, and the workflow decides when.
 */
export const stepSignal = (): AbortSignal => AbortSignal.any([cancellationSignal(), AbortSignal.timeout(STEP_MS)]);
