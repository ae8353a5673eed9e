import { z } from 'zod';
import type { AppId } from '../basics/ids.ts';
import type { Sql } from './driver/sql.ts';
import { getRow, listValues } from './rows.ts';

const Person = z.object({
  /** Whether the app may use the tenant now. */
  isTenant: z.boolean(),
  /** Whether we hold anything under the subject: a connection, an attempt or a grant. */
  isHeld: z.boolean(),
  /** The same subject in other tenants of the app. */
  otherTenants: z.array(z.string()),
});

const MOST_OTHER_TENANTS = 10;

/** The stored facts about an app's tenant and subject. */
export async function describePerson(
  sql: Sql,
  { appId, tenantKey, externalSubjectId }: { appId: AppId; tenantKey: string; externalSubjectId: string },
): Promise<z.infer<typeof Person>> {
  return await getRow(sql, Person)`
    select exists (select from tenant where app_id = ${appId} and tenant_key = ${tenantKey}) as is_tenant,
      exists (
        select from scope where app_id = ${appId} and tenant_key = ${tenantKey}
          and external_subject_id = ${externalSubjectId}
      ) as is_held,
      array(
        select tenant_key from scope where external_subject_id = ${externalSubjectId} and app_id = ${appId}
          and tenant_key <> ${tenantKey} order by tenant_key limit ${MOST_OTHER_TENANTS}
      ) as other_tenants
  `;
}

/** The keys of an app's tenants that begin with a text, in any case. */
export async function listTenantKeys(sql: Sql, appId: AppId, search: string, limit: number): Promise<string[]> {
  return await listValues(sql, z.string())`
    select tenant_key from tenant where app_id = ${appId} and starts_with(lower(tenant_key collate "default"), lower(${search}))
    order by tenant_key limit ${limit}
  `;
}
