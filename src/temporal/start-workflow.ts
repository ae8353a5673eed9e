import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  SearchAttributeType,
  TypedSearchAttributes,
} from '@temporalio/common';
import type { Lane, OutboxEntry } from '../store/outbox.ts';
import { WORKFLOWS } from '../workflows/contract.ts';
import { isFailing } from './failing-workflows.ts';

/** The keys of the search attributes. */
export const KEYS = {
  AppId: defineSearchAttributeKey('AppId', SearchAttributeType.KEYWORD),
  Provider: defineSearchAttributeKey('Provider', SearchAttributeType.KEYWORD),
  ConnectionId: defineSearchAttributeKey('ConnectionId', SearchAttributeType.KEYWORD),
  JobKind: defineSearchAttributeKey('JobKind', SearchAttributeType.KEYWORD),
  /** Set by a workflow while it fails (workflows/progress.ts). */
  LastFailure: defineSearchAttributeKey('LastFailure', SearchAttributeType.KEYWORD),
} as const;

const SUMMARIES = new Map(Object.entries(WORKFLOWS).map(([name, { summary }]) => [name, summary]));

type Start = Pick<
  OutboxEntry,
  'workflowId' | 'workflowType' | 'input' | 'signalName' | 'searchAttributes' | 'correlationId'
> &
  Partial<Pick<OutboxEntry, 'restart' | 'lane'>>;

/** The order of workflow tasks and of our own steps in a full queue: 1 before 5. Within it the apps take turns. */
const PRIORITY_KEYS: Readonly<Record<Lane, number>> = { PERSON: 1, REQUEST: 3, REFUSED: 3, BULK: 5 };

/**
 * Starts a workflow once, or signals it and starts it first if needed. Safe to repeat. A run that completed is final. One
 * that an operator ended is not: work that is accepted after it, such as a retry, starts another run (D-232).
 */
export async function startWorkflow(client: Client, taskQueue: string, entry: Start): Promise<void> {
  const provider = entry.searchAttributes.Provider;
  const start = {
    taskQueue,
    workflowId: entry.workflowId,
    args: [entry.input],
    memo: entry.correlationId === null ? {} : { correlationId: entry.correlationId },
    staticSummary: `${SUMMARIES.get(entry.workflowType) ?? entry.workflowType}${provider ? ` (${provider})` : ''}`,
    typedSearchAttributes: new TypedSearchAttributes(pairs(entry.searchAttributes)),
    priority: {
      priorityKey: PRIORITY_KEYS[entry.lane ?? 'REQUEST'],
      ...(entry.searchAttributes.AppId && { fairnessKey: entry.searchAttributes.AppId }),
    },
    workflowIdReusePolicy: entry.restart ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
  try {
    if (entry.signalName === null) await client.workflow.start(entry.workflowType, start);
    else await client.workflow.signalWithStart(entry.workflowType, { ...start, signal: entry.signalName });
  } catch (error) {
    // It has run and completed: the request is done.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const LOOK_WITHIN_MS = 5_000;

/** The state of a workflow's latest run. A failing one runs, but cannot continue until another build runs it. */
export async function getWorkflowState(
  client: Client,
  workflowId: string,
): Promise<'running' | 'failing' | 'closed' | 'unknown'> {
  try {
    return await client.withDeadline(Date.now() + LOOK_WITHIN_MS, async () => {
      const description = await client.workflow.getHandle(workflowId).describe();
      if (description.status.name !== 'RUNNING' && description.status.name !== 'PAUSED') return 'closed';
      return (await isFailing(client, description)) ? 'failing' : 'running';
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}

const pairs = (attributes: OutboxEntry['searchAttributes']): SearchAttributePair[] =>
  Object.entries(KEYS).flatMap(([name, key]) => {
    const value = attributes[name];
    return value === undefined ? [] : [{ key, value }];
  });
