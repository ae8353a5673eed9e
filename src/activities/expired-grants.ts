import { EXPIRED_BATCH, endExpiredGrants } from '../store/grants.ts';
import { inTransaction } from '../store/sql.ts';
import type { Deps } from './deps.ts';

/** What time leaves over is due in the next round. */
const WITHIN_MS = 5_000;

/**
 * Moves connections whose refresh credential has expired to RECONNECT_REQUIRED: nothing but the clock would tell anybody.
 * @returns how many
 */
export async function endExpired({ sql, log }: Pick<Deps, 'sql' | 'log'>): Promise<number> {
  const until = Date.now() + WITHIN_MS;
  let count = 0;
  let ended: number;
  do {
    ended = await inTransaction(sql, endExpiredGrants);
    count += ended;
  } while (ended === EXPIRED_BATCH && Date.now() < until);
  if (count > 0) log.warn('Refresh credentials have expired', { count });
  return count;
}
