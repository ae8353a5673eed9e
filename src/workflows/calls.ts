import * as wf from '@temporalio/workflow';
import type { IssuerActivities, ProviderActivities, StoreActivities } from '../activities/index.ts';
import type { ProviderName } from '../providers/provider.ts';
import { ISSUER_QUEUE } from './contract.ts';

/** Our own Postgres: it comes back, or is repaired, so never give up. */
const storeCall = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' },
} satisfies wf.ActivityOptions;

/** Which calls go first where a provider's queue is full: 1 before 5. */
export const Priority = { person: 1, release: 2, refresh: 3, upkeep: 5 } as const;
type PriorityKey = (typeof Priority)[keyof typeof Priority];

/**
 * Somebody else's API, on its own queue, named after the run's own so that tests never share one. A classified failure
 * is not retried here: the workflow decides what is worth another try, and when. A crashed worker's call is: its
 * heartbeats stop, and the activity is safe to repeat.
 */
const providerCall = (farSide: ProviderName | typeof ISSUER_QUEUE, summary: string, priorityKey: PriorityKey) =>
  ({
    taskQueue: `${wf.workflowInfo().taskQueue}-${farSide}`,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds', maximumAttempts: 5 },
    priority: { priorityKey, ...fairness() },
    summary,
  }) satisfies wf.ActivityOptions;

/** No app's backlog keeps the others waiting. */
function fairness(): { fairnessKey?: string } {
  const appId = wf.workflowInfo().searchAttributes.AppId?.[0];
  return typeof appId === 'string' ? { fairnessKey: appId } : {};
}

export const store = wf.proxyActivities<StoreActivities>(storeCall);

/** The same for workflows that decide themselves what follows when Postgres refuses (see `activities/failures.ts`). */
export const storeThrowingRefusals = wf.proxyActivities<StoreActivities>({
  ...storeCall,
  retry: { ...storeCall.retry, nonRetryableErrorTypes: ['DataRefused', 'SchemaMismatch'] },
});

export const proxyProvider = (provider: ProviderName, summary: string, priority: PriorityKey) =>
  wf.proxyActivities<ProviderActivities>(providerCall(provider, summary, priority));

export const proxyIssuer = (summary: string) =>
  wf.proxyActivities<IssuerActivities>(providerCall(ISSUER_QUEUE, summary, Priority.person));
