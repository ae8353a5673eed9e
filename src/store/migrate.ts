import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { ForeignSchemaError, OldServerError } from '../basics/errors.ts';
import type { Database } from './driver/sql.ts';
import { listMigrationNames, MIGRATIONS, readSqlFile } from './sql-files.ts';

/** An arbitrary number. Held while migrating, so that two starting processes do not migrate at once. */
const LOCK = 7_205_114;

/**
 * While a migration waits for a table's lock, other statements queue behind it. It gives up after this time, and
 * retries every 2 s, up to 20 times.
 */
const LOCK_TIMEOUT = '3s';
const LOCK_TRIES = 20;
/** A lock timeout, and a deadlock. */
const RETRYABLE = ['55P03', '40P01'];
const MS_BETWEEN_TRIES = 2_000;
/** Between two questions whether another migration has ended. */
const TURN_MS = 500;
/** The oldest Postgres that `npm run test:postgres` tries. */
const OLDEST_POSTGRES = 16;
/** Marks a file whose only statement must run outside a transaction, such as `create index concurrently`. */
const OUTSIDE_TRANSACTION = /^-- Outside a transaction\b/;

/** A migration file of this build. */
interface Migration {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly checksum: string;
}

const changed = (name: string) =>
  `The migration ${name} was changed after this database applied it: restore the file, or create a new database.`;

/**
 * Lists migrations that the database has not applied, in order; empty if the schema is current.
 * @throws ForeignSchemaError if other migrations than those of this build made the database; OldServerError
 */
export async function listPendingMigrations(sql: Database, directory: string = MIGRATIONS): Promise<string[]> {
  return (await readPending(sql, directory)).map(({ name }) => name);
}

/** @param version as in the setting `server_version_num` @throws OldServerError */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_POSTGRES) return;
  throw new OldServerError(
    `This server is Postgres ${major}.${version % 10_000}, and the service needs Postgres ${OLDEST_POSTGRES} or newer.`,
  );
}

/** Migrations that only the database knows belong to a newer version, beside which this one can run. */
async function readPending(sql: Database, directory: string): Promise<Migration[]> {
  const known = readMigrations(directory);
  const applied = await readApplied(sql);
  const edited = known.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited !== undefined) throw new ForeignSchemaError(changed(edited.name));
  return known.filter(({ name }) => !applied.has(name));
}

/** The checksums of applied migrations, by name. */
async function readApplied(sql: Database): Promise<ReadonlyMap<string, string>> {
  const [table] = await sql`
    select to_regclass('schema_migration') as name, current_setting('server_version_num')::int as version
  `;
  refuseOldServer(Number(table?.version));
  if (table?.name === null) return new Map();
  const rows = await sql`select name, encode(checksum, 'hex') as checksum from schema_migration`;
  return new Map(rows.map((row) => [String(row.name), String(row.checksum)]));
}

/** The migrations of this build, in order. @throws BrokenBuildError */
const readMigrations = (directory: string): Migration[] =>
  listMigrationNames(directory).map((name) => {
    const text = readSqlFile(path.join(directory, name));
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });

/**
 * Applies pending migrations, each in its own transaction, and blocks the service's tables for seconds at most.
 * @returns the names applied.
 */
export async function migrate(sql: Database, directory: string = MIGRATIONS): Promise<string[]> {
  const connection = await sql.reserve();
  try {
    await connection`set statement_timeout = 0`;
    await takeTurn(connection);
    await connection.unsafe(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    const pending = await readPending(connection as unknown as Database, directory);
    await connection`
      create table if not exists schema_migration (
        name text collate "C" primary key,
        checksum bytea not null check (octet_length(checksum) = 32),
        applied_at timestamptz not null default now()
      )
    `;
    const applied: string[] = [];
    for (const migration of pending) {
      await retryOnConflict(connection, () => apply(connection, migration));
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => connection`rollback`);
    await connection`reset lock_timeout`;
    await connection`reset statement_timeout`;
    connection.release();
  }
}

/**
 * Waits until no other process migrates. It does not wait inside Postgres: a statement that waits there holds a snapshot, for which
 * `create index concurrently` of the other process would wait in turn.
 */
async function takeTurn(connection: postgres.ReservedSql): Promise<void> {
  for (;;) {
    const [row] = await connection`select pg_try_advisory_lock(${LOCK}) as is_mine`;
    if (row?.isMine === true) return;
    await delay(TURN_MS);
  }
}

async function apply(connection: postgres.ReservedSql, { name, text, checksum }: Migration): Promise<void> {
  const record = `insert into schema_migration (name, checksum) values ('${name}', '\\x${checksum}')`;
  if (!OUTSIDE_TRANSACTION.test(text)) {
    await connection.unsafe(`begin;\n${text}\n;${record};\ncommit;`);
    return;
  }
  // It waits for all older transactions, such as a `pg_dump`, and blocks nothing meanwhile.
  await connection`set lock_timeout = 0`;
  try {
    await dropInvalidIndexes(connection, text);
    await connection.unsafe(text);
  } finally {
    await connection.unsafe(`set lock_timeout = '${LOCK_TIMEOUT}'`);
  }
  await connection.unsafe(record);
}

/**
 * An interrupted `create index concurrently` leaves an invalid index, which the next try would mistake for a finished
 * one.
 */
async function dropInvalidIndexes(connection: postgres.ReservedSql, text: string): Promise<void> {
  const rows = await connection`select indexrelid::regclass::text as name from pg_index where not indisvalid`;
  for (const { name } of rows) {
    if (text.includes(` ${name} `)) await connection`drop index concurrently ${connection(String(name))}`;
  }
}

async function retryOnConflict(connection: postgres.ReservedSql, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      await connection`rollback`;
      const isRetryable = error instanceof postgres.PostgresError && RETRYABLE.includes(error.code);
      if (!isRetryable || tries === LOCK_TRIES) throw error;
      await delay(MS_BETWEEN_TRIES);
    }
  }
}
