import type postgres from 'postgres';
import { z } from 'zod';
import type { Sql } from './driver/sql.ts';
import { listRows } from './rows.ts';

/** A due row: its id, and the time since when it is due. Of a step in which the apps take turns, also its app. */
export const Due = z.object({ id: z.string(), dueAt: z.date(), appId: z.string().optional() });
export type Due = z.infer<typeof Due>;

/** A batch of at most `limit` due rows: after `after`, or of each app after its place, if the apps take turns. */
export interface DuePage {
  readonly after: Due | null;
  readonly places?: readonly Due[];
  readonly limit: number;
}

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** The end of a query for one page, in the order of an index on `dueAt` and `id`. */
export const pageClause = (sql: Sql, dueAt: Fragment, id: Fragment, { after, limit }: DuePage) => sql`
  ${after === null ? sql`` : sql`and (${dueAt}, ${id}) > (${after.dueAt}, ${after.id})`}
  order by ${dueAt}, ${id} limit ${limit}
`;

/** Rows of a table with a column `app_id`, and an index on `prefix`, `app_id`, `dueAt` and `id`. */
interface RowsOfApps {
  readonly from: Fragment;
  /** The condition of the index. */
  readonly where: Fragment;
  /** The column before `app_id` in the index, and its value. */
  readonly prefix?: { readonly column: Fragment; readonly value: Fragment };
  readonly dueAt: Fragment;
  readonly id: Fragment;
  readonly until: Fragment;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Lists due rows so that the apps take turns: first the longest due row of each app, then the second of each. So an app with
 * 50,000 due rows delays another app's single one by nothing. Each app has an equal share of the page, so that a page may hold
 * fewer rows than its limit: only an empty one is the last.
 *
 * Finds each app, and its first due rows, by probes of the index: the cost depends on the number of apps and of rows listed,
 * never on how many are due.
 */
export async function listInTurns(sql: Sql, rows: RowsOfApps, { places = [], limit }: DuePage): Promise<Due[]> {
  const { from, where, prefix, dueAt, id, until } = rows;
  // As a comparison of rows, which only this index serves in this order.
  const key = prefix ? sql`${prefix.column}, app_id` : sql`app_id`;
  const keyOf = (appId: Fragment) => (prefix ? sql`(${prefix.value}, ${appId})` : sql`(${appId})`);
  const isOwn = prefix ? sql`where is_own` : sql``;
  const findApp = (comparison: Fragment) => sql`
    select app_id, ${prefix ? sql`${prefix.column} = ${prefix.value}` : sql`true`} as is_own from ${from}
    where ${where} and ${comparison} order by ${key} limit 1
  `;
  const listAfterPlace = (place: Fragment, count: Fragment) => sql`
    select ${id} as id, ${dueAt} as due_at from ${from}
    where ${where} ${prefix ? sql`and ${prefix.column} = ${prefix.value}` : sql``} and ${from}.app_id = ${place}.app_id
      and ${dueAt} <= ${until} and (${dueAt}, ${id}) > (${place}.after_at, ${place}.after_id)
    order by ${dueAt}, ${id} limit ${count}
  `;
  const given = places.map((place) => ({ app_id: place.appId, due_at: place.dueAt.toISOString(), id: place.id }));
  return await listRows(sql, Due)`
    with recursive app as (
      select app_id from (${findApp(sql`(${key}) >= ${keyOf(sql`${NO_ID}::uuid`)}`)}) first ${isOwn}
      union all
      select next.app_id from app, lateral (${findApp(sql`(${key}) > ${keyOf(sql`app.app_id`)}`)}) next ${isOwn}
    ), place as materialized (
      select app_id, coalesce(due_at, '-infinity') as after_at, coalesce(id, ${NO_ID}::uuid) as after_id
      from app left join jsonb_to_recordset(${sql.json(given)}) as place (app_id uuid, due_at timestamptz, id uuid)
        using (app_id)
    ), waiting as materialized (
      select place.*, ceil(${limit}::numeric / count(*) over ())::int as share
      from place, lateral (${listAfterPlace(sql`place`, sql`1`)}) first
    )
    select id, due_at, app_id from (
      select due.*, waiting.app_id, row_number() over (partition by waiting.app_id order by due.due_at, due.id) as turn
      from waiting, lateral (${listAfterPlace(sql`waiting`, sql`waiting.share`)}) due
    ) each
    order by turn, due_at, id limit ${limit}
  `;
}

/**
 * Whether a query of `select 1` finds no row, evaluated for each row on its own. Postgres would turn `not exists` into
 * a join, and estimates that `is null` matches hardly any row; in both cases it would sort all due rows for each page.
 */
export const hasNoRow = (sql: Sql, query: Fragment) => sql`coalesce((${query} limit 1), 0) <> 1`;

export const idsOf = (rows: readonly Due[]): string[] => rows.map(({ id }) => id);
