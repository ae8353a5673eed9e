import { pendingMigrations } from './migrate.ts';
import { describeLackingRights } from './rights.ts';
import type { Database } from './sql.ts';

/**
 * Why a process cannot do its work in this database, in words for whoever runs the service; none when it can. Rights come
 * first: which migrations there are is not for everybody to see, either.
 */
export async function listDatabaseFaults(sql: Database, process: 'api' | 'worker'): Promise<readonly string[]> {
  const lacking = await describeLackingRights(sql, process);
  if (lacking !== undefined) return [lacking];
  return (await pendingMigrations(sql)).length === 0 ? [] : ['the database has migrations pending'];
}
