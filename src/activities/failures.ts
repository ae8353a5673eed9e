import { activityInfo, CancelledFailure } from '@temporalio/activity';
import { ApplicationFailure, type ApplicationFailureOptions, TemporalFailure } from '@temporalio/common';
import type { PermitLoss } from '../domain/connecting/permit-attempt.ts';
import type { Log } from '../log.ts';
import { ProviderError } from '../providers/provider.ts';
import { countFailure } from '../telemetry/instruments.ts';

/**
 * Turns any error into a failure that history may hold: a type of the closed set, our own words, the status, and how long
 * to wait. The workflow decides whether to retry.
 * - `DataRefused`: Postgres refuses the data (SQLSTATE classes 22 and 23). It would refuse the same data again.
 * - `SchemaMismatch`: a right, a column or a table is missing (class 42), such as during a roll-out: an outage.
 * - `RetryLater`: also our own time-out, and a database that is down or overloaded.
 * @internal
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
    return createFailure({ type, message, details: [details], nonRetryable: true });
  }
  const refused = classifyDatabaseFailure(error);
  if (refused === 'RetryLater') {
    log.warn('Our own time-out, or a database that is down', { error });
    return createFailure({ type: refused, message: 'Our own database or time-out.', nonRetryable: true });
  }
  countFailure(refused ?? 'Unexpected');
  // The logger redacts; history cannot.
  log.error(refused === undefined ? 'Unexpected failure in an activity' : REFUSED[refused], { error });
  if (refused !== undefined) return createFailure({ type: refused, message: REFUSED[refused], nonRetryable: true });
  const name = error instanceof Error && CLASS_NAME.test(error.name) ? error.name : typeof error;
  return createFailure({ type: 'Unexpected', message: `Unexpected ${name}.` });
}

const REFUSED = {
  DataRefused: 'The database refuses the data.',
  SchemaMismatch: 'The database lacks a right, a column or a table.',
} as const;

/** Broken connections, exhausted locks and resources, operator intervention, and the driver's own codes. */
const PASSING = /^(08|40|53|55|57|58)...$|^(CONNECT_TIMEOUT|CONNECTION_[A-Z_]+|E[A-Z_]+)$/;

/** Classifies our own failure: by SQLSTATE, by the driver's or system's code, or as an abort by time. */
function classifyDatabaseFailure(error: unknown): keyof typeof REFUSED | 'RetryLater' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'RetryLater';
  const code = 'code' in error ? String(error.code) : '';
  if (error.name !== 'PostgresError') return /^(CONNECT|E)/.test(code) && PASSING.test(code) ? 'RetryLater' : undefined;
  if (/^(22|23)/.test(code)) return 'DataRefused';
  if (code.startsWith('42')) return 'SchemaMismatch';
  return PASSING.test(code) ? 'RetryLater' : undefined;
}

/** The form of an error name that may enter history: the thrower chooses the name. */
const CLASS_NAME = /^[A-Za-z]{1,50}$/;

/** Creates a failure without a stack: frames name paths on our machines and may quote values. */
function createFailure(options: ApplicationFailureOptions): ApplicationFailure {
  const failure = ApplicationFailure.create(options);
  failure.stack = '';
  return failure;
}

/** Creates our own refusal, not the provider's: the row no longer asks for this, or we may not do it now. */
export const createRefusal = (
  type: 'NotWanted' | 'Paused' | 'NotAllowed' | PermitLoss,
  message: string,
): ApplicationFailure => createFailure({ type, message, nonRetryable: true });

/** How long Temporal waits before it retries after a refusal of our own database. */
const REPAIR_PAUSE_MS = 60_000;

/** Tries of a store activity that keeps failing unexpectedly: about eight minutes. */
const UNEXPECTED_TRIES = 20;

/**
 * Temporal itself retries an activity that only our own database stops: at its usual intervals after a temporary failure,
 * slowly after a refusal. It gives up only on unexpected failures, which no repair of the database ends: the workflow then
 * fails where operators see it, and reconciliation starts the work again or ends it. A workflow that handles a refusal
 * itself names the type as not retryable.
 */
function toRetryable(failure: Error): Error {
  if (!(failure instanceof ApplicationFailure)) return failure;
  const { type, message } = failure;
  if (type === 'Unexpected' && activityInfo().attempt >= UNEXPECTED_TRIES) {
    const text = `${message} Gave up after ${activityInfo().attempt} tries; the worker's log has the error.`;
    return createFailure({ type, message: text, nonRetryable: true });
  }
  if (type === 'RetryLater') return createFailure({ type, message });
  if (type !== 'DataRefused' && type !== 'SchemaMismatch') return failure;
  return createFailure({ type, message, nextRetryDelay: REPAIR_PAUSE_MS });
}

type Activity = (input: never) => Promise<unknown>;

/** The same as `guardActivities`, for activities that use only our own database and Temporal. */
export const guardStoreActivities = <Group extends Record<string, Activity>>(log: Log, group: Group): Group =>
  guardActivities(log, group, { finish: toRetryable });

/**
 * Wraps every activity of a group in `toFailure`, so that only classified failures enter history. `around` wraps the activity itself.
 */
export function guardActivities<Group extends Record<string, Activity>>(
  log: Log,
  group: Group,
  {
    around = (activity) => activity,
    finish = (failure) => failure,
  }: { around?: (activity: Activity) => Activity; finish?: (failure: Error) => Error } = {},
): Group {
  const wrap = (activity: Activity): Activity => {
    const inner = around(activity);
    return async (input) => {
      try {
        return await inner(input);
      } catch (error) {
        throw finish(toFailure(error, log));
      }
    };
  };
  return Object.fromEntries(
    Object.entries(group).map(([name, activity]) => [name, wrap(activity)]),
  ) as unknown as Group;
}
