import { z } from 'zod';
import type { Sql } from './driver/sql.ts';
import { hasRows, listRows } from './rows.ts';

/** A column of sealed values, and the primary key of its table. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

const Value = z.object({ id: z.string(), sealed: z.string() });
/** A sealed value and the id of its row. */
type SealedValue = z.infer<typeof Value>;

/** Lists values by row id, after `after`. */
export async function listSealedValues(
  sql: Sql,
  { table, column, id }: SealedColumn,
  page: { limit: number; after: string | null },
): Promise<SealedValue[]> {
  return await listRows(sql, Value)`
    select ${sql(id)}::text as id, ${sql(column)} as sealed from ${sql(table)}
    where ${sql(column)} is not null ${page.after === null ? sql`` : sql`and ${sql(id)} > ${page.after}::uuid`}
    order by ${sql(id)} limit ${page.limit}
  `;
}

/** Compare and set. @returns false if the value has changed, because the new one uses the current key. */
export async function updateSealedValue(
  sql: Sql,
  { table, column, id }: SealedColumn,
  value: SealedValue,
  sealed: string,
): Promise<boolean> {
  return await hasRows(sql)`
    update ${sql(table)} set ${sql(column)} = ${sealed}
    where ${sql(id)} = ${value.id}::uuid and ${sql(column)} = ${value.sealed}
  `;
}
