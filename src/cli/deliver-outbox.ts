import type { CliConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import type { Database } from '../store/sql.ts';
import { createTemporalClient } from '../temporal.ts';

/** Brings to Temporal what was just committed. @returns false when it could not be reached: the outbox goes on trying. */
export async function deliverOutbox(config: CliConfig, sql: Database): Promise<boolean> {
  const client = createTemporalClient(config);
  const dispatcher = createDispatcher({ sql, client, taskQueue: config.TASK_QUEUE, log: createLog('silent') });
  try {
    const { failed } = await dispatcher.deliverDue();
    return failed === 0;
  } finally {
    await dispatcher.close();
    await client.connection.close();
  }
}
