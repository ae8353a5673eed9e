import * as wf from '@temporalio/workflow';

/** An activity's failure: a type of the closed set, and what the activity knows about the next try. */
export interface Failure {
  readonly type: string;
  readonly retryAfterSeconds: number | null;
  /** The provider may have acted on a call whose answer was lost. */
  readonly outcomeUnknown: boolean;
}

/** Reads an activity's failure. Rethrows a cancellation, which is no failure. */
export function readFailure(error: unknown): Failure {
  if (wf.isCancellation(error)) throw error;
  const cause = error instanceof wf.ActivityFailure ? error.cause : error;
  // Our own time-out says nothing about the provider: another try may succeed.
  if (cause instanceof wf.TimeoutFailure) return { type: 'RetryLater', retryAfterSeconds: null, outcomeUnknown: false };
  if (!(cause instanceof wf.ApplicationFailure))
    return { type: 'Unexpected', retryAfterSeconds: null, outcomeUnknown: false };
  const details = (cause.details?.[0] ?? {}) as Partial<Failure>;
  return {
    type: cause.type ?? 'Unexpected',
    retryAfterSeconds: details.retryAfterSeconds ?? null,
    outcomeUnknown: details.outcomeUnknown ?? false,
  };
}

/** Refusals of our own database. Only a repair helps. */
export const DATABASE_REFUSALS = ['DataRefused', 'SchemaMismatch'];
export const isDatabaseRefusal = ({ type }: Failure): boolean => DATABASE_REFUSALS.includes(type);
