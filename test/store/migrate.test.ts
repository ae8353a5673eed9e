import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { buildDatabaseUrl, createPostgresService } from '../../local/src/postgres.ts';
import { ROOT } from '../../local/src/services.ts';
import { createReadiness, refuseDatabase } from '../../src/api/readiness.ts';
import { ForeignSchemaError, OldServerError } from '../../src/basics/errors.ts';
import { createLog } from '../../src/basics/log.ts';
import { listDatabaseFaults } from '../../src/store/database-faults.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { listPendingMigrations, migrate } from '../../src/store/migrate.ts';
import { createWorkerStartup } from '../../src/worker/startup.ts';
import { PROGRAM } from '../kit/built.ts';
import { planCluster } from '../kit/cluster.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';

const FOLDER = path.join(ROOT, 'migrations');

interface Fixtures {
  /** Writes a migration into the test's own folder. @returns the folder. */
  write(name: string, text: string): Promise<string>;
  /** A migrated database for this test alone. */
  own: Database;
}

const test = postgresTest.extend<Fixtures>({
  write: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    await use(async (name, text) => {
      await writeFile(path.join(folder, name), text);
      return folder;
    });
    await rm(folder, { recursive: true });
  },
  own: async ({ ownDatabase }, use) => await use(ownDatabase.sql),
});

