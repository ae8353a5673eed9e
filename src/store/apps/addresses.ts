import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { hasRows } from '../rows.ts';

/** The origins of pages that may post a launch token of the app. */
export async function listLaunchOrigins(sql: Sql, appId: AppId): Promise<string[]> {
  const rows = await sql`
    select origin as value from launch_origin where app_id = ${appId}
    union select url from return_url where app_id = ${appId}
    union select return_url from app_identity where app_id = ${appId}
  `;
  return rows.map((row) => new URL(String(row.value)).origin);
}

export async function insertReturnUrl(sql: Sql, appId: AppId, url: string): Promise<void> {
  await sql`insert into return_url (app_id, url) values (${appId}, ${url}) on conflict do nothing`;
}

export async function insertLaunchOrigin(sql: Sql, appId: AppId, origin: string): Promise<void> {
  await sql`insert into launch_origin (app_id, origin) values (${appId}, ${origin}) on conflict do nothing`;
}

/** @returns whether the URL existed. */
export async function deleteReturnUrl(sql: Sql, appId: AppId, url: string): Promise<boolean> {
  return await hasRows(sql)`delete from return_url where app_id = ${appId} and url = ${url}`;
}

/** @returns whether the origin existed. */
export async function deleteLaunchOrigin(sql: Sql, appId: AppId, origin: string): Promise<boolean> {
  return await hasRows(sql)`delete from launch_origin where app_id = ${appId} and origin = ${origin}`;
}
