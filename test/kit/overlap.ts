import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { until } from './fake-activities.ts';

/**
 * Starts `second` before `first` has committed, which it does when `second` has ended or waits for a lock.
 * @param meanwhile the work of `first` while `second` waits.
 * @returns the result of `second`.
 */
export async function overlap<T>(
  sql: Database,
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<T>,
  meanwhile: (tx: Transaction) => Promise<unknown> = async () => undefined,
): Promise<T> {
  let running: Promise<T> | undefined;
  await inTransaction(sql, async (tx) => {
    await first(tx);
    let ended = false;
    running = second().finally(() => {
      ended = true;
    });
    running.catch(() => undefined);
    await until(async () => {
      const waiting = await sql`
        select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()
      `;
      return ended || waiting.length > 0;
    });
    await meanwhile(tx);
  });
  if (running === undefined) throw new Error('The second transaction was not started.');
  return await running;
}
