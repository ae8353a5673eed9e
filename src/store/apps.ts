import { z } from 'zod';
import { AppId, type KeyId } from '../ids.ts';
import { PROVIDER_NAMES } from '../providers/provider.ts';
import { askTogether } from './batches.ts';
import type { Json, Sql } from './sql.ts';
import { createStatement } from './statement.ts';

const App = z.object({
  appId: AppId,
  name: z.string(),
  enabled: z.boolean(),
  requestsPerSecond: z.number(),
});
export type App = z.infer<typeof App>;

const KeyOwner = App.extend({ secretSha256: z.instanceof(Buffer), usable: z.boolean() });
/** The app of a key. `usable` is false for a revoked or expired key. */
export type KeyOwner = z.infer<typeof KeyOwner>;

const selectOwners = createStatement(
  (sql, keyIds: Json) => sql`
    select asked.key_id, owner.*
    from jsonb_array_elements_text(${keyIds}) as asked (key_id) cross join lateral (
      select app_id, name, enabled, requests_per_second, secret_sha256,
        revoked_at is null and coalesce(expires_at > business_now(), true) as usable
      from app_key k join app using (app_id)
      where k.key_id = asked.key_id::uuid
      limit 1
    ) as owner
  `,
);

/** Runs on every request, so that a revoked key or a disabled app takes effect on the next one. */
export const findKeyOwner = askTogether(async (sql, keyIds: readonly KeyId[]): Promise<(KeyOwner | undefined)[]> => {
  const rows = await selectOwners(sql, sql.json([...new Set(keyIds)]));
  const owners = new Map(rows.map((row) => [row.keyId, KeyOwner.parse(row)]));
  return keyIds.map((keyId) => owners.get(keyId));
});

/**
 * Stores that the keys are in use: at most hourly for each, so that the row stays quiet with many processes. It waits for no
 * other transaction; whoever holds the row writes the same.
 */
export async function updateKeyLastUse(sql: Sql, keyIds: readonly KeyId[]): Promise<void> {
  await sql`
    update app_key set last_used_at = business_now()
    where key_id = any(array(
      select key_id from app_key
      where key_id = any(${[...keyIds]}::uuid[]) and coalesce(last_used_at <= business_now() - interval '1 hour', true)
      for no key update skip locked
    ))
  `;
}

export async function isTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<boolean> {
  const rows = await sql`select from tenant where app_id = ${appId} and tenant_key = ${tenantKey}`;
  return rows.length > 0;
}

const Readiness = z.object({
  providers: z.array(z.enum(PROVIDER_NAMES)),
  identity: z.boolean(),
});

/**
 * Reads which providers the app can start an attempt at, and whether it can start a sign-in. It checks settings only.
 * @param allowHttp whether return URLs may use plain http.
 */
export async function getReadiness(
  sql: Sql,
  appId: AppId,
  { allowHttp }: { allowHttp: boolean },
): Promise<z.infer<typeof Readiness>> {
  const usable = allowHttp ? '%' : 'https://%';
  const [row] = await sql`
    select
      array(
        select distinct provider::text from app_policy join registration using (provider)
          join registration_app using (registration_id, app_id)
        where app_id = ${appId} and paused_at is null and rejected_at is null
          and exists (select from tenant where app_id = ${appId})
          and exists (select from return_url where app_id = ${appId} and url like ${usable})
      ) as providers,
      exists (select from app_identity where app_id = ${appId} and enabled and return_url like ${usable})
        and exists (select from tenant where app_id = ${appId}) as identity
  `;
  return Readiness.parse(row);
}

/** The origins of pages that may post a launch token of the app. */
export async function listLaunchOrigins(sql: Sql, appId: AppId): Promise<string[]> {
  const rows = await sql`
    select origin as value from launch_origin where app_id = ${appId}
    union select url from return_url where app_id = ${appId}
    union select return_url from app_identity where app_id = ${appId}
  `;
  return rows.map((row) => new URL(String(row.value)).origin);
}
