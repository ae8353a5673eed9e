import { vi } from 'vitest';
import { type Database, inTransaction, type Transaction } from './postgres.ts';

/**
 * Begins the second transaction while the first is open, and commits the first once the second has ended or waits.
 * @returns also whether it waited
 */
export async function beside<Held, Result>(
  sql: Database,
  first: (tx: Transaction) => Promise<Held>,
  second: () => Promise<Result>,
  meanwhile: (tx: Transaction) => Promise<unknown> = async () => {},
) {
  let running: Promise<Result> | undefined;
  const { held, waited } = await inTransaction(sql, async (tx) => {
    const held = await first(tx);
    let hasEnded = false;
    running = second();
    const end = () => {
      hasEnded = true;
    };
    running.then(end, end);
    const waits = async () => {
      const [row] = await sql`
        select exists (
          select from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
        ) as is_blocked
      `;
      return row?.isBlocked === true;
    };
    const waited = await vi.waitUntil(async () => ((await waits()) ? 'waits' : hasEnded && 'ends'), { interval: 20 });
    await meanwhile(tx);
    return { held, waited: waited === 'waits' };
  });
  return { held, waited, result: (await running) as Result };
}

/** Locks a row, as a first transaction. */
export const hold = (table: string, column: string, id: string) => (tx: Transaction) =>
  tx`select from ${tx(table)} where ${tx(column)} = ${id} for update`;
