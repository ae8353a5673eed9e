import * as wf from '@temporalio/workflow';
import type { IssuerActivities, ProviderActivities, StoreActivities } from '../activities/index.ts';
import type { ProviderName } from '../providers/provider.ts';
import { ISSUER_QUEUE } from './contract.ts';

/** Calls to our own Postgres: it comes back or gets repaired, so Temporal retries without end. */
const storeCall = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' },
} satisfies wf.ActivityOptions;

/** The order of calls in a full provider queue: 1 before 5. */
export const Priority = { person: 1, release: 2, refresh: 3, upkeep: 5 } as const;
type PriorityKey = (typeof Priority)[keyof typeof Priority];

/**
 * Calls to a provider or issuer, on a queue of its own. The queue's name begins with the run's own queue, so that tests
 * never share one. Temporal does not retry a classified failure: the workflow decides whether and when. It does retry the
 * call of a crashed worker, whose heartbeats stop: every activity is safe to repeat.
 */
const providerCall = (queueSuffix: ProviderName | typeof ISSUER_QUEUE, summary: string, priorityKey: PriorityKey) =>
  ({
    taskQueue: `${wf.workflowInfo().taskQueue}-${queueSuffix}`,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds', maximumAttempts: 5 },
    priority: { priorityKey, ...fairness() },
    summary,
  }) satisfies wf.ActivityOptions;

/** The apps take turns, so that no app's backlog delays the others. */
function fairness(): { fairnessKey?: string } {
  const appId = wf.workflowInfo().searchAttributes.AppId?.[0];
  return typeof appId === 'string' ? { fairnessKey: appId } : {};
}

export const store = wf.proxyActivities<StoreActivities>(storeCall);

/** The same, but throws a refusal of Postgres to the workflow, which handles it (see `activities/failures.ts`). */
export const storeThrowingRefusals = wf.proxyActivities<StoreActivities>({
  ...storeCall,
  retry: { ...storeCall.retry, nonRetryableErrorTypes: ['DataRefused', 'SchemaMismatch'] },
});

export const proxyProvider = (provider: ProviderName, summary: string, priority: PriorityKey) =>
  wf.proxyActivities<ProviderActivities>(providerCall(provider, summary, priority));

export const proxyIssuer = (summary: string) =>
  wf.proxyActivities<IssuerActivities>(providerCall(ISSUER_QUEUE, summary, Priority.person));
