import { listPendingMigrations, requireReleasedSchema } from './migrate.ts';
import { describeMissingRights, type Process } from './rights.ts';
import type { Database } from './sql.ts';

/**
 * Why a process cannot do its work in this database, in words for whoever runs the service; none when it can. Rights come
 * before pending migrations, which a role without rights cannot see.
 * @throws ForeignSchemaError
 */
export async function listDatabaseFaults(sql: Database, process: Process): Promise<readonly string[]> {
  await requireReleasedSchema(sql);
  const lacking = await describeMissingRights(sql, process);
  if (lacking !== undefined) return [lacking];
  return (await listPendingMigrations(sql)).length === 0 ? [] : ['the database has migrations pending'];
}
