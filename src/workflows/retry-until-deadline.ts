import * as wf from '@temporalio/workflow';
import { readFailure } from './read-failure.ts';

const MS_BETWEEN_TRIES = 2_000;
/** While our own database lacks something, tries are this far apart. */
const MS_BETWEEN_REPAIRS = 30_000;

/**
 * A person waits: trouble that may pass is tried again every few seconds, as long as their attempt lasts.
 * @param deadline in ms since the epoch, by workflow time.
 */
export async function retryUntilDeadline<T>(deadline: number, call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const { type, retryAfterSeconds, outcomeUnknown } = readFailure(error);
      const least = type === 'SchemaMismatch' ? MS_BETWEEN_REPAIRS : MS_BETWEEN_TRIES * Math.min(tries, 15);
      const waitMs = Math.max((retryAfterSeconds ?? 0) * 1000, least);
      const isPassing = type === 'RetryLater' || type === 'SchemaMismatch';
      const mayPass = isPassing && !outcomeUnknown && Date.now() + waitMs < deadline;
      if (!mayPass) throw error;
      await wf.sleep(waitMs, { summary: `next try: ${type}` });
    }
  }
}
