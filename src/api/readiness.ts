import { RefusedDatabaseError } from '../basics/errors.ts';
import type { Log } from '../basics/log.ts';
import { listFaultsInTime, refuseSharedSessions } from '../store/database-faults.ts';
import type { Database } from '../store/driver/sql.ts';
import { listPendingMigrations } from '../store/migrate.ts';
import type { Freshness } from './freshness.ts';

/** If the database cannot be reached, the process starts and `/readyz` checks again. @throws RefusedDatabaseError */
export async function refuseDatabase(sql: Database, log: Log): Promise<void> {
  try {
    await listPendingMigrations(sql);
    await refuseSharedSessions(sql);
  } catch (error) {
    if (error instanceof RefusedDatabaseError) throw error;
    log.warn('Database not checked yet', { error });
  }
}

/** `/readyz` is public and each check runs queries, so requests within this time share one check. */
const SHARED_MS = 1_000;

/** Creates the check that lists why the api cannot serve; none if it can. It logs every change. */
export function createReadiness(
  sql: Database,
  freshness: Freshness,
  log: Log,
  nowMs: () => number = () => performance.now(),
): () => Promise<readonly string[]> {
  let logged = '';
  let last: { readonly atMs: number; readonly reasons: Promise<readonly string[]> } | undefined;
  return async () => {
    if (last === undefined || nowMs() - last.atMs >= SHARED_MS) last = { atMs: nowMs(), reasons: ask() };
    return await last.reasons;
  };

  async function ask() {
    const reasons = await listReasons(sql, freshness);
    const now = reasons.join('\n');
    if (now !== logged) {
      logged = now;
      if (reasons.length > 0) log.warn('Not ready', { reasons });
      else log.info('Ready again');
    }
    return reasons;
  }
}

/** Does not check Temporal: without it reads continue, and accepted work waits in the outbox. */
async function listReasons(sql: Database, freshness: Freshness): Promise<readonly string[]> {
  const faults = await listFaultsInTime(sql, 'api');
  return faults.length === 0 ? await freshness.listDoubts() : faults;
}
