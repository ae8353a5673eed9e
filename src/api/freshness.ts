import { setTimeout as delay } from 'node:timers/promises';
import { StaleDatabaseError } from '../errors.ts';
import type { JournalKeeper } from '../journal/keep.ts';
import type { Log } from '../log.ts';

/** Less than `/readyz` takes in all. */
const PATIENCE_MS = 2_000;

/** Whether the database may be served from, as far as the journal of erasures tells. */
export interface Freshness {
  /** A database that cannot be asked serves nobody either, and `listDoubts` asks again. @throws StaleDatabaseError */
  refuseStale(): Promise<void>;
  /** Why it may not be, in words; none when it may. */
  listDoubts(): Promise<readonly string[]>;
}

/**
 * Nothing is served before database and journal have been compared. From then on a journal that cannot be read keeps
 * nobody from being served: databases are restored while nothing runs, and erasures wait for the journal by themselves.
 */
export function createFreshness(
  journal: Pick<JournalKeeper, 'check'>,
  log: Log,
  patienceMs: number = PATIENCE_MS,
): Freshness {
  let compared = false;
  let comparing: Promise<void> | undefined;

  /** One at a time: a file system that hangs is not to be asked again and again. */
  function compare(): Promise<void> {
    comparing ??= journal.check().then(
      () => {
        [compared, comparing] = [true, undefined];
      },
      (error: unknown) => {
        comparing = undefined;
        throw error;
      },
    );
    return comparing;
  }

  async function compareInTime(): Promise<void> {
    const late = delay(patienceMs, undefined, { ref: false }).then(() => {
      throw new Error('late');
    });
    await Promise.race([compare(), late]);
  }

  async function listDoubts(): Promise<readonly string[]> {
    try {
      await compareInTime();
      return [];
    } catch (error) {
      if (error instanceof StaleDatabaseError) return [error.message];
      log.warn('Journal of erasures not compared', { error });
      return compared ? [] : ['the journal of erasures cannot be compared'];
    }
  }

  return {
    listDoubts,
    async refuseStale() {
      try {
        await compare();
      } catch (error) {
        if (error instanceof StaleDatabaseError) throw error;
        log.warn('Journal of erasures not compared yet', { error });
      }
    },
  };
}
