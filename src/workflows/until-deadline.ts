import * as wf from '@temporalio/workflow';
import { failureOf } from './failure.ts';

const MS_BETWEEN_TRIES = 2_000;

/**
 * A person waits: trouble that may pass is tried again every few seconds, as long as their attempt lasts.
 * @param deadline in ms since the epoch, by workflow time.
 */
export async function untilDeadline(deadline: number, call: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const { type, retryAfterSeconds, outcomeUnknown } = failureOf(error);
      const waitMs = Math.max((retryAfterSeconds ?? 0) * 1000, MS_BETWEEN_TRIES * Math.min(tries, 15));
      const mayPass = type === 'RetryLater' && !outcomeUnknown && Date.now() + waitMs < deadline;
      if (!mayPass) throw error;
      await wf.sleep(waitMs, { summary: 'far side not reachable: next try' });
    }
  }
}
