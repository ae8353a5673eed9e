import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, StaleDatabaseError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import type { JournalKeeper } from '../journal/keep.ts';

/** Shorter than the time limit of `/readyz`. */
const PATIENCE_MS = 2_000;

/** Decides whether the database may serve requests, by comparison with the erasure journal. */
export interface Freshness {
  /** An unreachable database serves no request either, and `listDoubts` asks again. @throws StaleDatabaseError */
  refuseStale(): Promise<void>;
  /** Lists the reasons why the database may not serve requests; none if it may. */
  listDoubts(): Promise<readonly string[]>;
}

/**
 * Serves no request before the database and the journal were compared once. After that, an unreadable journal does not
 * stop the service: operators restore databases while no process runs, and erasures wait for the journal themselves.
 */
export function createFreshness(
  journal: Pick<JournalKeeper, 'check'>,
  log: Log,
  patienceMs: number = PATIENCE_MS,
): Freshness {
  let compared = false;
  let comparing: Promise<void> | undefined;

  /** Runs one comparison at a time, so that a file system that hangs gets only one request. */
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
      log.warn('Erasure journal not compared', { error });
      if (compared) return [];
      return [error instanceof ServiceError ? error.message : 'the erasure journal cannot be compared'];
    }
  }

  return {
    listDoubts,
    async refuseStale() {
      try {
        await compare();
      } catch (error) {
        if (error instanceof StaleDatabaseError) throw error;
        log.warn('Erasure journal not compared yet', { error });
      }
    },
  };
}
