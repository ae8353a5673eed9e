import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { RefusedDatabaseError } from '../errors.ts';
import type { JournalKeeper } from '../journal/keep.ts';
import type { Log } from '../log.ts';
import { listDatabaseFaults } from '../store/database-faults.ts';
import type { Database } from '../store/sql.ts';
import { readTemporalSettings, type TemporalProfile } from '../temporal-settings.ts';

/** What a worker needs before it takes any work. It may come up after us, or be mended by somebody. */
export interface WorkerStartup {
  /** What is being waited for, in words. */
  reasons(): readonly string[];
  /** @returns undefined when told to stop before it was there. */
  waitForTemporal(config: TemporalProfile): Promise<NativeConnection | undefined>;
  /**
   * Until it is there, with all migrations and rights that this build needs, and as new as the journal of erasures.
   * @returns false when told to stop before that. @throws RefusedDatabaseError
   */
  waitForDatabase(parts: { sql: Database; journal: Pick<JournalKeeper, 'check'> }): Promise<boolean>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

export function createWorkerStartup(
  log: Log,
  stopping: AbortSignal,
  firstPauseMs: number = FIRST_PAUSE_MS,
): WorkerStartup {
  let reasons: readonly string[] = ['Temporal has not been reached yet'];

  /** Again and again, at growing intervals. @param attempt gives undefined for as long as it has to be repeated. */
  async function until<T>(attempt: (tries: number) => Promise<T | undefined>): Promise<T | undefined> {
    for (let tries = 1; !stopping.aborted; tries += 1) {
      const result = await attempt(tries);
      if (result !== undefined) return result;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** Math.min(tries - 1, 4));
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined); // Only ever ended by the signal.
    }
    return undefined;
  }

  /** Faults stay the same over many tries, and are told once. */
  function noteFaults(faults: readonly string[]): undefined {
    if (faults.join() !== reasons.join()) log.warn('Not ready', { reasons: faults });
    reasons = faults;
  }

  return {
    reasons: () => reasons,
    waitForTemporal: (config) =>
      until(async (tries) => {
        try {
          return await NativeConnection.connect(readTemporalSettings(config).connectionOptions as never);
        } catch (error) {
          log.warn('Temporal not reachable yet', { error, tries });
          return undefined;
        }
      }),
    async waitForDatabase({ sql, journal }) {
      reasons = ['the database has not been looked at yet'];
      const isFit = await until(async (tries) => {
        try {
          const faults = await listDatabaseFaults(sql, 'worker');
          if (faults.length > 0) return noteFaults(faults);
          await journal.check();
          return true;
        } catch (error) {
          if (error instanceof RefusedDatabaseError) throw error;
          reasons = ['the database or the journal of erasures cannot be reached'];
          log.warn('Database or journal not reachable yet', { error, tries });
          return undefined;
        }
      });
      return isFit ?? false;
    },
  };
}
