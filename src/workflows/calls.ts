import * as wf from '@temporalio/workflow';
import type { ProviderActivities, StoreActivities } from '../activities/index.ts';
import type { ProviderName } from '../providers/provider.ts';

/** Our own Postgres: it comes back, so never give up. */
const storeCall = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' },
} satisfies wf.ActivityOptions;

/**
 * Somebody else's API, on its own queue, named after the run's own so that tests never share one. A classified failure
 * is not retried here: the workflow decides what is worth another try, and when. A crashed worker's call is: its
 * heartbeats stop, and the activity is safe to repeat.
 */
const providerCall = (provider: ProviderName, summary: string) =>
  ({
    taskQueue: `${wf.workflowInfo().taskQueue}-${provider}`,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds', maximumAttempts: 5 },
    summary,
  }) satisfies wf.ActivityOptions;

export const store = wf.proxyActivities<StoreActivities>(storeCall);

export const atProvider = (provider: ProviderName, summary: string) =>
  wf.proxyActivities<ProviderActivities>(providerCall(provider, summary));
