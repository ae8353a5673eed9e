import { z } from 'zod';
import { type AppId, IssuerId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { findRow } from '../rows.ts';
import { updateRow } from '../update-row.ts';

const Settings = z.object({
  issuerId: IssuerId,
  returnUrl: z.string(),
  enabled: z.boolean(),
});
/** How one app signs people in. */
type IdentitySettings = z.infer<typeof Settings>;

/** Locks an app's identity settings until the end of the transaction. Starting a sign-in takes this lock first. */
export async function lockIdentitySettings(tx: Transaction, appId: AppId): Promise<IdentitySettings | undefined> {
  return await findRow(tx, Settings)`
    select issuer_id, return_url, enabled from app_identity where app_id = ${appId} for no key update
  `;
}

export async function updateIdentitySettings(
  sql: Sql,
  appId: AppId,
  issuerId: IssuerId,
  returnUrl: string,
): Promise<void> {
  await sql`
    insert into app_identity (app_id, issuer_id, return_url) values (${appId}, ${issuerId}, ${returnUrl})
    on conflict (app_id) do update set issuer_id = excluded.issuer_id, return_url = excluded.return_url, enabled = true
  `;
}

export async function updateIdentityEnabled(sql: Sql, appId: AppId, enabled: boolean): Promise<void> {
  await updateRow(sql, 'app_identity', { appId }, { enabled });
}
