import { z } from 'zod';
import { AppId, newId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { hasRows } from '../rows.ts';

export const App = z.object({
  appId: AppId,
  name: z.string(),
  enabled: z.boolean(),
  requestsPerSecond: z.number(),
});
export type App = z.infer<typeof App>;

export async function insertApp(sql: Sql, name: string): Promise<AppId> {
  const appId = newId<AppId>();
  await sql`insert into app (app_id, name) values (${appId}, ${name})`;
  return appId;
}

/** Reads the names of a few apps. */
export async function listAppNames(sql: Sql, appIds: readonly AppId[]): Promise<Map<AppId, string>> {
  const rows = await sql`select app_id, name from app where app_id = any(${[...appIds]}::uuid[])`;
  return new Map(rows.map((row) => [AppId.parse(row.appId), String(row.name)]));
}

/** Null leaves a setting unchanged. @returns whether the app exists. */
export async function updateApp(
  sql: Sql,
  appId: AppId,
  changes: { name: string | null; requestsPerSecond: number | null; enabled: boolean | null },
): Promise<boolean> {
  return await hasRows(sql)`
    update app set name = coalesce(${changes.name}, name), enabled = coalesce(${changes.enabled}::boolean, enabled),
      requests_per_second = coalesce(${changes.requestsPerSecond}::int, requests_per_second)
    where app_id = ${appId}
  `;
}
