import { z } from 'zod';
import type { Fragment, Sql } from './driver/sql.ts';
import { getValue } from './rows.ts';

/** A number of rows; `isExact` is false if there are more. */
export interface RowCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** The most rows that a count for an operator reads. */
const MOST_COUNTED = 10_000;

/** Counts rows up to a bound. @param rows the rest of the statement, from its `from` on. */
export async function countUpTo(sql: Sql, rows: Fragment): Promise<RowCount> {
  const count = await getValue(sql, z.number())`
    select count(*)::int from (select 1 ${rows} limit ${MOST_COUNTED + 1}) as counted
  `;
  return { count: Math.min(count, MOST_COUNTED), isExact: count <= MOST_COUNTED };
}
