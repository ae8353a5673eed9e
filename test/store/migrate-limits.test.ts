import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { expect, onTestFinished } from 'vitest';
import { OldServerError } from '../../src/basics/errors.ts';
import { listDatabaseFaults } from '../../src/store/database-faults.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { listPendingMigrations, migrate } from '../../src/store/migrate.ts';
import { createTestDatabase, type TestDatabase, test } from '../kit/postgres.ts';

async function createDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** A pool of one connection. */
function open(url: string, connection: Record<string, string> = {}): Database {
  const transform = { column: { from: postgres.toCamel } };
  const pool = postgres(url, { max: 1, connection, transform, onnotice: () => undefined }) as unknown as Database;
  onTestFinished(() => pool.end({ timeout: 1 }));
  return pool;
}

async function writeMigrations(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

test('a migration may take longer than a statement, waits 3 s for a lock, and leaves the limits of its session', async () => {
  const { url } = await createDatabase();
  const limits = { statement_timeout: '200ms', lock_timeout: '7s' };
  const pool = open(url, limits);
  const look = "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement";
  const folder = await writeMigrations({
    '9001_slow.sql': `select pg_sleep(0.5); create table seen_before as ${look};`,
    '9002_alone.sql': '-- Outside a transaction.\ncreate index concurrently app_by_limits on app (name)',
    '9003_seen.sql': `create table seen as ${look};`,
  });
  expect(await migrate(pool, folder)).toEqual(['9001_slow.sql', '9002_alone.sql', '9003_seen.sql']);
  for (const seen of ['seen_before', 'seen'])
    expect(await pool`select * from ${pool(seen)}`).toEqual([{ lock: '3s', statement: '0' }]);
  expect(await pool.unsafe(look)).toEqual([{ lock: '7s', statement: '200ms' }]);
});

test('a server that is too old is refused before anything else', async () => {
  const { sql, urls, url } = await createDatabase();
  await sql.unsafe(`
    create function public.current_setting(name text) returns text language sql
    return case when name = 'server_version_num' then '150018' else pg_catalog.current_setting(name) end
  `);
  const name = new URL(url).pathname.slice(1);
  await sql`alter database ${sql(name)} set search_path = public, pg_catalog`;
  await sql`revoke all on all tables in schema public from accounts_api`;
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  for (const limit of limits) await sql.unsafe(`alter database "${name}" set ${limit} = '10s'`);
  const refused = new OldServerError('This server is Postgres 15.18, and the service needs Postgres 16 or newer.');
  await expect(listDatabaseFaults(open(urls.api), 'api')).rejects.toThrow(refused);
  await expect(listPendingMigrations(open(url))).rejects.toThrow(refused);
});
