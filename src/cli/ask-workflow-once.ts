import type { CliConfig } from '../config/config.ts';
import { createWorkflowAsker, type WorkflowAnswer } from '../temporal/ask-workflow.ts';
import { createTemporalClient } from '../temporal/client.ts';

/** Asks one workflow for its state, over a connection of its own. */
export async function askWorkflowOnce(config: CliConfig, workflowId: string): Promise<WorkflowAnswer> {
  const client = createTemporalClient(config);
  const { ask, close } = createWorkflowAsker(client, config.TASK_QUEUE);
  try {
    return await ask(workflowId);
  } finally {
    await close();
    await client.connection.close();
  }
}
