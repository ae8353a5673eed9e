import * as wf from '@temporalio/workflow';
import { type FailureType, isOwnDelay } from '../basics/failures.ts';
import { type ProgressStep, RETRY_NOW } from './contract.ts';
import { markFailure, showStep, showWait } from './progress.ts';
import { getWaitAfter, readFailure } from './read-failure.ts';
import type { Ended, FailedTry, Verdict } from './results.ts';

/**
 * Makes a waiting workflow retry at once. The admin API, the CLI and the Temporal UI send it, also in batch.
 * @internal
 */
export const retryNow = wf.defineSignal(RETRY_NOW);

/** The Temporal UI shows this beside the signal's name. */
const RETRY_NOW_DESCRIPTION = { description: 'Retries at once. Takes no input; safe to repeat.' };

const inTries = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`);

/** Counts the signals `retryNow` from now on. */
export function countRetrySignals(): () => number {
  let signals = 0;
  const count = () => {
    signals += 1;
  };
  wf.setHandler(retryNow, count, RETRY_NOW_DESCRIPTION);
  return () => signals;
}

/** Whether Temporal asks for a new run: a history has a hard limit, and each replay reads all of it. */
export const isHistoryLong = (): boolean => wf.workflowInfo().continueAsNewSuggested;

/**
 * Retries until a try succeeds or `recordFailure` reports that the work has ended. The workflow itself waits between tries:
 * the Temporal UI shows the wait, and `retryNow` ends it. All state is in the rows, so a long loop continues as a new run,
 * which begins with the next try.
 * @param step shown to people by its name, such as "revoke".
 * @param recordFailure records a failed try in its row and decides the next step.
 * @param continueAsNew starts the new run.
 * @param countSignals counts the signals `retryNow`; by default those from now on.
 * @returns the try's result, or how the work ended without one. @throws the failure of work whose row is lost
 * @later repeat a step after a wait: a timer in the workflow; the row stores the next try for operators
 */
export async function retryUntilSettled<T>(
  step: ProgressStep,
  attempt: () => Promise<T>,
  recordFailure: (failedTry: FailedTry) => Promise<Verdict>,
  continueAsNew: () => Promise<never>,
  countSignals = countRetrySignals(),
): Promise<{ readonly result: T } | { readonly ended: Ended }> {
  const name = nameStep(step);
  let plannedAt: string | undefined;
  let early = 0;
  for (;;) {
    showStep(step, `${name}: trying.`);
    // A signal that arrives during a try causes one more try after it, also if more signals arrive.
    const seen = countSignals();
    try {
      const result = await attempt();
      markFailure(null);
      return { result };
    } catch (error) {
      const { type, retryAfterSeconds, answer, call } = readFailure(error);
      if (type === 'RowLost') throw error;
      if (plannedAt !== undefined) early += 1;
      const verdict = await recordFailure({
        type,
        retryAfterSeconds,
        answer,
        ...(call !== null && { call }),
        ...(plannedAt !== undefined && { plannedAt }),
        ...(early > 0 && { early }),
      });
      if (verdict.ended) return { ended: verdict };
      const details = `${name}: ${describeWait(type, [call, answer], verdict)}`;
      showWait(getWaitAfter(type), verdict.nextRetryAt, { failed: verdict, details });
      const waitMs = verdict.waitSeconds * 1000;
      const summary = `next ${name}: ${verdict.code}`;
      const isEarly = await wf.condition(() => countSignals() > seen, waitMs, { summary });
      // A delay of our own precedes the try that was asked for.
      if (!isOwnDelay(type)) plannedAt = isEarly ? verdict.nextRetryAt : undefined;
    }
    // Only here: the new run's first try answers a signal that ended the wait, and its handler answers a later one.
    if (isHistoryLong()) await continueAsNew();
  }
}

/** The name of a step in summaries and details. */
export const nameStep = (step: ProgressStep): string => step.toLowerCase().replaceAll('_', ' ');

/** @param answer the provider's call that failed, and what came back, if there was one. */
function describeWait(
  type: FailureType,
  answer: readonly (string | null)[],
  { tries, code, failingSince, nextRetryAt }: Verdict & { ended: false },
): string {
  const next = `Next try ${nextRetryAt}; the signal retryNow, which takes no input, retries at once.`;
  if (type === 'OwnRateLimit') return `waiting for our own rate limit. ${next}`;
  const since = failingSince === null ? '' : ` since ${failingSince}`;
  const cause = [type, ...answer].filter((part) => part !== null).join(', ');
  return `failing${since}, ${inTries(tries)}. Last ${code} (${cause}). ${next}`;
}
