import * as wf from '@temporalio/workflow';
import { Priority, proxyProvider, store } from './calls.ts';
import type { UpkeepInput } from './contract.ts';
import { showStep, showTry, showWait, toProgressCode } from './progress.ts';
import { readFailure } from './read-failure.ts';

const HOUR_SECONDS = 60 * 60;
/** After a temporary failure the next upkeep is due the same day; after any other failure a day later. */
const SOON_SECONDS = 6 * HOUR_SECONDS;
const COOL_DOWN_SECONDS = 24 * HOUR_SECONDS;
/** How often one run waits for our own rate limit before it postpones the upkeep. */
const RATE_LIMIT_WAITS = 60;

/** Refreshes a grant before it expires and reads a profile before it is too old. The row says when the next upkeep is due. */
export async function connectionUpkeep({ connectionId, provider }: UpkeepInput): Promise<void> {
  const { checkGrant } = proxyProvider(provider, 'upkeep', Priority.upkeep);
  showStep('UPKEEP');
  for (let waits = 0; ; waits += 1) {
    try {
      await checkGrant({ connectionId });
      showStep('ENDED', 'Upkeep done.');
      return;
    } catch (error) {
      const { type, retryAfterSeconds } = readFailure(error);
      if (type === 'OwnRateLimit' && waits < RATE_LIMIT_WAITS) {
        const waitMs = Math.max(1, retryAfterSeconds ?? 0) * 1000;
        showWait('RATE_LIMIT', Date.now() + waitMs, {
          failed: { tries: 0, code: toProgressCode(type) },
          details: 'Waiting for our own rate limit.',
        });
        await wf.sleep(waitMs, { summary: 'our own rate limit' });
        showTry();
        continue;
      }
      showStep('RECORD_END', `Upkeep failed: ${type}.`);
      if (type === 'GrantDead') return; // The connection's row already asks for a reconnect.
      const isTemporary = type === 'RetryLater' || type === 'OwnRateLimit' || type === 'QuotaSpent';
      const pause = isTemporary ? SOON_SECONDS : COOL_DOWN_SECONDS;
      await store.postponeUpkeep({ connectionId, seconds: Math.max(pause, retryAfterSeconds ?? 0) });
      return;
    }
  }
}
