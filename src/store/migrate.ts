import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from './sql.ts';

/** Beside the sources as beside the build: both lie one folder below the project's root. */
const DIRECTORY = path.join(import.meta.dirname, '..', '..', 'migrations');
/** Any number of our own: held while migrating, so that two starting processes do not migrate at once. */
const LOCK = 7_205_114;

/** Names of the migrations this build knows, in order. */
export async function knownMigrations(): Promise<string[]> {
  const names = await readdir(DIRECTORY);
  return names.filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
}

/** Names of those the database has not seen yet; empty means the schema is current. */
export async function pendingMigrations(sql: Database): Promise<string[]> {
  const known = await knownMigrations();
  const [table] = await sql`select to_regclass('schema_migration') as name`;
  if (table?.name === null) return known;
  const rows = await sql`select name from schema_migration`;
  const applied = new Set(rows.map((row) => String(row.name)));
  return known.filter((name) => !applied.has(name));
}

/** Applies what is pending, each in a transaction of its own. @returns the names applied. */
export async function migrate(sql: Database): Promise<string[]> {
  const connection = await sql.reserve();
  try {
    await connection`set statement_timeout = 0`;
    await connection`select pg_advisory_lock(${LOCK})`;
    await connection`
      create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())
    `;
    const applied: string[] = [];
    for (const name of await pendingMigrations(connection as unknown as Database)) {
      const text = await readFile(path.join(DIRECTORY, name), 'utf8');
      await connection.unsafe(`begin;\n${text}\n;insert into schema_migration (name) values ('${name}');\ncommit;`);
      applied.push(name);
    }
    return applied;
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => connection`rollback`);
    connection.release();
  }
}
