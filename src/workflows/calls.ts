import * as wf from '@temporalio/workflow';
import type { InlineCall, InlineStep, InlineSteps } from '../activities/fast/inline-steps.ts';
import type { IssuerActivities, ProviderActivities, StoreActivities, WebhookActivities } from '../activities/index.ts';
import type { ProviderName } from '../basics/codes.ts';
import { DATABASE_REFUSALS } from '../basics/failures.ts';
import { CONNECT_QUEUES, GRANT_QUEUES, ISSUER_QUEUE, WEBHOOK_QUEUE } from './contract.ts';
import { readFailure } from './read-failure.ts';

/** Calls to our own Postgres: it comes back or gets repaired, so Temporal retries without end. */
const storeCall = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' },
} satisfies wf.ActivityOptions;

/** The order of calls in a full provider queue: 1 before 5. */
export const Priority = { person: 1, revoke: 2, refresh: 3, upkeep: 5 } as const;
type PriorityKey = (typeof Priority)[keyof typeof Priority];
type QueueSuffix =
  | ProviderName
  | (typeof CONNECT_QUEUES)[ProviderName]
  | (typeof GRANT_QUEUES)[ProviderName]
  | typeof ISSUER_QUEUE;

/**
 * Calls to a provider or issuer, on a queue of its own. The queue's name begins with the run's own queue, so that tests
 * never share one. Temporal does not retry a classified failure: the workflow decides whether and when. It does retry the
 * call of a crashed worker, whose heartbeats stop: every activity is safe to repeat.
 */
const providerCall = (queueSuffix: QueueSuffix, summary: string, priorityKey: PriorityKey, isWanted = false) =>
  ({
    taskQueue: `${wf.workflowInfo().taskQueue}-${queueSuffix}`,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '15 seconds', maximumAttempts: 5 },
    // A call of bulk work waits behind all others, unless a person or an app waits for it now.
    priority: { priorityKey: isBulk() && !isWanted ? Priority.upkeep : priorityKey, ...fairness() },
    summary,
  }) satisfies wf.ActivityOptions;

const isBulk = () => wf.workflowInfo().priority?.priorityKey === Priority.upkeep;

/**
 * The apps take turns, so that no app's backlog delays the others. Temporal adds 1 / weight to the place of an app's last call, and
 * puts an app that returns at the queue's current place, behind all calls of the same place. With equal weights, one call of each busy
 * app would have the same place, and the app that returns would wait for all of these. So the apps' weights differ a little (D-246).
 */
function fairness(): { fairnessKey?: string; fairnessWeight?: number } {
  const appId = wf.workflowInfo().typedSearchAttributes.get({ name: 'AppId', type: 'KEYWORD' });
  return typeof appId === 'string' ? { fairnessKey: appId, fairnessWeight: getWeight(appId) } : {};
}

/** The app's one weight, from the random end of its id. Its inverse lies between 0.9 and 1.1. */
const getWeight = (appId: string): number => 1 / (0.9 + (0.2 * Number.parseInt(appId.slice(-4), 16)) / 0xffff);

export const store = wf.proxyActivities<StoreActivities>(storeCall);

interface LocalStep {
  /** For the Temporal UI. */
  readonly summary: string;
  /** Whether a refusal of Postgres goes to the workflow, which handles it (see `activities/failures.ts`). */
  readonly throwsRefusals?: boolean;
}

/**
 * A short step in our own Postgres. The worker runs it within the workflow task, without a round trip through Temporal
 * (D-150). After four tries, within 10 seconds, the step becomes a normal activity: the workflow task ends, and Temporal
 * retries without end. The tries are counted because the worker does not end a retry loop by `scheduleToCloseTimeout`.
 */
