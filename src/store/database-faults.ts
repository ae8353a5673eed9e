import { listPendingMigrations, requireReleasedSchema } from './migrate.ts';
import { describeMissingRights, type Process } from './rights.ts';
import type { Database } from './sql.ts';

/**
 * Lists why a process cannot work with this database, as text for operators; empty if it can. Missing rights come
 * first, because a role without rights cannot see pending migrations.
 * @throws ForeignSchemaError
 */
export async function listDatabaseFaults(sql: Database, process: Process): Promise<readonly string[]> {
  await requireReleasedSchema(sql);
  const lacking = await describeMissingRights(sql, process);
  if (lacking !== undefined) return [lacking];
  return (await listPendingMigrations(sql)).length === 0 ? [] : ['the database has migrations pending'];
}
