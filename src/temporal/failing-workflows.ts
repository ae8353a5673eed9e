import { type Client, isGrpcServiceError, type WorkflowExecutionDescription } from '@temporalio/client';
import { FAILING_WORKFLOWS } from '../workflows/contract.ts';

/** So many failures of a workflow's own task in a row are no crash of a worker: its code fails, or does not replay its history. */
const FAILURES_IN_A_ROW = 3;

/** UNHANDLED_COMMAND, RESET_STICKY_TASK_QUEUE, FORCE_CLOSE_COMMAND, FAILOVER_CLOSE_COMMAND, RESET_WORKFLOW: no fault of the code. */
const CAUSES_OF_TEMPORAL: ReadonlySet<number> = new Set([1, 13, 17, 18, 20]);
const NEWEST_EVENTS = 100;

/**
 * Whether a workflow cannot continue: Temporal retries its task without end, and still reports it as running. A task that timed out
 * proves nothing (D-876). History keeps the first failure of a row, and workers report no other.
 */
export async function isFailing(
  client: Client,
  { raw, workflowId, runId }: Pick<WorkflowExecutionDescription, 'raw' | 'workflowId' | 'runId'>,
): Promise<boolean> {
  if ((raw.pendingWorkflowTask?.attempt ?? 0) <= FAILURES_IN_A_ROW) return false;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: NEWEST_EVENTS,
  });
  const last = history?.events?.find(
    (event) =>
      event.workflowTaskFailedEventAttributes ||
      event.workflowTaskTimedOutEventAttributes ||
      event.workflowTaskCompletedEventAttributes,
  );
  const cause = last?.workflowTaskFailedEventAttributes?.cause;
  return typeof cause === 'number' && !CAUSES_OF_TEMPORAL.has(cause);
}

const INVALID_ARGUMENT = 3;

/** @returns undefined if Temporal is older than 1.30 and marks no workflow. */
export async function countFailingWorkflows(client: Client, taskQueue: string): Promise<number | undefined> {
  try {
    return (await client.workflow.count(`${FAILING_WORKFLOWS} AND TaskQueue = "${taskQueue}"`)).count;
  } catch (error) {
    const { cause } = error as Error;
    if (isGrpcServiceError(cause) && Number(cause.code) === INVALID_ARGUMENT) return undefined;
    throw error;
  }
}
