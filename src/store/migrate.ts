import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import type { Database } from './sql.ts';

/** Beside the sources as beside the build: both lie one folder below the project's root. */
const DIRECTORY = path.join(import.meta.dirname, '..', '..', 'migrations');
/** Any number of our own: held while migrating, so that two starting processes do not migrate at once. */
const LOCK = 7_205_114;

/** While one waits for a table, everybody else waits behind it: it gives way, and comes again. */
const LOCK_TIMEOUT = '3s';
const LOCK_TRIES = 20;
/** A lock that was not to be had in time, and one that another waited for crosswise. */
const IN_THE_WAY = ['55P03', '40P01'];
const SECONDS_BETWEEN_TRIES = 2;
/** At the top of a file with one statement that Postgres wants by itself, such as `create index concurrently`. */
const ALONE = /^-- Outside a transaction\b/;

/** Names of the migrations this build knows, in order. */
export async function knownMigrations(directory: string = DIRECTORY): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
}

/** Names of those the database has not seen yet; empty means the schema is current. */
export async function pendingMigrations(sql: Database, directory: string = DIRECTORY): Promise<string[]> {
  const known = await knownMigrations(directory);
  const [table] = await sql`select to_regclass('schema_migration') as name`;
  if (table?.name === null) return known;
  const rows = await sql`select name from schema_migration`;
  const applied = new Set(rows.map((row) => String(row.name)));
  return known.filter((name) => !applied.has(name));
}

/**
 * Applies what is pending, each in a transaction of its own, without keeping the service from its tables for longer than
 * a moment. @returns the names applied.
 */
export async function migrate(sql: Database, directory: string = DIRECTORY): Promise<string[]> {
  const connection = await sql.reserve();
  try {
    await connection`set statement_timeout = 0`;
    await connection`set lock_timeout = 0`;
    await connection`select pg_advisory_lock(${LOCK})`;
    await connection.unsafe(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    await connection`
      create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())
    `;
    const applied: string[] = [];
    for (const name of await pendingMigrations(connection as unknown as Database, directory)) {
      await givingWay(connection, async () =>
        apply(connection, name, await readFile(path.join(directory, name), 'utf8')),
      );
      applied.push(name);
    }
    return applied;
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => connection`rollback`);
    await connection`reset lock_timeout`;
    await connection`reset statement_timeout`;
    connection.release();
  }
}

async function apply(connection: postgres.ReservedSql, name: string, text: string): Promise<void> {
  const record = `insert into schema_migration (name) values ('${name}')`;
  if (!ALONE.test(text)) {
    await connection.unsafe(`begin;\n${text}\n;${record};\ncommit;`);
    return;
  }
  await dropHalfMade(connection, text);
  await connection.unsafe(text);
  await connection.unsafe(record);
}

/** An index whose making was broken off stays, is of no use, and would be taken for the finished one. */
async function dropHalfMade(connection: postgres.ReservedSql, text: string): Promise<void> {
  const rows = await connection`select indexrelid::regclass::text as name from pg_index where not indisvalid`;
  for (const { name } of rows) {
    if (text.includes(` ${name} `)) await connection`drop index concurrently ${connection(String(name))}`;
  }
}

async function givingWay(connection: postgres.ReservedSql, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      await connection`rollback`;
      const isInTheWay = error instanceof postgres.PostgresError && IN_THE_WAY.includes(error.code);
      if (!isInTheWay || tries === LOCK_TRIES) throw error;
      await connection`select pg_sleep(${SECONDS_BETWEEN_TRIES})`;
    }
  }
}
