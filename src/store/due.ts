import type postgres from 'postgres';
import { z } from 'zod';
import type { Sql } from './driver/sql.ts';

/** A due row: its id, and the time since when it is due. */
export const Due = z.object({ id: z.string(), dueAt: z.date() });
export type Due = z.infer<typeof Due>;

/** A batch of at most `limit` due rows after `after`. */
export interface DuePage {
  readonly after: Due | null;
  readonly limit: number;
}

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** The end of a query for one page, in the order of an index on `dueAt` and `id`. */
export const pageClause = (sql: Sql, dueAt: Fragment, id: Fragment, { after, limit }: DuePage) => sql`
  ${after === null ? sql`` : sql`and (${dueAt}, ${id}) > (${after.dueAt}, ${after.id})`}
  order by ${dueAt}, ${id} limit ${limit}
`;

/**
 * Whether a query of `select 1` finds no row, evaluated for each row on its own. Postgres would turn `not exists` into
 * a join, and estimates that `is null` matches hardly any row; in both cases it would sort all due rows for each page.
 */
export const hasNoRow = (sql: Sql, query: Fragment) => sql`coalesce((${query} limit 1), 0) <> 1`;

export const idsOf = (rows: readonly Due[]): string[] => rows.map(({ id }) => id);
