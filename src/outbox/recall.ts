import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { asId, type ConnectionId, type WebhookEndpointId } from '../ids.ts';
import type { ReceiptIds } from '../store/disconnects.ts';
import type { ToldEvent } from '../store/failovers.ts';
import type { Dispatch } from '../store/outbox.ts';
import { type DisconnectInput, RETRY_NOW } from '../workflows/contract.ts';
import { startWorkflow } from './start-workflow.ts';

/** What Temporal knows of recent work, for a database that may have lost its rows. */
export interface Recall {
  /** The connections whose disconnects have begun since then. */
  listDisconnects(since: Date): Promise<ConnectionId[]>;
  /** The receipts that callers have of a disconnect. @returns undefined if Temporal does not know it */
  findReceipts(connectionId: ConnectionId): Promise<ReceiptIds | undefined>;
  /** Runs the disconnect of a connection again, with its input; at once if it waits. */
  repeatDisconnect(connectionId: ConnectionId): Promise<void>;
  /** The last event of each connection that endpoints were told since then. */
  listToldEvents(since: Date): AsyncIterable<{ endpointId: WebhookEndpointId; told: ToldEvent[] }>;
}

const DISCONNECT = 'disconnect/';
const WEBHOOKS = 'webhooks/';

export function createRecall(client: Client, taskQueue: string): Recall {
  const list = (workflowType: string, condition: string): AsyncIterable<WorkflowExecutionInfo> =>
    client.workflow.list({
      query: `TaskQueue = "${taskQueue}" AND WorkflowType = "${workflowType}" AND (${condition})`,
    });
  const readHistory = ({ workflowId, runId }: Pick<WorkflowExecutionInfo, 'workflowId'> & { runId?: string }) =>
    client.workflow.getHandle(workflowId, runId).fetchHistory();
  const readInput = async (connectionId: ConnectionId): Promise<unknown> => {
    const history = await readHistory({ workflowId: `${DISCONNECT}${connectionId}` });
    return readPayload(history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]);
  };
  return {
    async listDisconnects(since) {
      const ids = new Set<ConnectionId>();
      for await (const { workflowId } of list('disconnect', `StartTime >= "${since.toISOString()}"`)) {
        const id = asId<ConnectionId>(workflowId.slice(DISCONNECT.length));
        if (id !== undefined) ids.add(id);
      }
      return [...ids];
    },
    async findReceipts(connectionId) {
      try {
        const { revokeJobId, eraseJobId } = (await readInput(connectionId)) as DisconnectInput;
        return { revokeJobId, eraseJobId };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      }
    },
    async repeatDisconnect(connectionId) {
      const handle = client.workflow.getHandle(`${DISCONNECT}${connectionId}`);
      const [{ searchAttributes, memo }, input] = await Promise.all([handle.describe(), readInput(connectionId)]);
      const attribute = (name: string) => String(searchAttributes[name]?.[0]);
      await startWorkflow(client, taskQueue, {
        workflowId: handle.workflowId,
        workflowType: 'disconnect',
        input: input as Dispatch['input'],
        signalName: RETRY_NOW,
        restart: true,
        searchAttributes: {
          AppId: attribute('AppId'),
          Provider: attribute('Provider'),
          ConnectionId: connectionId,
          JobKind: 'DISCONNECT',
        },
        correlationId: typeof memo?.correlationId === 'string' ? memo.correlationId : null,
      });
    },
    async *listToldEvents(since) {
      const endedSince = `ExecutionStatus = "Running" OR CloseTime >= "${since.toISOString()}"`;
      for await (const execution of list('sendWebhooks', endedSince)) {
        const endpointId = asId<WebhookEndpointId>(execution.workflowId.slice(WEBHOOKS.length));
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

type Payload = Parameters<typeof defaultPayloadConverter.fromPayload>[0];

const readPayload = (payload: Payload | null | undefined): unknown =>
  payload == null ? undefined : defaultPayloadConverter.fromPayload(payload);
