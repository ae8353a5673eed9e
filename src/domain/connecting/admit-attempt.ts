import { ServiceError } from '../../basics/errors.ts';
import type { AppId } from '../../basics/ids.ts';
import { countRecentAttemptsOfApp } from '../../store/attempts/attempt-counts.ts';
import { type Database, inTransaction, type Transaction } from '../../store/driver/sql.ts';

/** The app has reached its limit of attempts, until the first of them is older than ten minutes. */
export class AppLimitReached extends ServiceError {
  constructor(most: number, retryAfterSeconds: number) {
    super('RATE_LIMITED', `The app has had ${most} Connect sessions in ten minutes.`, { retryAfterSeconds });
  }
}

/** The count may no longer be exact: the transaction has to run again, alone. */
class NearLimit extends Error {}

/**
 * Runs `work`, which inserts one attempt of the app, in one transaction, if the app has had fewer than `most` in ten minutes. The
 * limit is exact. Far from it, an app's transactions do not wait for each other; near it, one runs after the other.
 * @throws AppLimitReached, and the errors of `work`
 */
export async function admitAttempt<T>(
  sql: Database,
  { appId, most }: { appId: AppId; most: number },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const run = async (alone: boolean) =>
    await inTransaction(sql, async (tx) => {
      const result = await work(tx);
      const { count, oldestLeavesInSeconds, mostOthers } = await countRecentAttemptsOfApp(tx, appId, {
        most: most + 1, // With the new one.
        alone,
      });
      if (count > most) throw new AppLimitReached(most, Math.max(1, oldestLeavesInSeconds));
      if (!alone && count > most - mostOthers) throw new NearLimit();
      return result;
    });
  try {
    return await run(false);
  } catch (error) {
    if (error instanceof NearLimit) return await run(true);
    throw error;
  }
}
