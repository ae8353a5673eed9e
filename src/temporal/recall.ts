import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { asId, type ConnectionId, type WebhookEndpointId } from '../basics/ids.ts';
import type { ToldEvent } from '../store/failovers.ts';
import type { Dispatch } from '../store/outbox.ts';
import { type DisconnectInput, RETRY_NOW, WORKFLOWS, type WorkflowName } from '../workflows/contract.ts';
import { KEYS, startWorkflow } from './start-workflow.ts';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** Recent work in Temporal's histories, for a database that may have lost its rows. */
export interface Recall {
  /** The connections whose disconnects have begun since then. */
  listDisconnects(since: Date): Promise<ConnectionId[]>;
  /** The receipts that callers have of a disconnect, and how its revoke ended. @returns undefined if Temporal does not know it */
  findDisconnect(connectionId: ConnectionId): Promise<DisconnectInput | undefined>;
  /** Runs the disconnect of a connection again, with its input; at once if it waits. */
  repeatDisconnect(connectionId: ConnectionId): Promise<void>;
  /** The last event of each connection that endpoints have received since then. */
  listToldEvents(since: Date): AsyncIterable<{ endpointId: WebhookEndpointId; told: ToldEvent[] }>;
}

/** The id of the row, in the id of its workflow. */
const readRowId = (workflowId: string) => workflowId.slice(workflowId.indexOf('/') + 1);

export function createRecall(client: Client, taskQueue: string): Recall {
  const list = (workflowType: WorkflowName, condition: string): AsyncIterable<WorkflowExecutionInfo> =>
    client.workflow.list({
      query: `TaskQueue = "${taskQueue}" AND WorkflowType = "${workflowType}" AND (${condition})`,
    });
  const readHistory = ({
    workflowId,
    runId,
  }: Pick<WorkflowExecutionInfo, 'workflowId'> & { runId?: string }): Promise<History> =>
    client.workflow.getHandle(workflowId, runId).fetchHistory();
  /** The input of the last run, and whether the platform has confirmed its revoke. */
  const readDisconnect = async (connectionId: ConnectionId): Promise<DisconnectInput> => {
    const events = (await readHistory({ workflowId: WORKFLOWS.disconnect.id({ connectionId }) })).events ?? [];
    const input = readPayload(events[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]);
    return { ...(input as DisconnectInput), ...(isRevoked(events) && { revoked: true }) };
  };
  return {
    async listDisconnects(since) {
      const ids = new Set<ConnectionId>();
      for await (const { workflowId } of list('disconnect', `StartTime >= "${since.toISOString()}"`)) {
        const id = asId<ConnectionId>(readRowId(workflowId));
        if (id !== undefined) ids.add(id);
      }
      return [...ids];
    },
    async findDisconnect(connectionId) {
      try {
        return await readDisconnect(connectionId);
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      }
    },
    async repeatDisconnect(connectionId) {
      const handle = client.workflow.getHandle(WORKFLOWS.disconnect.id({ connectionId }));
      const [{ typedSearchAttributes, memo }, input] = await Promise.all([
        handle.describe(),
        readDisconnect(connectionId),
      ]);
      const attribute = (name: 'AppId' | 'Provider') => String(typedSearchAttributes.get(KEYS[name]));
      await startWorkflow(client, taskQueue, {
        workflowId: handle.workflowId,
        workflowType: 'disconnect',
        input: { ...input } as unknown as Dispatch['input'],
        signalName: RETRY_NOW,
        restart: true,
        searchAttributes: {
          AppId: attribute('AppId'),
          Provider: attribute('Provider'),
          ConnectionId: connectionId,
          JobKind: WORKFLOWS.disconnect.kind,
        },
        correlationId: typeof memo?.correlationId === 'string' ? memo.correlationId : null,
      });
    },
    async *listToldEvents(since) {
      const endedSince = `ExecutionStatus = "Running" OR CloseTime >= "${since.toISOString()}"`;
      for await (const execution of list('sendWebhooks', endedSince)) {
        const endpointId = asId<WebhookEndpointId>(readRowId(execution.workflowId));
        if (endpointId === undefined) continue;
        const last = new Map<ConnectionId, number>();
        for (const event of (await readHistory(execution)).events ?? []) {
          if (Number(event.eventTime?.seconds ?? 0) * 1_000 < since.getTime()) continue;
          const result = readPayload(event.activityTaskCompletedEventAttributes?.result?.payloads?.[0]);
          for (const [connectionId, sequence] of (result as { told?: ToldEvent[] } | undefined)?.told ?? [])
            last.set(connectionId, Math.max(sequence, last.get(connectionId) ?? 0));
        }
        if (last.size > 0) yield { endpointId, told: [...last] };
      }
    },
  };
}

type HistoryEvent = NonNullable<History['events']>[number];

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

const readPayload = (payload: Payload | null | undefined): unknown =>
  payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);

/** Whether a try of the revoke, in its queue or inline, has ended with the platform's confirmation. */
const isRevoked = (events: readonly HistoryEvent[]): boolean =>
  [...listQueuedResults(events, 'tryRevoke'), ...listInlineResults(events, 'tryRevokeInline')].some((result) => {
    const end = result as { status?: string; creatorAction?: unknown } | null | undefined;
    return end?.status === 'SUCCEEDED' && end.creatorAction === null;
  });

function listQueuedResults(events: readonly HistoryEvent[], activity: string): unknown[] {
  const tries = new Set(
    events.flatMap(({ eventId, activityTaskScheduledEventAttributes: scheduled }) =>
      scheduled?.activityType?.name === activity ? [String(eventId)] : [],
    ),
  );
  return events.flatMap(({ activityTaskCompletedEventAttributes: completed }) =>
    tries.has(String(completed?.scheduledEventId)) ? [readPayload(completed?.result?.payloads?.[0])] : [],
  );
}

/** Temporal keeps the result of a step within the workflow task as a marker. */
const listInlineResults = (events: readonly HistoryEvent[], activity: string): unknown[] =>
  events.flatMap(({ markerRecordedEventAttributes: marker }) => {
    const { data, result } = marker?.details ?? {};
    const step = readPayload(data?.payloads?.[0]) as { activity_type?: string } | undefined;
    if (step?.activity_type !== activity) return [];
    const outcome = readPayload(result?.payloads?.[0]) as { result?: unknown } | undefined;
    return outcome?.result ? [outcome.result] : [];
  });
