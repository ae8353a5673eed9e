import { z } from 'zod';
import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';

export async function isTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<boolean> {
  const rows = await sql`select from tenant where app_id = ${appId} and tenant_key = ${tenantKey}`;
  return rows.length > 0;
}

export async function insertTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<void> {
  await sql`insert into tenant (app_id, tenant_key) values (${appId}, ${tenantKey}) on conflict do nothing`;
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
