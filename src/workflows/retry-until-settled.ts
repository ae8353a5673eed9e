import * as wf from '@temporalio/workflow';
import type { Ended, Setback, Verdict } from '../activities/setbacks.ts';
import { RETRY_NOW } from './contract.ts';
import { readFailure } from './read-failure.ts';

/** Wakes whatever waits for its next try. From the Temporal UI, the CLI, the admin API, alone or in batch. @internal */
export const retryNow = wf.defineSignal(RETRY_NOW);

/** What the Temporal UI says beside the signal's name. */
const RETRY_NOW_DESCRIPTION = { description: 'Makes the next try at once. Takes no input; safe to repeat.' };

const inTries = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`);

/** Counts the signals `retryNow` from now on. */
export function countRetrySignals(): () => number {
  let nudges = 0;
  const deliverSoon = () => {
    nudges += 1;
  };
  wf.setHandler(retryNow, deliverSoon, RETRY_NOW_DESCRIPTION);
  return () => nudges;
}

/** Whether Temporal asks for a new run: a history has a hard limit, and is read as a whole at each replay. */
export const isHistoryLong = (): boolean => wf.workflowInfo().continueAsNewSuggested;

/**
 * One try after another until it works or the books say it is over. Waits are the workflow's own: they show, and
 * `retryNow` cuts them short. All that a try needs is in the rows, so that a loop that goes on for long does so in a new
 * run, which begins with the try that is due.
 * @param what for people, such as "revoke".
 * @param note writes a failed try to its row and says what follows.
 * @param inNewRun continues the workflow as new.
 * @returns the try's result, or why it is over without one.
 */
export async function retryUntilSettled<T>(
  what: string,
  attempt: () => Promise<T>,
  note: (setback: Setback) => Promise<Verdict>,
  inNewRun: () => Promise<never>,
): Promise<{ readonly result: T } | { readonly over: Ended }> {
  const nudges = countRetrySignals();
  for (;;) {
    wf.setCurrentDetails(`${what}: trying.`);
    // A deliverSoon that arrives while a try is under way is for what comes after it: however many, one more try at once.
    const seen = nudges();
    try {
      return { result: await attempt() };
    } catch (error) {
      const { type, retryAfterSeconds } = readFailure(error);
      const verdict = await note({ type, retryAfterSeconds });
      if (verdict.ended) return { over: verdict };
      const { tries, code, failingSince, nextTryAt, waitSeconds } = verdict;
      wf.setCurrentDetails(
        `${what}: failing${failingSince === undefined ? '' : ` since ${failingSince}`}, ${inTries(tries)}. Last ${code} (${type}). Next try ${nextTryAt}; ` +
          'at once on the signal retryNow, which takes no input.',
      );
      await wf.condition(() => nudges() > seen, waitSeconds * 1000, { summary: `next ${what}: ${code}` });
    }
    // Only here: a deliverSoon that has ended the wait is answered by the new run's first try, a later one by its handler.
    if (isHistoryLong()) await inNewRun();
  }
}
