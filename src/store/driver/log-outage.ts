import type { Log } from '../../basics/log.ts';
import { describeOutage } from './database-failure.ts';

/** An outage costs one line in this time, not one for each request or activity that meets it. */
const EVERY_MS = 1_000;

let loggedAtMs = Number.NEGATIVE_INFINITY;
let unlogged = 0;

/** Logs an outage of the database, with the number of failures since the last line. @returns false for any other failure. */
export function logOutage(log: Log, error: unknown): boolean {
  const outage = describeOutage(error);
  if (outage === undefined) return false;
  unlogged += 1;
  if (performance.now() - loggedAtMs >= EVERY_MS) {
    log.error(outage, { error, count: unlogged });
    [loggedAtMs, unlogged] = [performance.now(), 0];
  }
  return true;
}
