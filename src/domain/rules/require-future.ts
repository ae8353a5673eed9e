import { badInput } from '../../basics/errors.ts';
import { getBusinessTime, type Sql } from '../../store/driver/sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Refuses an instant that has passed, by business time.
 * @param name the argument's name, for the error.
 * @param withinDays how far ahead it may lie.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export async function requireFuture(
  sql: Sql,
  name: string,
  instant: Date | null,
  withinDays = Number.POSITIVE_INFINITY,
): Promise<void> {
  if (instant === null) return;
  const aheadMs = instant.getTime() - (await getBusinessTime(sql)).getTime();
  if (aheadMs <= 0) throw badInput(name, 'must be in the future');
  if (aheadMs > withinDays * DAY_MS) throw badInput(name, `must be at most ${withinDays} days from now`);
}
