import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { fill } from '../../bench/fill/fill.ts';
import { createQuickSeal } from '../../bench/fill/quick-seal.ts';
import { makeKeys } from '../../local/src/development-keys.ts';
import { ROOT } from '../../local/src/services.ts';
import type { App } from '../../src/store/apps/apps.ts';
import { findKeyOwner } from '../../src/store/apps/keys.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { callerOf, createDeps } from '../kit/caller.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { actOnFilled } from './release-acts.ts';

/** A fixture has a folder for each release: its migrations, its rows, and its answers. */
export const RELEASES = path.join(ROOT, 'test', 'releases');
const MIGRATIONS = path.join(ROOT, 'migrations');
const SIZES = { connections: 30, posts: 600, jobs: 20, due: 2, seed: 1 };

const Rows = z.object({
  /** The columns of each table, and its rows as Postgres writes them in JSON. */
  tables: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.string() })),
  sequences: z.record(z.string(), z.string()),
});

type Rows = z.output<typeof Rows>;

const readRowsOf = (folder: string): Rows =>
  Rows.parse(JSON.parse(gunzipSync(readFileSync(path.join(folder, 'rows.json.gz'))).toString('utf8')));

/** The answers of the release to the reads that an upgrade must not change. */
const Answers = z.object({
  madeAt: z.coerce.date(),
  keyId: z.string(),
  scope: z.object({ tenantKey: z.string(), externalSubjectId: z.string() }),
  connection: z.looseObject({ id: z.string() }),
  content: z.object({ items: z.array(z.looseObject({ providerContentId: z.string() })) }),
});
export type Answers = z.output<typeof Answers>;

/** Fills an empty database of the current schema, and writes it with its answers into `folder`. */
export async function writeFixture(sql: Database, folder: string): Promise<void> {
  const keys = await makeKeys();
  const mac = createMac(JSON.parse(keys.VAULT_MAC_KEYS));
  const { key, tenantKey } = await fill(sql, SIZES, {
    sealGrant: createQuickSeal(JSON.parse(keys.VAULT_GRANT_KEYS)),
    sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
    mac,
  });
  const keyId = key.slice(0, key.indexOf('.'));
  await actOnFilled(sql, { app: await getOwner(sql, keyId), tenantKey, mac });
  const [row] = await sql`
    select connection_id, external_subject_id from connection join scope using (scope_id)
      join content_item item using (connection_id)
    where connection.status = 'CONNECTED' and item.published_at > business_now() - interval '80 days'
    group by 1, 2 order by count(*) desc, 1 limit 1
  `;
  const scope = { tenantKey, externalSubjectId: String(row?.externalSubjectId) };
  const asked = {
    keyId,
    scope,
    id: String(row?.connectionId),
    madeAt: await businessNow(sql),
  };
  const rows = await dumpRows(sql);
  const empty = Object.entries(rows.tables).flatMap(([table, { rows: json }]) => (json === '[]' ? [table] : []));
  if (empty.length > 0) throw new Error(`The fixture needs a row in each table. Without one: ${empty.join(', ')}.`);
  const answers = { madeAt: asked.madeAt, keyId: asked.keyId, scope, ...(await readAnswers(sql, asked)) };
  mkdirSync(folder, { recursive: true });
  cpSync(MIGRATIONS, path.join(folder, 'migrations'), { recursive: true });
  writeFileSync(path.join(folder, 'answers.json'), `${JSON.stringify(answers, null, 2)}\n`);
  writeFileSync(path.join(folder, 'rows.json.gz'), gzipSync(JSON.stringify(rows), { level: 9 }));
}

async function getOwner(sql: Database, keyId: string): Promise<App> {
  const app = await findKeyOwner(sql, keyId as never);
  if (app === undefined) throw new Error('The key of the fixture is unknown.');
  return app;
}

/** Reads as the caller whom the fixture's key identifies. */
export async function readAnswers(
  sql: Database,
  { keyId, scope, id, madeAt }: { keyId: string; scope: Answers['scope']; id: string; madeAt: Date },
) {
  const call = callerOf(await createDeps(sql), { app: await getOwner(sql, keyId) });
  const window = {
    publishedAfter: new Date(madeAt.getTime() - 80 * DAY_MS).toISOString(),
    publishedBefore: madeAt.toISOString(),
    first: 50,
  };
  const { content, connection } = {
    connection: await call('connection', { scope, id }),
    content: await call('content', { scope, connectionId: id, window }),
  };
  return { connection, content: { items: content.items } };
}

/** Makes an empty database that of the release, with its rows. */
export async function restoreFixture(sql: Database, folder: string): Promise<Answers> {
  await migrate(sql, path.join(folder, 'migrations'));
  const { tables, sequences } = readRowsOf(folder);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`; // The rows refer to each other in any order.
    await tx`truncate ${tx(Object.keys(tables))} cascade`;
    for (const [table, { columns, rows }] of Object.entries(tables)) {
      await tx`
        insert into ${tx(table)} (${tx(columns)}) overriding system value
        select ${tx(columns)} from json_populate_recordset(null::${tx(table)}, ${rows}::text::json)
      `;
    }
    for (const [name, value] of Object.entries(sequences)) await tx`select setval(${name}, ${value}::bigint)`;
  });
  return Answers.parse(JSON.parse(readFileSync(path.join(folder, 'answers.json'), 'utf8')));
}

/** The rows of every table that the migrations made. */
async function dumpRows(sql: Database): Promise<Rows> {
  const tables: Rows['tables'] = {};
  for (const [table, columns] of Object.entries(await listColumns(sql))) {
    tables[table] = { columns, rows: await readRows(sql, table, columns) };
  }
  const sequences = await sql`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and last_value is not null
  `;
  return { tables, sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])) };
}

/** Columns that store a value, by table. */
async function listColumns(sql: Database): Promise<Record<string, string[]>> {
  const tables = await sql`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by 1 order by 1
  `;
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns]));
}

/** As JSON. The driver's stream of `copy … to stdout` stops after the first large part. */
async function readRows(sql: Database, table: string, columns: readonly string[]): Promise<string> {
  const [row] = await sql`
    select coalesce(json_agg(t), '[]')::text as rows from (select ${sql([...columns])} from ${sql(table)}) t
  `;
  return String(row?.rows);
}

/**
 * Compares the values of each column before and after an upgrade, in any order of the rows.
 * @returns the columns, as `table.column`, that are gone or have other values.
 */
export async function listChangedColumns(sql: Database, folder: string): Promise<string[]> {
  const now = await listColumns(sql);
  const changed: string[] = [];
  for (const [table, { columns, rows }] of Object.entries(readRowsOf(folder).tables)) {
    const kept = columns.filter((column) => now[table]?.includes(column));
    const before = parseRows(rows);
    const after = kept.length === 0 ? [] : parseRows(await readRows(sql, table, kept));
    const differs = (column: string) => !kept.includes(column) || valuesOf(before, column) !== valuesOf(after, column);
    changed.push(...columns.filter(differs).map((column) => `${table}.${column}`));
  }
  return changed;
}

const parseRows = (rows: string) => z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(rows));

const valuesOf = (rows: readonly Record<string, unknown>[], column: string): string =>
  rows
    .map((row) => JSON.stringify(row[column]))
    .sort()
    .join();