export function localStep<Name extends keyof StoreActivities>(
  name: Name,
  { summary, throwsRefusals = false }: LocalStep,
): StoreActivities[Name] {
  const local: Partial<Record<Name, Step>> = wf.proxyLocalActivities<StoreActivities>({
    scheduleToCloseTimeout: '10 seconds', // Per-try time-outs of the worker's library outlive their try and hit a later one.
    retry: { initialInterval: '500 milliseconds', maximumAttempts: 4, nonRetryableErrorTypes: [...DATABASE_REFUSALS] },
    summary,
  });
  const normal: Partial<Record<Name, Step>> = wf.proxyActivities<StoreActivities>({
    ...storeCall,
    retry: { ...storeCall.retry, ...(throwsRefusals && { nonRetryableErrorTypes: [...DATABASE_REFUSALS] }) },
    summary,
  });
  const run: Step = async (input) => {
    try {
      return await local[name]?.(input);
    } catch (error) {
      const { type } = readFailure(error);
      if (type === 'RowLost' || (DATABASE_REFUSALS.includes(type) && throwsRefusals)) throw error;
      return await normal[name]?.(input);
    }
  };
  return run as StoreActivities[Name];
}
type Step = (input: never) => Promise<unknown>;

/**
 * Runs a provider's step within the workflow task if it can be done at once, and on the provider's queue otherwise. Bulk work always
 * waits in the queue, behind the others.
 */
export async function callSoon<Name extends InlineStep>(
  provider: ProviderName,
  step: Name,
  input: Extract<InlineCall['input'], Parameters<ProviderActivities[Name]>[0]> &
    Parameters<ProviderActivities[Name]>[0],
  queued: Pick<ProviderActivities, Name>,
  summary: string,
): Promise<Awaited<ReturnType<ProviderActivities[Name]>>> {
  type Result = Awaited<ReturnType<ProviderActivities[Name]>>;
  if (!isBulk()) {
    const inlineSteps: Record<string, InlineSteps[`${InlineStep}Inline`]> = wf.proxyLocalActivities<InlineSteps>({
      scheduleToCloseTimeout: '1 minute', // The step ends itself before.
      retry: { maximumAttempts: 1 },
      summary,
    });
    const outcome = await inlineSteps[`${step}Inline`]?.({ provider, input }).catch(onlyTimeOuts);
    if (outcome?.tried) return (outcome.result ?? undefined) as Result;
  }
  return await (queued[step] as (of: typeof input) => Promise<Result>)(input);
}

/** An inline step that is lost proves nothing about the provider. */
function onlyTimeOuts(error: unknown): undefined {
  const cause = error instanceof wf.ActivityFailure ? error.cause : error;
  if (!(cause instanceof wf.TimeoutFailure)) throw error;
}

/** Calls that read for a connection. A caller may wait for them now, even if their workflow began as bulk work. */
export const proxyReads = (provider: ProviderName, summary: string, priority: PriorityKey) =>
  wf.proxyActivities<ProviderActivities>(providerCall(provider, summary, priority, true));

/** Calls of a Connect attempt. */
export const proxyConnects = (provider: ProviderName, summary: string) =>
  wf.proxyActivities<ProviderActivities>(providerCall(CONNECT_QUEUES[provider], summary, Priority.person));

/** Calls that refresh, check or revoke grants. */
export const proxyGrants = (provider: ProviderName, summary: string, priority: PriorityKey) =>
  wf.proxyActivities<ProviderActivities>(providerCall(GRANT_QUEUES[provider], summary, priority));

export const proxyIssuer = (summary: string) =>
  wf.proxyActivities<IssuerActivities>(providerCall(ISSUER_QUEUE, summary, Priority.person));

/**
 * Sends to one endpoint, on the queue of all endpoints. The apps take turns. Temporal retries without end: the next try
 * finds the remains of a failed or lost try in its rows.
 */
export const proxyWebhooks = () =>
  wf.proxyActivities<WebhookActivities>({
    taskQueue: `${wf.workflowInfo().taskQueue}-${WEBHOOK_QUEUE}`,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
    priority: fairness(),
    summary: 'send due webhooks',
  });
