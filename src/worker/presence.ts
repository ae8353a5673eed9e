import type { Client } from '@temporalio/client';
import { ForeignQueueError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import { requireOwnQueue } from '../outbox/queue-owner.ts';
import type { Database } from '../store/driver/sql.ts';
import { getInstallationId, recordAbsence, recordPresence, type WorkerName } from '../store/installation.ts';
import { alignSchedules } from './schedules.ts';

interface Parts {
  readonly sql: Database;
  readonly temporal: Client;
  readonly taskQueue: string;
  readonly log: Log;
}

const EVERY_MS = 60_000;
const WITHIN_MS = 10_000;
/** Operators see that no worker reports after two and a half times of this (`domain/work-state/complete-workers.ts`). */
const REPORTS_EVERY_MS = 10_000;

/**
 * Takes the task queue for this database, or confirms that it is taken, before this worker polls it. Of two installations that start
 * at once, Temporal lets one create the Schedule.
 * @throws ForeignQueueError
 */
export async function claimQueue({ sql, temporal, taskQueue }: Parts, worker: WorkerName): Promise<void> {
  const queue = { sql, client: temporal, taskQueue };
  await temporal.withDeadline(Date.now() + WITHIN_MS, async () => {
    await requireOwnQueue(queue);
    await alignSchedules(temporal, { taskQueue, installationId: await getInstallationId(sql) });
    await requireOwnQueue(queue);
  });
  await recordPresence(sql, worker);
}

/**
 * Records regularly that this worker uses the database, and logs workers that use another one. It does not stop: the service
 * refuses the worker that starts later, unless its version does not check.
 * @param stopping aborted once the worker stops on request; then its end records that.
 * @returns a function that ends this.
 */
export function keepPresence(
  { sql, temporal, taskQueue, log }: Parts,
  worker: WorkerName,
  stopping: AbortSignal,
): () => Promise<void> {
  const look = async () => {
    try {
      await recordPresence(sql, worker);
      await temporal.withDeadline(Date.now() + WITHIN_MS, () => requireOwnQueue({ sql, client: temporal, taskQueue }));
    } catch (error) {
      if (error instanceof ForeignQueueError) log.error('The task queue is shared', { reasons: [error.message] });
      else log.warn('Task queue not checked', { error });
    }
  };
  const report = () => recordPresence(sql, worker).catch(() => undefined); // The next look logs it.
  const ends = [repeat(look, EVERY_MS), repeat(report, REPORTS_EVERY_MS)];
  return async () => {
    await Promise.all(ends.map((end) => end()));
    if (stopping.aborted)
      await recordAbsence(sql, worker).catch((error: unknown) =>
        log.warn('The end of this worker was not stored', { error }),
      );
  };
}

/** Acts at an interval, unless the last act still runs. @returns a function that ends this */
function repeat(act: () => Promise<void>, everyMs: number): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= act().finally(() => {
      running = undefined;
    });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
