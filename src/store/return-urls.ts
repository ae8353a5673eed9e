import type { AppId } from '../ids.ts';
import type { Sql } from './sql.ts';

/** Whether people may be sent back to this URL; compared to the letter. */
export async function isReturnUrl(sql: Sql, appId: AppId, url: string): Promise<boolean> {
  const rows = await sql`select from return_url where app_id = ${appId} and url = ${url}`;
  return rows.length > 0;
}
