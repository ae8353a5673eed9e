import { z } from 'zod';
import { CAPABILITIES, PROVIDER_NAMES } from '../../basics/codes.ts';
import { AppId, IssuerId, RegistrationId } from '../../basics/ids.ts';
import { SETTINGS } from '../../generated/settings.ts';
import type { Sql } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { columnsOf, findRow, listRows } from '../rows.ts';
import { Branding, brandingJson } from './branding.ts';
import { Key, keyJson } from './keys.ts';

const App = z.object({
  appId: AppId,
  ...SETTINGS.App.shape,
  createdAt: z.date(),
  keys: z.array(Key),
  tenantCount: z.number(),
  returnUrls: z.array(z.string()),
  launchOrigins: z.array(z.string()),
  policies: z.array(
    z.object({
      provider: z.enum(PROVIDER_NAMES),
      capabilities: z.array(z.enum(CAPABILITIES)),
      quotaPercent: z.number().nullable(),
      refreshMinutes: z.number().nullable(),
      refreshDays: z.number(),
      refreshPosts: z.number(),
    }),
  ),
  registrationIds: z.array(RegistrationId),
  identity: z.object({ issuerId: IssuerId, returnUrl: z.string(), enabled: z.boolean() }).nullable(),
  branding: Branding,
});
/** An app with all its settings except tenants, of which there may be very many. */
export type RegisteredApp = z.infer<typeof App>;

const columns = columnsOf('app', App, {
  keys: (sql) => sql`coalesce((
    select jsonb_agg(${keyJson(sql)} order by created_at desc, key_id) from app_key k where k.app_id = app.app_id
  ), '[]')`,
  tenantCount: (sql) => sql`(select count(*)::int from tenant t where t.app_id = app.app_id)`,
  returnUrls: (sql) => sql`array(select url from return_url u where u.app_id = app.app_id order by url)`,
  launchOrigins: (sql) => sql`array(select origin from launch_origin o where o.app_id = app.app_id order by origin)`,
  policies: (sql) => sql`coalesce((
    select jsonb_agg(jsonb_build_object('provider', provider, 'capabilities', capabilities,
      'quotaPercent', quota_percent, 'refreshMinutes', refresh_minutes, 'refreshDays', refresh_days,
      'refreshPosts', refresh_posts) order by provider)
    from app_policy p where p.app_id = app.app_id
  ), '[]')`,
  registrationIds: (sql) => sql`array(
    select registration_id from registration_app r where r.app_id = app.app_id order by serves_since, registration_id
  )`,
  identity: (sql) => sql`(
    select jsonb_build_object('issuerId', issuer_id, 'returnUrl', return_url, 'enabled', enabled)
    from app_identity i where i.app_id = app.app_id
  )`,
  branding: brandingJson,
});

export async function findRegisteredApp(sql: Sql, appId: AppId): Promise<RegisteredApp | undefined> {
  return await findRow(sql, App)`select ${columns(sql)} from app where app_id = ${appId}`;
}

export interface AppFilter {
  /** Part of the name, or the beginning of the id. */
  readonly search: string | null;
}

/** Newest first. */
export async function listApps(
  sql: Sql,
  { search }: AppFilter,
  page: { limit: number; after: NewestKey | null },
): Promise<RegisteredApp[]> {
  const sought = search?.trim().toLowerCase() ?? '';
  return await listRows(sql, App)`
    select ${columns(sql)} from app
    where true
      ${sought === '' ? sql`` : sql`and (strpos(lower(name collate "default"), ${sought}) > 0 or starts_with(app_id::text, ${sought}))`}
      ${page.after === null ? sql`` : sql`and (created_at, app_id) < (${page.after.at}, ${page.after.id})`}
    order by created_at desc, app_id desc limit ${page.limit}
  `;
}
