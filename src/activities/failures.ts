import { CancelledFailure } from '@temporalio/activity';
import { ApplicationFailure, type ApplicationFailureOptions, TemporalFailure } from '@temporalio/common';
import type { Log } from '../log.ts';
import { ProviderError } from '../providers/provider.ts';

/**
 * Any error, as what history may hold: a type of the closed set, our own words, the status, and how long to wait.
 * The workflow decides on what is worth another try; this says only what happened.
 */
export function toFailure(error: unknown, log: Log): Error {
  if (error instanceof TemporalFailure || error instanceof CancelledFailure) return error;
  if (error instanceof ProviderError) {
    const { type, message, status, retryAfterSeconds, outcomeUnknown } = error;
    const details = {
      status: status ?? null,
      retryAfterSeconds: retryAfterSeconds === undefined ? null : Math.ceil(retryAfterSeconds),
      outcomeUnknown,
    };
    return failureWith({ type, message, details: [details], nonRetryable: true });
  }
  log.error('Unexpected failure in an activity', { error }); // The logger redacts; history cannot.
  const name = error instanceof Error && CLASS_NAME.test(error.name) ? error.name : typeof error;
  return failureWith({ type: 'Unexpected', message: `Unexpected ${name}.` });
}

/** Whoever throws may name an error as they like. */
const CLASS_NAME = /^[A-Za-z]{1,50}$/;

/** Without its stack: frames name places on our machines and may quote values. */
function failureWith(options: ApplicationFailureOptions): ApplicationFailure {
  const failure = ApplicationFailure.create(options);
  failure.stack = '';
  return failure;
}

/** A refusal that is ours, not the provider's: the row no longer asks for this, or may not be served now. */
export const refusal = (type: 'NotWanted' | 'Paused' | 'NotAllowed', message: string): ApplicationFailure =>
  failureWith({ type, message, nonRetryable: true });

type Activity = (input: never) => Promise<unknown>;

/**
 * Puts `toFailure` behind every activity of a group, so that none can let anything else into history, and `around`,
 * if given, in front of it.
 */
export function guarded<Group extends Record<string, Activity>>(
  log: Log,
  group: Group,
  around: (activity: Activity) => Activity = (activity) => activity,
): Group {
  const wrap = (activity: Activity): Activity => {
    const inner = around(activity);
    return async (input) => {
      try {
        return await inner(input);
      } catch (error) {
        throw toFailure(error, log);
      }
    };
  };
  return Object.fromEntries(
    Object.entries(group).map(([name, activity]) => [name, wrap(activity)]),
  ) as unknown as Group;
}
