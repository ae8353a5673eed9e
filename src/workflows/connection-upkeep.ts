import * as wf from '@temporalio/workflow';
import { Priority, proxyProvider, store } from './calls.ts';
import type { UpkeepInput } from './contract.ts';
import { readFailure } from './read-failure.ts';

const HOUR_SECONDS = 60 * 60;
/** Trouble that passes is looked at again the same day; anything else after a rest. */
const SOON_SECONDS = 6 * HOUR_SECONDS;
const COOL_DOWN_SECONDS = 24 * HOUR_SECONDS;

/** Renews a grant before it lapses and reads a profile before it is too old: once; when next, stands in the row. */
export async function connectionUpkeep({ connectionId, provider }: UpkeepInput): Promise<void> {
  const { checkGrant } = proxyProvider(provider, 'upkeep', Priority.upkeep);
  try {
    await checkGrant({ connectionId });
    wf.setCurrentDetails('Looked after.');
  } catch (error) {
    const { type, retryAfterSeconds } = readFailure(error);
    wf.setCurrentDetails(`Did not work: ${type}.`);
    if (type === 'GrantDead') return; // Its row asks for a reconnect by now.
    const rest = type === 'RetryLater' || type === 'QuotaSpent' ? SOON_SECONDS : COOL_DOWN_SECONDS;
    await store.postponeUpkeep({ connectionId, seconds: Math.max(rest, retryAfterSeconds ?? 0) });
  }
}
