import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/store/driver/sql.ts';

/** The values that a column accepts; a Buffer's bytes become `hex`. */
export type Cell = string | number | boolean | null | Date | { readonly hex: string } | { readonly json: unknown };

const CHUNK = 1 << 17;

type Rows = Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;

/**
 * Inserts rows by COPY, in the given order. @returns the number of rows.
 * @param options.isLarge drops the table's indexes and rebuilds them afterwards, which is several times faster. Those that
 * foreign keys need stay. The rows of an empty table without such keys are stored as a vacuum leaves them. It locks the
 * table meanwhile.
 */
export async function copyRows(
  sql: Database,
  table: string,
  columns: readonly string[],
  rows: Rows,
  { isLarge = false } = {},
): Promise<number> {
  const connection = await sql.reserve();
  const own = connection as unknown as Database;
  try {
    await connection`begin`;
    await connection`set local statement_timeout = 0`;
    await connection`set local maintenance_work_mem = '256MB'`;
    const isUntriggered = await leaveTriggersOut(own);
    const isFrozen = isLarge && isUntriggered && (await beginAnewIfEmpty(own, table)); // A trigger may refuse it.
    const makeAnew = isLarge ? await dropIndexes(own, table) : [];
    const count = await copyInto(own, sql, { table, columns, rows, isFrozen });
    for (const statement of makeAnew) await connection.unsafe(statement);
    await connection`commit`;
    return count;
  } catch (error) {
    // A connection with an unfinished copy accepts no further statement; it ends with its process.
    await connection`rollback`.catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

/**
 * Gives an empty table new files, which Postgres demands before it stores rows as frozen.
 * @returns false if the table has rows, or foreign keys refer to it.
 */
async function beginAnewIfEmpty(sql: Database, table: string): Promise<boolean> {
  await sql`lock table ${sql(table)} in access exclusive mode`;
  const [found] = await sql`
    select exists (select from ${sql(table)}) as has_rows,
      exists (select from pg_constraint where confrelid = ${table}::regclass) as is_referenced
  `;
  if (found?.hasRows || found?.isReferenced) return false;
  await sql`truncate ${sql(table)}`;
  return true;
}

/** Drops the table's constraints and indexes, except those that foreign keys need. @returns the statements that rebuild them. */
async function dropIndexes(sql: Database, table: string): Promise<string[]> {
  const constraints = await sql`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint own
    where conrelid = ${table}::regclass and contype in ('p', 'u')
      and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = own.conindid)
  `;
  for (const { name } of constraints) await sql`alter table ${sql(table)} drop constraint ${sql(name)}`;
  const indexes = await sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = ${table}::regclass and indexrelid not in (select conindid from pg_constraint where contype = 'f')
  `;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  const added = constraints.map(({ name, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
  return [...added, ...indexes.map(({ definition }) => String(definition))];
}

/** Copies the rows. @param watcher another connection to the same database. */
async function copyInto(
  sql: Database,
  watcher: Database,
  { table, columns, rows, isFrozen }: { table: string; columns: readonly string[]; rows: Rows; isFrozen: boolean },
): Promise<number> {
  const [backend] = await sql`select pg_backend_pid() as pid`;
  const options = isFrozen ? sql`with (freeze)` : sql``;
  const stream = await sql`copy ${sql(table)} (${sql([...columns])}) from stdin ${options}`.writable();
  let count = 0;
  let text = '';
  for await (const row of rows) {
    text += `${row.map(toText).join('\t')}\n`;
    count += 1;
    if (text.length < CHUNK) continue;
    if (!stream.write(text)) await once(stream, 'drain');
    text = '';
  }
  const finished = once(stream, 'finish').then(() => true);
  stream.end(text);
  // porsager/postgres 1173: the driver hides an error of Postgres about the last rows, so that the copy would never finish.
  while (!(await Promise.race([finished, delay(LOOK_EVERY_MS, false)]))) {
    const [session] = await watcher`select state from pg_stat_activity where pid = ${backend?.pid}`;
    if (session?.state === 'active') continue;
    if (await Promise.race([finished, delay(LOOK_EVERY_MS, false)])) break;
    throw new Error(`The generated rows do not fit the table ${table}; the log of Postgres gives the reason.`);
  }
  return count;
}

/** How often it checks whether Postgres is still finishing the copy. */
const LOOK_EVERY_MS = 1_000;

/**
 * Disables triggers: generated rows need neither checks of their references nor lines in the journal. Only a superuser may
 * do this; for other roles the fill takes longer. @returns whether it has.
 */
async function leaveTriggersOut(connection: Database): Promise<boolean> {
  const [row] = await connection`select rolsuper from pg_roles where rolname = current_user`;
  if (!row?.rolsuper) return false;
  await connection`set local session_replication_role = replica`;
  return true;
}

/** Formats a value in COPY's text format. */
function toText(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return ESCAPED.test(cell) ? cell.replaceAll(/[\\\t\n\r]/g, toEscape) : cell;
  if (typeof cell !== 'object') return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  return 'hex' in cell ? `\\\\x${cell.hex}` : toText(JSON.stringify(cell.json));
}

const ESCAPED = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const toEscape = (character: string) => ESCAPES[character] ?? character;
