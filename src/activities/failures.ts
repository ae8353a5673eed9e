import { activityInfo, CancelledFailure } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  type ApplicationFailureOptions,
  TemporalFailure,
} from '@temporalio/common';
import { type FailureType, ruleOf } from '../basics/failures.ts';
import type { Log, LogFields } from '../basics/log.ts';
import type { AttemptDenial } from '../domain/access/may-connect.ts';
import type { ReadDenial } from '../domain/access/may-read.ts';
import { ProviderError } from '../providers/provider.ts';
import { classifyDatabaseFailure } from '../store/driver/database-failure.ts';
import { logOutage } from '../store/driver/log-outage.ts';
import { countFailure } from '../telemetry/instruments.ts';

/**
 * Turns any error into a failure that history may hold: a type of the closed set, our own words, the status, and how long
 * to wait. The workflow decides whether to retry.
 * - `DatabaseAway`: our own Postgres is down, full or read-only. It is temporary, and proves nothing about the provider.
 * - `DataRefused`: Postgres refuses the data. It would refuse the same data again.
 * - `SchemaMismatch`: a right, a column or a table is missing, such as during a roll-out: an outage.
 * - `RetryLater`: also our own time-out, and a database that is busy.
 * `store/driver/database-failure.ts` classifies each SQLSTATE.
 * @internal
 */
export function toFailure(error: unknown, log: Log): Error {
  if (error instanceof TemporalFailure || error instanceof CancelledFailure) return error;
  if (error instanceof ProviderError) {
    const { type, message, status, retryAfterSeconds, outcomeUnknown, networkCode, call } = error;
    const { isRepeatable, isOurs, isUnconfirmed } = error;
    const details = {
      status: status ?? null,
      retryAfterSeconds: retryAfterSeconds === undefined ? null : Math.ceil(retryAfterSeconds),
      outcomeUnknown,
      networkCode: networkCode ?? null,
      isRepeatable,
      isOurs,
      ...(isUnconfirmed && { isUnconfirmed }),
      ...(call !== undefined && { call }),
    };
    return createFailure({ type, message, details: [details], nonRetryable: true });
  }
  const refused = classifyOwnFailure(error);
  if (refused === 'DatabaseAway') {
    logOutage(log, error);
    return createFailure({ type: refused, message: ruleOf(refused).message, nonRetryable: true });
  }
  if (refused === 'RetryLater') {
    log.warn('Our own time-out, or a database that is busy', { error });
    return createFailure({ type: refused, message: 'Our own database or time-out.', nonRetryable: true });
  }
  countFailure(refused ?? 'Unexpected');
  // The logger redacts; history cannot.
  log.error(refused === undefined ? 'Unexpected failure in an activity' : ruleOf(refused).message, { error });
  if (refused !== undefined)
    return createFailure({ type: refused, message: ruleOf(refused).message, nonRetryable: true });
  const name = error instanceof Error && CLASS_NAME.test(error.name) ? error.name : typeof error;
  return createFailure({ type: 'Unexpected', message: `Unexpected ${name}.` });
}

/** A failed call and what came back, as `toFailure` puts them into the details: the HTTP status, or the network's code. */
export function findAnswer(error: unknown): Pick<LogFields, 'call' | 'status' | 'code'> {
  const [detail] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
  const { call, status, networkCode } = (detail ?? {}) as { call?: unknown; status?: unknown; networkCode?: unknown };
  return {
    ...(typeof call === 'string' && { call }),
    ...(typeof status === 'number' && { status }),
    ...(typeof networkCode === 'string' && { code: networkCode }),
  };
}

/** Whether `record-failure.ts` logs this failure of a job's try, with the next try. A defect has a line of its own as well. */
export const isLoggedWithJob = (error: unknown): boolean =>
  error instanceof ApplicationFailure && ruleOf(error.type).worker.log === 'FAILURE';

