import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { RefusedDatabaseError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import { readTemporalSettings, type TemporalProfile } from '../basics/temporal-settings.ts';
import type { JournalKeeper } from '../journal/keep.ts';
import { listDatabaseFaults, refuseSharedSessions } from '../store/database-faults.ts';
import type { Database } from '../store/driver/sql.ts';
import { explainTemporalFailure } from './explain-temporal-failure.ts';

/** Waits for the dependencies of a worker before it takes any work. They may start later, or need a repair first. */
export interface WorkerStartup {
  /** Why the worker is not ready. */
  reasons(): readonly string[];
  /** @returns undefined when the shutdown signal comes first. */
  waitForTemporal(config: TemporalProfile): Promise<NativeConnection | undefined>;
  /**
   * Waits until the database has all migrations and rights that this build needs and is as new as the erasure journal.
   * @returns false when the shutdown signal comes first. @throws RefusedDatabaseError
   */
  waitForDatabase(parts: { sql: Database; journal: Pick<JournalKeeper, 'check'> }): Promise<boolean>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/** A missing namespace, or one that we may not use, shows only when something asks for it. */
async function connectToNamespace(config: TemporalProfile): Promise<NativeConnection> {
  const { connectionOptions, namespace } = readTemporalSettings(config);
  const connection = await NativeConnection.connect(connectionOptions as never);
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export function createWorkerStartup(
  log: Log,
  stopping: AbortSignal,
  firstPauseMs: number = FIRST_PAUSE_MS,
): WorkerStartup {
  let reasons: readonly string[] = ['Temporal has not been reached yet'];

  /** Retries at growing intervals. @param attempt returns undefined to be retried. */
  async function until<T>(attempt: (tries: number) => Promise<T | undefined>): Promise<T | undefined> {
    for (let tries = 1; !stopping.aborted; tries += 1) {
      const result = await attempt(tries);
      if (result !== undefined) return result;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** Math.min(tries - 1, 4));
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined); // Only the signal rejects it.
    }
    return undefined;
  }

  /** Logs the same faults only once. */
  function noteFaults(faults: readonly string[]): undefined {
    if (faults.join() !== reasons.join()) log.warn('Not ready', { reasons: faults });
    reasons = faults;
  }

  return {
    reasons: () => reasons,
    waitForTemporal: (config) =>
      until(async (tries) => {
        try {
          return await connectToNamespace(config);
        } catch (error) {
          const reason = explainTemporalFailure(error);
          reasons = [reason];
          log.warn('Temporal not reachable yet', { reason, error, tries });
          return undefined;
        }
      }),
    async waitForDatabase({ sql, journal }) {
      reasons = ['the database has not been checked yet'];
      const isFit = await until(async (tries) => {
        try {
          const faults = await listDatabaseFaults(sql, 'worker');
          if (faults.length > 0) return noteFaults(faults);
          await refuseSharedSessions(sql);
          await journal.check();
          return true;
        } catch (error) {
          if (error instanceof RefusedDatabaseError) throw error;
          reasons = ['the database or the erasure journal cannot be reached'];
          log.warn('Database or journal not reachable yet', { error, tries });
          return undefined;
        }
      });
      return isFit ?? false;
    },
  };
}
