import { z } from 'zod';
import { AppId, IssuerId, KeyId, RegistrationId } from '../../ids.ts';
import { CAPABILITIES, PROVIDER_NAMES } from '../../providers/provider.ts';
import { Branding, brandingJson } from '../branding.ts';
import type { Sql } from '../sql.ts';

/** JSON has instants as text. */
const instant = z.coerce.date();

const Key = z.object({
  keyId: KeyId,
  label: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  /** At most an hour before the last use. Null if it was never used. */
  lastUsedAt: instant.nullable(),
  active: z.boolean(),
});
export type AppKey = z.infer<typeof Key>;

const App = z.object({
  appId: AppId,
  name: z.string(),
  enabled: z.boolean(),
  requestsPerSecond: z.number(),
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

const keyJson = (sql: Sql) => sql`
  jsonb_build_object('keyId', key_id, 'label', label, 'createdAt', created_at, 'expiresAt', expires_at, 'revokedAt', revoked_at,
    'lastUsedAt', last_used_at, 'active', revoked_at is null and coalesce(expires_at > business_now(), true))
`;

const columns = (sql: Sql) => sql`
  app_id, name, enabled, requests_per_second, created_at,
  coalesce((select jsonb_agg(${keyJson(sql)} order by created_at desc, key_id) from app_key k where k.app_id = app.app_id), '[]')
    as keys,
  (select count(*)::int from tenant t where t.app_id = app.app_id) as tenant_count,
  array(select url from return_url u where u.app_id = app.app_id order by url) as return_urls,
  array(select origin from launch_origin o where o.app_id = app.app_id order by origin) as launch_origins,
  coalesce((
    select jsonb_agg(jsonb_build_object('provider', provider, 'capabilities', capabilities,
      'quotaPercent', quota_percent, 'refreshMinutes', refresh_minutes, 'refreshDays', refresh_days,
      'refreshPosts', refresh_posts) order by provider)
    from app_policy p where p.app_id = app.app_id
  ), '[]') as policies,
  array(
    select registration_id from registration_app r where r.app_id = app.app_id order by serves_since, registration_id
  ) as registration_ids,
  (select jsonb_build_object('issuerId', issuer_id, 'returnUrl', return_url, 'enabled', enabled)
    from app_identity i where i.app_id = app.app_id) as identity,
  ${brandingJson(sql)} as branding
`;

export async function findRegisteredApp(sql: Sql, appId: AppId): Promise<RegisteredApp | undefined> {
  const [row] = await sql`select ${columns(sql)} from app where app_id = ${appId}`;
  return row && App.parse(row);
}

/** Reads the names of a few apps. */
export async function listAppNames(sql: Sql, appIds: readonly AppId[]): Promise<Map<AppId, string>> {
  const rows = await sql`select app_id, name from app where app_id = any(${[...appIds]}::uuid[])`;
  return new Map(rows.map((row) => [AppId.parse(row.appId), String(row.name)]));
}

/** The last row of the page before, in a list that begins with the newest. */
export interface NewestKey {
  readonly at: Date;
  readonly id: string;
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
  const rows = await sql`
    select ${columns(sql)} from app
    where true
      ${sought === '' ? sql`` : sql`and (strpos(lower(name), ${sought}) > 0 or starts_with(app_id::text, ${sought}))`}
      ${page.after === null ? sql`` : sql`and (created_at, app_id) < (${page.after.at}, ${page.after.id})`}
    order by created_at desc, app_id desc limit ${page.limit}
  `;
  return rows.map((row) => App.parse(row));
}

/** Null leaves a setting unchanged. @returns whether the app exists. */
export async function updateApp(
  sql: Sql,
  appId: AppId,
  changes: { name: string | null; requestsPerSecond: number | null; enabled: boolean | null },
): Promise<boolean> {
  const rows = await sql`
    update app set name = coalesce(${changes.name}, name), enabled = coalesce(${changes.enabled}::boolean, enabled),
      requests_per_second = coalesce(${changes.requestsPerSecond}::int, requests_per_second)
    where app_id = ${appId} returning app_id
  `;
  return rows.length > 0;
}

const Tenant = z.object({ tenantKey: z.string(), createdAt: z.date(), connectionCount: z.number() });
export type Tenant = z.infer<typeof Tenant>;

const tenantColumns = (sql: Sql) => sql`
  t.tenant_key, t.created_at,
  (select count(*)::int from connection c join scope s using (scope_id)
    where s.app_id = t.app_id and s.tenant_key = t.tenant_key) as connection_count
`;

/** By key. */
export async function listTenants(
  sql: Sql,
  appId: AppId,
  page: { limit: number; after: string | null },
): Promise<Tenant[]> {
  const rows = await sql`
    select ${tenantColumns(sql)} from tenant t
    where t.app_id = ${appId} ${page.after === null ? sql`` : sql`and t.tenant_key > ${page.after}`}
    order by t.tenant_key limit ${page.limit}
  `;
  return rows.map((row) => Tenant.parse(row));
}

export async function findTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<Tenant | undefined> {
  const [row] = await sql`
    select ${tenantColumns(sql)} from tenant t where t.app_id = ${appId} and t.tenant_key = ${tenantKey}
  `;
  return row && Tenant.parse(row);
}

export async function deleteTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<void> {
  await sql`delete from tenant where app_id = ${appId} and tenant_key = ${tenantKey}`;
}

/** @returns whether the URL existed. */
export async function deleteReturnUrl(sql: Sql, appId: AppId, url: string): Promise<boolean> {
  const { count } = await sql`delete from return_url where app_id = ${appId} and url = ${url}`;
  return count > 0;
}

/** @returns whether the origin existed. */
export async function deleteLaunchOrigin(sql: Sql, appId: AppId, origin: string): Promise<boolean> {
  const { count } = await sql`delete from launch_origin where app_id = ${appId} and origin = ${origin}`;
  return count > 0;
}

export async function updateIdentityEnabled(sql: Sql, appId: AppId, enabled: boolean): Promise<void> {
  await sql`update app_identity set enabled = ${enabled} where app_id = ${appId}`;
}

const OwnedKey = z.object({ ...Key.shape, appId: App.shape.appId });

export async function findKey(sql: Sql, keyId: KeyId): Promise<z.infer<typeof OwnedKey> | undefined> {
  const [row] = await sql`select ${keyJson(sql)} as key, app_id from app_key where key_id = ${keyId}`;
  return row && OwnedKey.parse({ ...row.key, appId: row.appId });
}

/** @returns whether the key exists. */
export async function updateKeyLabel(sql: Sql, keyId: KeyId, label: string | null): Promise<boolean> {
  const { count } = await sql`update app_key set label = ${label} where key_id = ${keyId}`;
  return count > 0;
}
