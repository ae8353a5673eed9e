import { z } from 'zod';
import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, findRow, hasRows, listRows } from '../rows.ts';

export async function isTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<boolean> {
  return await hasRows(sql)`select from tenant where app_id = ${appId} and tenant_key = ${tenantKey}`;
}

export async function insertTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<void> {
  await sql`insert into tenant (app_id, tenant_key) values (${appId}, ${tenantKey}) on conflict do nothing`;
}

const Tenant = z.object({ tenantKey: z.string(), createdAt: z.date(), connectionCount: z.number() });
export type Tenant = z.infer<typeof Tenant>;

const columns = columnsOf('t', Tenant, {
  connectionCount: (sql) => sql`(
    select count(*)::int from connection c join scope s using (scope_id)
    where s.app_id = t.app_id and s.tenant_key = t.tenant_key
  )`,
});

/** By key. */
export async function listTenants(
  sql: Sql,
  appId: AppId,
  page: { limit: number; after: string | null },
): Promise<Tenant[]> {
  return await listRows(sql, Tenant)`
    select ${columns(sql)} from tenant t
    where t.app_id = ${appId} ${page.after === null ? sql`` : sql`and t.tenant_key > ${page.after}`}
    order by t.tenant_key limit ${page.limit}
  `;
}

export async function findTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<Tenant | undefined> {
  return await findRow(sql, Tenant)`
    select ${columns(sql)} from tenant t where t.app_id = ${appId} and t.tenant_key = ${tenantKey}
  `;
}

export async function deleteTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<void> {
  await sql`delete from tenant where app_id = ${appId} and tenant_key = ${tenantKey}`;
}
