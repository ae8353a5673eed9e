import postgres from 'postgres';
import type { Fragment, Sql } from './driver/sql.ts';
import { hasRows } from './rows.ts';

/** Some of a row's columns. Undefined keeps a column, null clears it: `coalesce` could not. */
export type Changes<Columns> = { readonly [Name in keyof Columns]?: Columns[Name] | Fragment | undefined };

/**
 * Changes the columns that have the names of `changes` in snake case.
 * @param id the column of the row's id, and its value. @returns whether there is such a row.
 */
export async function updateRow(
  sql: Sql,
  table: string,
  id: Readonly<Record<string, string>>,
  changes: Changes<Readonly<Record<string, unknown>>>,
): Promise<boolean> {
  const [[column, value] = []] = Object.entries(id);
  if (column === undefined || value === undefined) throw new Error('A row has an id.');
  const named = (name: string) => sql(postgres.fromCamel(name));
  const found = sql`where ${named(column)} = ${value}`;
  const changed = Object.entries(changes).filter(([, given]) => given !== undefined);
  if (changed.length === 0) return await hasRows(sql)`select from ${sql(table)} ${found}`;
  const sets = changed.map(
    ([name, given], index) =>
      sql`${index === 0 ? sql`` : sql`, `}${named(name)} = ${given as postgres.ParameterOrFragment<never>}`,
  );
  return await hasRows(sql)`update ${sql(table)} set ${sets} ${found}`;
}
