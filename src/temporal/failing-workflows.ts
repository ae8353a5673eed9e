import { type Client, isGrpcServiceError, type WorkflowExecutionDescription } from '@temporalio/client';
import { FAILING_WORKFLOWS } from '../workflows/contract.ts';

/** So many failures of a workflow's own task in a row are no crash of a worker: its code fails, or does not replay its history. */
const FAILURES_IN_A_ROW = 3;

/** Whether a workflow cannot continue: Temporal retries its task without end, and still reports it as running. */
export const isFailing = ({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): boolean =>
  (raw.pendingWorkflowTask?.attempt ?? 0) > FAILURES_IN_A_ROW;

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
