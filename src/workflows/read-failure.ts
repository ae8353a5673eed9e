import * as wf from '@temporalio/workflow';
import { type FailureType, toFailureType } from '../basics/failures.ts';

/** An activity's failure: a type of the closed set, and the activity's facts about the next try. */
export interface Failure {
  readonly type: FailureType;
  readonly retryAfterSeconds: number | null;
  /** The provider may have acted on a call whose answer was lost. */
  readonly outcomeUnknown: boolean;
  /** The failed call spent nothing: it may be sent again, also after an answer in an unknown format. */
  readonly isRepeatable: boolean;
  /** The refusal is believed only if it is repeated: the call is made once more, after `retryAfterSeconds`. */
  readonly isUnconfirmed: boolean;
  /** `HTTP_` and the status of the provider's answer, or the code of a request without one; null if no request was sent. */
  readonly answer: string | null;
  /** The call of the provider that failed, as in the metrics; null if none did. */
  readonly call: string | null;
}

/** An activity's details of a failure; an older build has fewer. */
interface Details {
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  readonly outcomeUnknown: boolean;
  readonly networkCode: string | null;
  readonly isRepeatable: boolean;
  readonly isOurs: boolean;
  readonly isUnconfirmed: boolean;
  readonly call: string;
}

const UNSAID = {
  retryAfterSeconds: null,
  outcomeUnknown: false,
  isRepeatable: false,
  isUnconfirmed: false,
  answer: null,
  call: null,
};

/**
 * Reads an activity's failure. Rethrows a cancellation, which is no failure, and an error of our own code: it fails the workflow task,
 * not the work, and the run continues once a repaired build runs.
 */
export function readFailure(error: unknown): Failure {
  if (!(error instanceof wf.TemporalFailure) || wf.isCancellation(error)) throw error;
  const cause = error instanceof wf.ActivityFailure ? error.cause : error; // An inline step fails without a wrapper.
  // Our own time-out, or a worker that ended: that proves nothing about the provider, and another try may succeed.
  if (cause instanceof wf.TimeoutFailure) return { ...UNSAID, type: 'Interrupted' };
  if (!(cause instanceof wf.ApplicationFailure)) return { ...UNSAID, type: 'Unexpected' };
  const details = (cause.details?.[0] ?? {}) as Partial<Details>;
  return {
    type: details.isOurs ? 'Interrupted' : toFailureType(cause.type),
    retryAfterSeconds: details.retryAfterSeconds ?? null,
    outcomeUnknown: details.outcomeUnknown ?? false,
    isRepeatable: details.isRepeatable ?? false,
    isUnconfirmed: details.isUnconfirmed ?? false,
    answer: details.status == null ? (details.networkCode ?? null) : `HTTP_${details.status}`,
    call: details.call ?? null,
  };
}

/** The event that ends the wait after this failure. */
export const getWaitAfter = (type: FailureType) => (type === 'OwnRateLimit' ? 'RATE_LIMIT' : 'NEXT_TRY');
