import { z } from 'zod';
import type { Sql } from './sql.ts';

/** A column that holds sealed values, and the key of its rows. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

const Value = z.object({ id: z.string(), sealed: z.string() });
/** A sealed value where it lies. */
export type SealedValue = z.infer<typeof Value>;

/** Values by the id of their row, from after `after` on. */
export async function listSealedValues(
  sql: Sql,
  { table, column, id }: SealedColumn,
  page: { limit: number; after: string | null },
): Promise<SealedValue[]> {
  const rows = await sql`
    select ${sql(id)}::text as id, ${sql(column)} as sealed from ${sql(table)}
    where ${sql(column)} is not null ${page.after === null ? sql`` : sql`and ${sql(id)} > ${page.after}::uuid`}
    order by ${sql(id)} limit ${page.limit}
  `;
  return rows.map((row) => Value.parse(row));
}

/** Compare and set. @returns false when the value is another by now: whoever wrote that used the current key. */
export async function updateSealedValue(
  sql: Sql,
  { table, column, id }: SealedColumn,
  value: SealedValue,
  sealed: string,
): Promise<boolean> {
  const { count } = await sql`
    update ${sql(table)} set ${sql(column)} = ${sealed}
    where ${sql(id)} = ${value.id}::uuid and ${sql(column)} = ${value.sealed}
  `;
  return count > 0;
}
