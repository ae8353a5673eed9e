import { z } from 'zod';
import { AppId, newId } from '../../basics/ids.ts';
import { SETTINGS } from '../../generated/settings.ts';
import type { Sql } from '../driver/sql.ts';
import { getRow, getValue } from '../rows.ts';
import { type Changes, updateRow } from '../update-row.ts';
import type { PageSettings } from './branding.ts';

/** What every request of an app needs. */
export const App = z.object({
  appId: AppId,
  ...SETTINGS.App.pick({ name: true, enabled: true, requestsPerSecond: true }).shape,
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

/** Deletes an app to which nothing refers and that has no active key. @returns false for any other. */
export const deleteUnusedApp = (sql: Sql, appId: AppId): Promise<boolean> =>
  getValue(sql, z.boolean())`select delete_unused_app(${appId})`;

/** The most connections that `readAppUse` counts, and one. */
const MOST_COUNTED = 100_001;

const AppUse = z.object({ connectionCount: z.number(), deletable: z.boolean() });

/** Counts the dependents of an app, each by an index and up to a limit. */
export async function readAppUse(sql: Sql, appId: AppId): Promise<z.infer<typeof AppUse>> {
  return await getRow(sql, AppUse)`
    select (select count(*)::int from (select from connection where app_id = ${appId} limit ${MOST_COUNTED}) c) as connection_count,
      not exists (select from scope where app_id = ${appId})
        and not exists (select from webhook_event where app_id = ${appId})
        and not exists (select from app_key where app_id = ${appId}
          and revoked_at is null and coalesce(expires_at > business_now(), true)) as deletable
  `;
}

/** @returns whether the app exists. */
export const updateApp = (
  sql: Sql,
  appId: AppId,
  changes: Changes<z.infer<typeof SETTINGS.App> & PageSettings>,
): Promise<boolean> => updateRow(sql, 'app', { appId }, changes);
