import postgres from 'postgres';
import type { z } from 'zod';
import type { Fragment, Sql } from './driver/sql.ts';

/*
 * Statements whose rows a schema checks. Each function makes a tag, so that the statement follows it as it follows `sql`:
 *
 *   const columns = columnsOf('job', Job, { isLate: (sql) => sql`due_at <= business_now()` });
 *   const job = await findRow(sql, Job)`select ${columns(sql)} from job where job_id = ${jobId}`;
 */

type Rows = postgres.RowList<postgres.Row[]>;

/** Makes a tag that runs a statement. @param read converts the rows for the caller. */
const reading =
  <T>(sql: Sql, read: (rows: Rows) => T) =>
  async (text: TemplateStringsArray, ...values: readonly postgres.ParameterOrFragment<never>[]): Promise<T> =>
    read(await sql(text, ...values));

/** @returns the first row; undefined if there is none. */
export const findRow = <Schema extends z.ZodType>(sql: Sql, schema: Schema) =>
  reading(sql, ([row]): z.infer<Schema> | undefined => row && schema.parse(row));

/** @returns the first row, which there always is. */
export const getRow = <Schema extends z.ZodType>(sql: Sql, schema: Schema) =>
  reading(sql, ([row]): z.infer<Schema> => schema.parse(row));

export const listRows = <Schema extends z.ZodType>(sql: Sql, schema: Schema) =>
  reading(sql, (rows): z.infer<Schema>[] => rows.map((row) => schema.parse(row)));

/** The value of a row with one column. */
const onlyValue = (row: postgres.Row = {}): unknown => Object.values(row)[0];

/** Of a statement with one column. @returns the value of the first row; undefined if there is no row. */
export const findValue = <Schema extends z.ZodType>(sql: Sql, schema: Schema) =>
  reading(sql, ([row]): z.infer<Schema> | undefined => row && schema.parse(onlyValue(row)));

/** Of a statement with one column. @returns the value of the first row, which there always is. */
export const getValue = <Schema extends z.ZodType>(sql: Sql, schema: Schema) =>
  reading(sql, ([row]): z.infer<Schema> => schema.parse(onlyValue(row)));

/** Of a statement with one column. @returns the value of each row. */
export const listValues = <Schema extends z.ZodType>(sql: Sql, schema: Schema) =>
  reading(sql, (rows): z.infer<Schema>[] => rows.map((row) => schema.parse(onlyValue(row))));

/** @returns whether the statement selects, inserts, updates or deletes a row. */
export const hasRows = (sql: Sql) => reading(sql, ({ count }) => count > 0);

/**
 * The columns of a schema's members, which have the same names in snake case. At least one must be a column of `table`.
 * @param table the table or its alias in the statement. @param expressions the members that are no column of it.
 */
export function columnsOf<Shape extends z.ZodRawShape>(
  table: string,
  { shape }: z.ZodObject<Shape>,
  expressions: { readonly [Name in keyof Shape]?: (sql: Sql) => Fragment } = {},
): (sql: Sql) => Fragment {
  const plain = Object.keys(shape).filter((name) => !(name in expressions));
  const columns = plain.map((name) => `${table}.${postgres.fromCamel(name)}`).join(', ');
  const others = Object.entries<((sql: Sql) => Fragment) | undefined>(expressions).flatMap(([name, expression]) =>
    expression ? [{ name: postgres.fromCamel(name), expression }] : [],
  );
  return (sql) =>
    sql`${[sql.unsafe(columns), ...others.map(({ name, expression }) => sql`, ${expression(sql)} as ${sql.unsafe(name)}`)]}`;
}

/** Members of a closed set as literals: a partial index serves a plan only if its condition contains no parameter. */
export const listOf = (sql: Sql, members: readonly string[]): Fragment =>
  sql.unsafe(`(${members.map((member) => `'${member}'`).join(', ')})`);
