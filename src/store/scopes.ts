import { z } from 'zod';
import { AppId, newId, ScopeId } from '../basics/ids.ts';
import type { Sql, Transaction } from './driver/sql.ts';
import { findRow, findValue, getRow, getValue } from './rows.ts';

/** A tenant and a subject, in the app's own words. */
export interface SubjectScope {
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

const FoundScope = z.object({ tenantRegistered: z.boolean(), scopeId: ScopeId.nullable() });

/** Whether a scope's tenant is one of the app's, as an expression. */
const tenantIsRegistered = (sql: Sql, appId: AppId, { tenantKey }: SubjectScope) => sql`
  exists (select from tenant where app_id = ${appId} and tenant_key = ${tenantKey})
`;

/** Finds the scope of a subject, and whether its tenant is registered. */
export async function findScope(
  sql: Sql,
  appId: AppId,
  scope: SubjectScope,
): Promise<{ tenantRegistered: boolean; scopeId: ScopeId | undefined }> {
  const { tenantRegistered, scopeId } = await getRow(sql, FoundScope)`
    select
      ${tenantIsRegistered(sql, appId, scope)} as tenant_registered,
      (select scope_id from scope
        where app_id = ${appId} and tenant_key = ${scope.tenantKey} and external_subject_id = ${scope.externalSubjectId}
      ) as scope_id
  `;
  return { tenantRegistered, scopeId: scopeId ?? undefined };
}

/** Locks a scope until the end of the transaction. @returns undefined if it does not exist. */
export async function lockExistingScope(
  tx: Transaction,
  appId: AppId,
  scope: SubjectScope,
): Promise<ScopeId | undefined> {
  return await findValue(tx, ScopeId)`
    select scope_id from scope
    where app_id = ${appId} and tenant_key = ${scope.tenantKey} and external_subject_id = ${scope.externalSubjectId}
    for no key update
  `;
}

/**
 * Locks a scope until the end of the transaction, and inserts it if it is missing. This is the first lock of all work
 * on a scope.
 */
export async function lockScope(tx: Transaction, appId: AppId, scope: SubjectScope): Promise<ScopeId> {
  return await getValue(tx, ScopeId)`
    insert into scope (scope_id, app_id, tenant_key, external_subject_id)
    values (${newId<ScopeId>()}, ${appId}, ${scope.tenantKey}, ${scope.externalSubjectId})
    on conflict (app_id, tenant_key, external_subject_id) do update set erasure_id = scope.erasure_id
    returning scope_id
  `;
}

const Known = z.object({
  appId: AppId,
  tenantKey: z.string(),
  externalSubjectId: z.string(),
  /** Whether an erasure has replaced the subject's id. */
  forgotten: z.boolean(),
});

export async function findScopeById(sql: Sql, scopeId: ScopeId): Promise<z.infer<typeof Known> | undefined> {
  return await findRow(sql, Known)`
    select app_id, tenant_key, external_subject_id, erasure_id is not null as forgotten from scope
    where scope_id = ${scopeId}
  `;
}

/** Locks an existing scope. */
export async function lockScopeById(tx: Transaction, scopeId: ScopeId): Promise<void> {
  await tx`select from scope where scope_id = ${scopeId} for no key update`;
}