/** Classifies our own failure. A failed operation on the journal's files, or a time-out, is as temporary as an outage. */
function classifyOwnFailure(
  error: unknown,
): 'DataRefused' | 'SchemaMismatch' | 'DatabaseAway' | 'RetryLater' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'RetryLater';
  const failure = classifyDatabaseFailure(error);
  if (failure === undefined) return 'code' in error && /^E[A-Z]+$/.test(String(error.code)) ? 'RetryLater' : undefined;
  return (
    {
      AWAY: 'DatabaseAway',
      BUSY: 'RetryLater',
      DATA: 'DataRefused',
      REPAIR: 'SchemaMismatch',
      OURS: undefined,
    } as const
  )[failure];
}

/** The form of an error name that may enter history: the thrower chooses the name. */
const CLASS_NAME = /^[A-Za-z]{1,50}$/;

/**
 * Creates a failure without a stack: frames name paths on our machines and may quote values. The library neither logs one of normal
 * operation as a warning nor counts it as a failed activity, so that alerts can.
 */
function createFailure(options: ApplicationFailureOptions): ApplicationFailure {
  const category = ruleOf(options.type).worker.log === 'NORMAL' ? ApplicationFailureCategory.BENIGN : undefined;
  const failure = ApplicationFailure.create({ ...options, ...(category && { category }) });
  failure.stack = '';
  return failure;
}

/** Creates our own refusal, not the provider's: the row no longer asks for this, or we may not do it now. */
export const createRefusal = (
  type: ReadDenial['reason'] | AttemptDenial['reason'],
  message = ruleOf(type).message,
): ApplicationFailure => createFailure({ type, message, nonRetryable: true });

/**
 * Creates the failure of work that we stopped or lost ourselves after a request was sent: the platform may have acted on it, and is not
 * to blame.
 * @param type our own reason, or `Interrupted` for a worker that ended
 */
export const createInterruption = (type: FailureType, message: string): ApplicationFailure =>
  createFailure({ type, message, details: [{ outcomeUnknown: true }], nonRetryable: true });

/**
 * Creates the failure of work whose row is gone although it was accepted: a fail-over has lost it. Its workflow fails, so that
 * an operator sees it. The log names it.
 */
export function createLostRow(log: Log, message: string, ids: LogFields): ApplicationFailure {
  log.error(message, ids);
  return createFailure({ type: 'RowLost', message: `${message}.`, nonRetryable: true });
}

/** How long Temporal waits before it retries after a refusal of our own database. */
const REPAIR_PAUSE_MS = 60_000;

/**
 * Work resumes within a few seconds after an outage of any length: Temporal's own intervals would have grown. They differ, so
 * that not everything comes back at once.
 */
const chooseOutagePause = (): number => 1_000 + Math.random() * 2_000;

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
  if (type === 'DatabaseAway') return createFailure({ type, message, nextRetryDelay: chooseOutagePause() });
  if (ruleOf(type).job.wait !== 'REPAIR') return failure;
  return createFailure({ ...(type && { type }), message, nextRetryDelay: REPAIR_PAUSE_MS });
}

type Activity = (input: never) => Promise<unknown>;

/**
 * Holds the work of a group while the database may not serve: no activity runs, and Temporal keeps the work.
 * @param options.areRetried whether Temporal itself retries the group's activities. Otherwise their workflows do.
 */
export function holdActivities<Group extends Record<string, Activity>>(
  { findReason }: { findReason(): string | undefined },
  group: Group,
  { areRetried }: { areRetried: boolean },
): Group {
  const hold = (activity: Activity): Activity => {
    return async (input) => {
      if (findReason() === undefined) return await activity(input);
      const message = 'Our own database is older than the erasure journal.';
      const retry = areRetried ? { nextRetryDelay: chooseOutagePause() } : { nonRetryable: true };
      throw createFailure({ type: 'DatabaseAway', message, ...retry });
    };
  };
  return Object.fromEntries(
    Object.entries(group).map(([name, activity]) => [name, hold(activity)]),
  ) as unknown as Group;
}

/** The same as `guardActivities`, for activities that use only our own database and Temporal. */
export const guardStoreActivities = <Group extends Record<string, Activity>>(
  log: Log,
  group: Group,
  around?: (activity: Activity) => Activity,
): Group => guardActivities(log, group, { finish: toRetryable, ...(around && { around }) });

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