/** Statements that would lock or rewrite a large table, each with an alternative. */
const HEAVY: readonly (readonly [RegExp, string])[] = [
  [/create (unique )?index (?!concurrently)\S+ on (\w+)/g, 'create index concurrently, in a file of its own'],
  // As after a crash between the index and its record: the index exists when the file runs again.
  [/create (?:unique )?index concurrently (?!if not exists)/g, 'create index concurrently if not exists'],
  [/alter table (\w+)[^;]*alter column \w+ (set data )?type/g, 'a new column, filled by a sweep'],
  [
    /alter table (\w+)[^;]*set not null/g,
    '"add constraint … check (… is not null) not valid", which a later file validates',
  ],
  [/alter table (\w+)[^;]*add column[^;]*\bstored\b/g, 'virtual'],
  [
    /alter table (\w+)[^;]*add column[^;]*\b(?:check|references|unique)\b/g,
    'the column alone, then "add constraint … not valid", which a later file validates',
  ],
  [/alter table (\w+)[^;]*add column[^;]*default (?!false|true|null|-?\d|')/g, 'a constant default'],
  [
    /alter table (\w+)[^;]*add (constraint|check|foreign key|unique|primary key)(?![^;]*not valid)/g,
    'the same with "not valid", which a later file validates',
  ],
  [/^\s*(vacuum full|cluster|reindex (?!.*concurrently))/gm, 'leave it out'],
];

/** Finds heavy statements over tables that the migration has not created itself. */
const heavyIn = (text: string) =>
  HEAVY.flatMap(([pattern, instead]) =>
    [...text.toLowerCase().matchAll(pattern)]
      .filter((match) => !match.slice(1).some((word) => word && text.includes(`create table ${word} (`)))
      .map(([statement]) => `"${statement}" may lock or rewrite a large table; instead: ${instead}`),
  );

describe('migrations', () => {
  test('lock no table that may be large', () => {
    const names = readdirSync(FOLDER);
    expect(names[0]).toBe('0001_initial.sql');
    const found = names.flatMap((name) =>
      heavyIn(readFileSync(path.join(FOLDER, name), 'utf8')).map((fault) => `${name}: ${fault}`),
    );
    expect(found.join('\n')).toBe('');
  });

  test('give up a lock that others wait behind, and retry', async ({ own: sql, write }) => {
    const folder = await write('9001_patient.sql', 'alter table app add column patient int;');
    const holder = await sql.reserve();
    await holder`begin`;
    await holder`select from app`; // Any reader blocks an alter.
    const migrating = migrate(sql, folder);
    const waits = () => sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%patient%'`;
    await vi.waitUntil(async () => (await waits()).length === 1);
    await vi.waitUntil(async () => (await waits()).length === 0);
    await sql`select from app`; // No statement waits behind it now.
    await holder`commit`;
    holder.release();
    expect(await migrating).toEqual(['9001_patient.sql']);
    expect(await sql`select patient from app`).toEqual([]);
  });

  test('build an index beside writes, also after an interrupted try', async ({ sql, write }) => {
    await sql`insert into app (app_id, name) values (gen_random_uuid(), 'one'), (gen_random_uuid(), 'one')`;
    await expect(sql.unsafe('create unique index concurrently app_by_name on app (name)')).rejects.toThrow();
    const alone = '-- Outside a transaction.\ncreate index concurrently if not exists app_by_name on app (name)';
    const folder = await write('9002_app_by_name.sql', alone);
    const writer = await sql.reserve();
    await writer`begin`;
    await writer`insert into app (app_id, name) values (gen_random_uuid(), 'two')`;
    const migrating = migrate(sql, folder);
    await sql`insert into app (app_id, name) values (gen_random_uuid(), 'three')`; // Not blocked.
    await writer`commit`;
    writer.release();
    expect(await migrating).toEqual(['9002_app_by_name.sql']);
    expect(await sql`select indisvalid from pg_index where indexrelid = 'app_by_name'::regclass`).toEqual([
      { indisvalid: true },
    ]);
    expect(await listPendingMigrations(sql, folder)).toEqual([]);
  });

  test('are refused by name if they were edited after they were applied', async ({ own, write }) => {
    const folder = await write('9005_kept.sql', 'alter table app add column kept int;');
    await write('9006_edited.sql', '-- Outside a transaction.\ncreate index concurrently edited on app (name)');
    await migrate(own, folder);
    expect(await migrate(own, folder)).toEqual([]);
    await write('9006_edited.sql', '-- Outside a transaction\ncreate index concurrently edited on app (name)');
    await write('9007_next.sql', 'alter table app add column next int;');
    const message =
      'The migration 9006_edited.sql was changed after this database applied it: restore the file, or create a new database.';
    await expect(migrate(own, folder)).rejects.toThrow(new ForeignSchemaError(message));
    await expect(listPendingMigrations(own, folder)).rejects.toThrow(new ForeignSchemaError(message));
    await expect(own`select next from app`).rejects.toThrow('does not exist');
  });
});

/** As if another build had made the database. */
async function makeForeign(sql: Database): Promise<void> {
  await sql`update schema_migration set checksum = sha256('another build') where name = '0001_initial.sql'`;
}

const REFUSED = new ForeignSchemaError(
  'The migration 0001_initial.sql was changed after this database applied it: restore the file, or create a new database.',
);

test('a database of another build is refused by the api and by the worker', async ({ own }) => {
  await makeForeign(own);
  const log = createLog('silent');
  await expect(refuseDatabase(own, log)).rejects.toThrow(REFUSED);
  const freshness = { refuseStale: async () => {}, listDoubts: async () => [] };
  expect(await createReadiness(own, freshness, log)()).toEqual([REFUSED.message]);
  const startup = createWorkerStartup(log, new AbortController().signal);
  const journal = { check: async () => {}, requireWritable: async () => {} };
  await expect(startup.waitForDatabase({ sql: own, journal })).rejects.toThrow(REFUSED);
});

/** A pool of one connection. */
function open(url: string, connection: Record<string, string> = {}): Database {
  const transform = { column: { from: postgres.toCamel } };
  const pool = postgres(url, { max: 1, connection, transform, onnotice: () => undefined }) as unknown as Database;
  onTestFinished(() => pool.end({ timeout: 1 }));
  return pool;
}

test('a migration may take longer than a statement', async ({ write, ownDatabase: { url } }) => {
  const folder = await write('9001_slow.sql', 'select pg_sleep(0.5);');
  expect(await migrate(open(url, { statement_timeout: '200ms' }), folder)).toEqual(['9001_slow.sql']);
});

test('a server that is too old is refused before anything else', async ({ ownDatabase: { sql, urls, url } }) => {
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

/** npm's package of Postgres 15. `npm run test:postgres` installs it. */
const TOO_OLD = process.env.POSTGRES_TOO_OLD;

test.runIf(TOO_OLD)('migrate refuses Postgres 15 with one sentence and exit code 1', async () => {
  const run = await openRunFolder();
  const options = { ...(await planCluster(run.folder, { durable: false })), package: TOO_OLD, locale: ['--locale=C'] };
  const postgres = new Part(await createPostgresService(options), run);
  onTestFinished(async () => {
    await postgres.stop();
    run.remove();
  });
  await postgres.start();
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: buildDatabaseUrl(options, 'postgres'),
    DEPLOYMENT: 'development',
  };
  await expect(promisify(execFile)(process.execPath, [PROGRAM, 'migrate'], { env })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'This server is Postgres 15.18, and the service needs Postgres 16 or newer.\n',
  });
});
