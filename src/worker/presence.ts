import type { Client } from '@temporalio/client';
import { ForeignQueueError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import { requireOwnQueue } from '../outbox/queue-owner.ts';
import type { Database } from '../store/driver/sql.ts';
import { getInstallationId, recordPresence } from '../store/installation.ts';
import { alignSchedules } from './schedules.ts';

interface Parts {
  readonly sql: Database;
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly log: Log;
}

const EVERY_MS = 60_000;
const WITHIN_MS = 10_000;

/**
 * Takes the task queue for this database, or confirms that it is taken, before this worker polls it. Of two installations that start
 * at once, Temporal lets one create the Schedule.
 * @throws ForeignQueueError
 */
export async function claimQueue({ sql, temporal, taskQueue }: Parts, workerId: string): Promise<void> {
  const queue = { sql, client: temporal, taskQueue };
  await temporal.withDeadline(Date.now() + WITHIN_MS, async () => {
    await requireOwnQueue(queue);
    await alignSchedules(temporal, { taskQueue, installationId: await getInstallationId(sql) });
    await requireOwnQueue(queue);
  });
  await recordPresence(sql, workerId);
}

/**
 * Records regularly that this worker uses the database, and logs workers that use another one. It does not stop: the service
 * refuses the worker that starts later, unless its version does not check.
 * @returns a function that ends this.
 */
export function keepPresence({ sql, temporal, taskQueue, log }: Parts, workerId: string): () => Promise<void> {
  let running: Promise<void> | undefined;
  const look = async () => {
    try {
      await recordPresence(sql, workerId);
      await temporal.withDeadline(Date.now() + WITHIN_MS, () => requireOwnQueue({ sql, client: temporal, taskQueue }));
    } catch (error) {
      if (error instanceof ForeignQueueError) log.error('The task queue is shared', { reasons: [error.message] });
      else log.warn('Task queue not checked', { error });
    }
  };
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
