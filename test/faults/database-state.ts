import type { TestService } from '../kit/service.ts';

/** The rows of each table as JSON. */
export type Rows = ReadonlyMap<string, readonly string[]>;

/** Every run of a command is in the audit log, so two runs differ from one. A crash of Postgres empties an unlogged table. */
const OMITTED = ['audit_log', 'provider_rate_limit'];

/** A wake-up may be there twice: a second one changes nothing. */
const REPEATED = ['outbox'];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+\d\d:\d\d|Z)/g;
/** An id that Postgres counts, or a number made of the clock. */
const COUNTED = /("[a-z_]+_id"|"sequence"): \d+/g;

/** Reads every row of every table. */
export async function readRows({ database: { sql } }: TestService): Promise<Rows> {
  const tables = await sql`
    select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
  `;
  const names = tables.map(({ tableName }) => String(tableName)).filter((name) => !OMITTED.includes(name));
  const rows = new Map<string, string[]>();
  for (const name of names) {
    const found = await sql`select to_jsonb(t)::text as row from ${sql(name)} t`;
    rows.set(
      name,
      found.map(({ row }) => String(row)),
    );
  }
  return rows;
}

/**
 * Compares the rows of two runs that began with the same rows. Ids that are new and instants since then differ between any two
 * runs, and count as equal.
 * @param since milliseconds since the epoch
 * @returns one line for each table that differs, with the fields of the first row that does
 */
export function compareRows(start: Rows, since: number, one: Rows, other: Rows): string[] {
  const known = new Set([...start.values()].flat().flatMap((row) => row.match(UUID) ?? []));
  const simplify = (row: string) =>
    row
      .replace(UUID, (id) => (known.has(id) ? id : 'new'))
      .replace(INSTANT, (instant) => (Date.parse(instant) >= since ? 'later' : instant))
      .replace(COUNTED, '$1: 0');
  const list = (rows: Rows, table: string) => {
    const all = (rows.get(table) ?? []).map(simplify);
    return REPEATED.includes(table) ? [...new Set(all)] : all;
  };
  return [...other.keys()].flatMap((table) => {
    const [left, right] = [list(one, table), list(other, table)];
    const [added, missing] = [subtract(left, right), subtract(right, left)];
    if (added.length === 0 && missing.length === 0) return [];
    return [`${table}: ${added.length} row(s) more, ${missing.length} less: ${describeDifference(added[0], missing)}`];
  });
}

/** The rows of `all` without those of `some`, each as often as it is there. */
function subtract(all: readonly string[], some: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const row of some) left.set(row, (left.get(row) ?? 0) + 1);
  return all.filter((row) => {
    const count = left.get(row) ?? 0;
    left.set(row, count - 1);
    return count <= 0;
  });
}

/** The fields in which a row differs from the most similar one of the others. */
function describeDifference(row: string | undefined, others: readonly string[]): string {
  const fieldsOf = (text = '{}'): readonly string[] =>
    Object.entries(JSON.parse(text) as object).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const fields = fieldsOf(row ?? others[0]);
  const differences = (row === undefined ? [undefined] : [undefined, ...others]).map((other) => {
    const own = fieldsOf(other);
    return fields.filter((field) => !own.includes(field));
  });
  return differences
    .reduce((least, one) => (one.length < least.length ? one : least))
    .join(', ')
    .slice(0, 600);
}
