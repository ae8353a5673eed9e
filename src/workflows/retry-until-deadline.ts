import * as wf from '@temporalio/workflow';
import { showTry, showWait, toProgressCode } from './progress.ts';
import { isOwnDelay, readFailure } from './read-failure.ts';

const MS_BETWEEN_TRIES = 2_000;
/** The least wait while our own database lacks a right, a column or a table. */
const MS_BETWEEN_REPAIRS = 30_000;

/** Failures after which another try may work. */
const TEMPORARY = ['RetryLater', 'Interrupted', 'OwnRateLimit', 'DatabaseAway', 'SchemaMismatch'];
/** An unknown answer may be a temporary fault. After this many in a row it stays. The same as of read jobs. */
const CONTRACT_TRIES = 3;

/**
 * Retries temporary failures every few seconds until the attempt's deadline: a person is waiting.
 * @param deadline in ms since the epoch, by workflow time.
 */
export async function retryUntilDeadline<T>(deadline: number, call: () => Promise<T>): Promise<T> {
  let tries = 0;
  let unknownInARow = 0;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { type, retryAfterSeconds, outcomeUnknown, isRepeatable } = readFailure(error);
      unknownInARow = type === 'ContractBroken' ? unknownInARow + 1 : 0;
      const mayPass =
        type === 'ContractBroken' ? isRepeatable && unknownInARow < CONTRACT_TRIES : TEMPORARY.includes(type);
      if (!isOwnDelay(type)) tries += 1; // The provider has not failed: the back-off stays short.
      const least =
        type === 'SchemaMismatch' ? MS_BETWEEN_REPAIRS : MS_BETWEEN_TRIES * Math.min(Math.max(tries, 1), 15);
      const waitMs = Math.max((retryAfterSeconds ?? 0) * 1000, least);
      const canRetry = mayPass && !outcomeUnknown && Date.now() + waitMs < deadline;
      if (!canRetry) throw error;
      const waitingFor = type === 'OwnRateLimit' ? 'RATE_LIMIT' : 'NEXT_TRY';
      showWait(waitingFor, Date.now() + waitMs, { failed: { tries, code: toProgressCode(type) } });
      await wf.sleep(waitMs, { summary: `next try: ${type}` });
      showTry();
    }
  }
}
