import type { CliConfig } from '../config/config.ts';
import { createWorkflowAsker } from '../temporal/ask-workflow.ts';
import { createTemporalClient } from '../temporal/client.ts';

/** Sends one request to Temporal over its own connection. */
export async function askOnce<Answer>(
  config: CliConfig,
  question: (
    asker: Pick<ReturnType<typeof createWorkflowAsker>, 'ask' | 'countFailing' | 'askWorkers'>,
  ) => Promise<Answer>,
): Promise<Answer> {
  const client = createTemporalClient(config);
  const asker = createWorkflowAsker(client, config.TASK_QUEUE);
  try {
    return await question(asker);
  } finally {
    await asker.close();
    await client.connection.close();
  }
}
