import * as wf from '@temporalio/workflow';

/** What an activity said of its failure: a type of the closed set, and what it knows of the next try. */
export interface Failure {
  readonly type: string;
  readonly retryAfterSeconds: number | null;
  /** The provider may have acted on a call whose answer was lost. */
  readonly outcomeUnknown: boolean;
}

/** Reads an activity's failure. Cancellation is not one: it is thrown on. */
export function readFailure(error: unknown): Failure {
  if (wf.isCancellation(error)) throw error;
  const cause = error instanceof wf.ActivityFailure ? error.cause : error;
  // A time-out of ours says nothing about the far side: it may work another time.
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

/** Whether our own database has refused: a repair is needed. */
export const isDatabaseRefusal = ({ type }: Failure): boolean => type === 'DataRefused' || type === 'SchemaMismatch';
