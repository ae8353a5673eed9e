import type postgres from 'postgres';
import { z } from 'zod';
import type { Sql } from './sql.ts';

/** A row that is due, by its place in the order in which rows became due. */
export const Due = z.object({ id: z.string(), dueAt: z.date() });
export type Due = z.infer<typeof Due>;

/** A batch of due rows: those behind `after`, at most `limit`. */
export interface DuePage {
  readonly after: Due | null;
  readonly limit: number;
}

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** The rest of a query for one page, in the order of an index on `dueAt` and `id`. */
export const pageClause = (sql: Sql, dueAt: Fragment, id: Fragment, { after, limit }: DuePage) => sql`
  ${after === null ? sql`` : sql`and (${dueAt}, ${id}) > (${after.dueAt}, ${after.id})`}
  order by ${dueAt}, ${id} limit ${limit}
`;

/**
 * That a query of `select 1` finds nothing, asked for each row by itself. Postgres would make a join of `not exists`, and takes
 * `is null` to hold for hardly any row: either way it would sort all that is due for each page.
 */
export const hasNoRow = (sql: Sql, query: Fragment) => sql`coalesce((${query} limit 1), 0) <> 1`;

/** Reads rows of a query that selects `id` and `due_at`. */
export const parseDue = (rows: readonly object[]): Due[] => rows.map((row) => Due.parse(row));

export const idsOf = (rows: readonly Due[]): string[] => rows.map(({ id }) => id);
