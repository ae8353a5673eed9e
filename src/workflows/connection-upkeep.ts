import * as wf from '@temporalio/workflow';
import { Priority, proxyProvider, store } from './calls.ts';
import type { UpkeepInput } from './contract.ts';
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
  for (let waits = 0; ; waits += 1) {
    try {
      await checkGrant({ connectionId });
      wf.setCurrentDetails('Upkeep done.');
      return;
    } catch (error) {
      const { type, retryAfterSeconds } = readFailure(error);
      if (type === 'OwnRateLimit' && waits < RATE_LIMIT_WAITS) {
        wf.setCurrentDetails('Waiting for our own rate limit.');
        await wf.sleep(Math.max(1, retryAfterSeconds ?? 0) * 1000, { summary: 'our own rate limit' });
        continue;
      }
      wf.setCurrentDetails(`Upkeep failed: ${type}.`);
      if (type === 'GrantDead') return; // The connection's row already asks for a reconnect.
      const isTemporary = type === 'RetryLater' || type === 'OwnRateLimit' || type === 'QuotaSpent';
      const pause = isTemporary ? SOON_SECONDS : COOL_DOWN_SECONDS;
      await store.postponeUpkeep({ connectionId, seconds: Math.max(pause, retryAfterSeconds ?? 0) });
      return;
    }
  }
}
