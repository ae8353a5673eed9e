import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { ForeignQueueError, RefusedDatabaseError, ServiceError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import { readTemporalSettings, type TemporalProfile } from '../basics/temporal-settings.ts';
import type { JournalKeeper } from '../journal/keep.ts';
import { listDatabaseFaults, refuseSharedSessions } from '../store/database-faults.ts';
import type { Database } from '../store/driver/sql.ts';
import { explainTemporalFailure, MissingAttributesError } from '../temporal/explain-temporal-failure.ts';
import { KEYS } from '../temporal/start-workflow.ts';

/** Waits for the dependencies of a worker before it takes any work. They may start later, or need a repair first. */
export interface WorkerStartup {
  /** Why the worker is not ready. */
  reasons(): readonly string[];
  /** @returns undefined when the shutdown signal comes first. */
  waitForTemporal(config: TemporalProfile): Promise<NativeConnection | undefined>;
  /**
   * Waits until the database has all migrations and rights that this build needs and is as new as the erasure journal, and until the
   * journal can be written.
   * @returns false when the shutdown signal comes first. @throws RefusedDatabaseError
   */
  waitForDatabase(parts: {
    sql: Database;
    journal: Pick<JournalKeeper, 'check' | 'requireWritable'>;
  }): Promise<boolean>;
  /**
   * Waits until the task queue is free of workers with copies of the database. A Temporal that gives no right to ask does not hold the
   * worker. @returns false when the shutdown signal comes first. @throws ForeignQueueError if the queue is another installation's
   */
  waitForQueue(claim: () => Promise<void>): Promise<boolean>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** After so many failures of its own, Temporal holds a worker no longer. */
const ASKED = 3;

/** Temporal's gRPC status for a query with an unknown attribute, and for one that its visibility store cannot run. */
const [INVALID_ARGUMENT, UNIMPLEMENTED] = [3, 12];

/** An operator names each of them when they create the namespace. Without one, Temporal refuses every start of a workflow. */
async function requireSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const missing: string[] = [];
  for (const name of Object.keys(KEYS)) {
    try {
      // Only attributes of type Keyword have prefixes.
      await connection.workflowService.countWorkflowExecutions({ namespace, query: `${name} STARTS_WITH "-"` });
    } catch (error) {
      const code = Number((error as { code?: unknown }).code);
      if (code === UNIMPLEMENTED) throw error;
      if (code === INVALID_ARGUMENT) missing.push(name);
    }
  }
  if (missing.length > 0) throw new MissingAttributesError(missing);
}

/** A missing namespace, or one that we may not use, shows only when something asks for it. */
async function connectToNamespace(config: TemporalProfile): Promise<NativeConnection> {
  const { connectionOptions, namespace } = readTemporalSettings(config);
  const connection = await NativeConnection.connect(connectionOptions as never);
  try {
    await connection.workflowService.describeNamespace({ namespace });
    await requireSearchAttributes(connection, namespace);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function explainUnfit(error: unknown): string {
  if (error instanceof ServiceError) return error.message; // The journal's own sentence.
  const { path, code } = error as NodeJS.ErrnoException;
  return path === undefined
    ? 'the database or the erasure journal cannot be reached'
    : `the erasure journal cannot be used: a worker must be able to create and link files in ERASURE_JOURNAL (${code})`;
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
          await journal.requireWritable();
          return true;
        } catch (error) {
          if (error instanceof RefusedDatabaseError) throw error;
          reasons = [explainUnfit(error)];
          log.warn('Database or journal not reachable yet', { error, tries });
          return undefined;
        }
      });
      return isFit ?? false;
    },
    async waitForQueue(claim) {
      const isFree = await until(async (tries) => {
        try {
          await claim();
          return true;
        } catch (error) {
          if (error instanceof ForeignQueueError) {
            if (!error.passes) throw error;
            return noteFaults([error.message]);
          }
          if (tries >= ASKED) return true;
          reasons = ['the task queue has not been checked yet'];
          log.warn('Task queue not checked', { error, tries });
          return undefined;
        }
      });
      return isFree ?? false;
    },
  };
}
