import * as wf from '@temporalio/workflow';
import { ruleOf } from '../basics/failures.ts';
import { markFailure, showTry, showWait, toProgressCode } from './progress.ts';
import { getWaitAfter, readFailure } from './read-failure.ts';

const MS_BETWEEN_TRIES = 2_000;
/** The least wait while our own database lacks a right, a column or a table. */
const MS_BETWEEN_REPAIRS = 30_000;

/**
 * Retries temporary failures every few seconds until the attempt's deadline: a person is waiting.
 * @param deadline in ms since the epoch, by workflow time.
 */
export async function retryUntilDeadline<T>(deadline: number, call: () => Promise<T>): Promise<T> {
  let tries = 0;
  let inARow = 0;
  let last: string | undefined;
  for (;;) {
    try {
      const result = await call();
      markFailure(null);
      return result;
    } catch (error) {
      const { type, retryAfterSeconds, outcomeUnknown, isRepeatable } = readFailure(error);
      const { job, attempt } = ruleOf(type);
      inARow = type === last ? inARow + 1 : 1;
      last = type;
      const isFewer = typeof job.ends !== 'number' || inARow < job.ends;
      const mayPass = attempt.retries === 'REPEATABLE' ? isRepeatable && isFewer : attempt.retries;
      if (job.wait !== 'OWN_DELAY') tries += 1; // Otherwise the provider has not failed, and the back-off stays short.
      const least = job.wait === 'REPAIR' ? MS_BETWEEN_REPAIRS : MS_BETWEEN_TRIES * Math.min(Math.max(tries, 1), 15);
      const waitMs = Math.max((retryAfterSeconds ?? 0) * 1000, least);
      const canRetry = mayPass && !outcomeUnknown && Date.now() + waitMs < deadline;
      if (!canRetry) throw error;
      showWait(getWaitAfter(type), Date.now() + waitMs, { failed: { tries, code: toProgressCode(type) } });
      await wf.sleep(waitMs, { summary: `next try: ${type}` });
      showTry();
    }
  }
}
