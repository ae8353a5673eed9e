import { createLog } from '../basics/log.ts';
import type { CliConfig } from '../config/config.ts';
import { createDispatcher } from '../outbox/dispatcher.ts';
import type { Database } from '../store/driver/sql.ts';
import { createTemporalClient } from '../temporal/client.ts';

/** Delivers the entries that were just committed to Temporal. @returns false if it is unreachable: the worker retries. */
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
