import { z } from 'zod';
import { type AppId, type AttemptId, type ConnectionId, type ErasureId, newId, type ScopeId } from '../../ids.ts';
import { byteaArray, type Sql, type Transaction } from '../sql.ts';
import { UNFINISHED_ATTEMPT } from '../transitions.ts';

const Erasure = z.object({
  erasureId: z.string().transform((id) => id as ErasureId),
  appId: z.string().transform((id) => id as AppId),
  connectionIds: z.array(z.string().transform((id) => id as ConnectionId)),
  requestedAt: z.date(),
  completedAt: z.date().nullable(),
  /** Connections not yet erased. */
  remaining: z.number(),
});
/** The receipt of a person's erasure. */
export type Erasure = z.infer<typeof Erasure>;

const columns = (sql: Sql) => sql`
  erasure_id, app_id, connection_ids, requested_at, completed_at,
  (select count(*)::int from connection c where c.connection_id = any(connection_ids)) as remaining
`;

export async function findErasure(sql: Sql, erasureId: ErasureId): Promise<Erasure | undefined> {
  const [row] = await sql`select ${columns(sql)} from erasure where erasure_id = ${erasureId}`;
  return row && Erasure.parse(row);
}

/** The latest of a subject. */
export async function findErasureOfScope(sql: Sql, scopeMacs: readonly Buffer[]): Promise<Erasure | undefined> {
  const [row] = await sql`
    select ${columns(sql)} from erasure where scope_mac = any(${byteaArray(sql, scopeMacs)})
    order by requested_at desc limit 1
  `;
  return row && Erasure.parse(row);
}

export async function insertErasure(
  tx: Transaction,
  erasure: { appId: AppId; scopeMac: Buffer; connectionIds: readonly ConnectionId[] },
): Promise<ErasureId> {
  const erasureId = newId<ErasureId>();
  await tx`
    insert into erasure (erasure_id, app_id, scope_mac, connection_ids)
    values (${erasureId}, ${erasure.appId}, ${erasure.scopeMac}, ${[...erasure.connectionIds]}::uuid[])
  `;
  return erasureId;
}

/** Erasures of which nothing is left but receipts, and that is not noted yet. */
export async function listErased(sql: Sql): Promise<ErasureId[]> {
  const rows = await sql`
    select erasure_id from erasure e
    where completed_at is null and not exists (select from connection c where c.connection_id = any(e.connection_ids))
  `;
  return rows.map((row) => row.erasureId as ErasureId);
}

/** Notes that they have come to their end: when the last of their connections had. */
export async function completeErasures(sql: Sql, erasureIds: readonly ErasureId[]): Promise<void> {
  await sql`
    update erasure e set completed_at = greatest(requested_at, coalesce((
      select max(finished_at) from release_job j where j.connection_id = any(e.connection_ids) and j.kind = 'ERASE'
    ), requested_at))
    where erasure_id = any(${[...erasureIds]}::uuid[]) and completed_at is null
  `;
}

export async function listUnfinishedAttempts(sql: Sql, scopeId: ScopeId): Promise<AttemptId[]> {
  const rows = await sql`
    select attempt_id from connect_attempt where scope_id = ${scopeId} and status = any(${[...UNFINISHED_ATTEMPT]})
  `;
  return rows.map((row) => row.attemptId as AttemptId);
}

const Kept = (sql: Sql, scopeMacs: readonly Buffer[], scopeId: ScopeId | undefined) => sql`
  status = 'FAILED' and keeps_tokens
    and (scope_mac = any(${byteaArray(sql, scopeMacs)}) or scope_id = ${scopeId ?? null})
`;

/** Tokens that are kept of a subject's revokes that have failed. */
export async function countKeptTokens(
  sql: Sql,
  scopeMacs: readonly Buffer[],
  scopeId: ScopeId | undefined,
): Promise<number> {
  const [row] = await sql`select count(*)::int as count from release_job where ${Kept(sql, scopeMacs, scopeId)}`;
  return Number(row?.count);
}

/** Destroys them, with the grants they were kept of. Those revokes cannot be tried again. */
export async function destroyKeptTokens(
  tx: Transaction,
  scopeMacs: readonly Buffer[],
  scopeId: ScopeId | undefined,
): Promise<void> {
  const rows = await tx`
    update release_job set sealed_tokens = null where ${Kept(tx, scopeMacs, scopeId)} returning grant_id
  `;
  const grantIds = rows.map((row) => row.grantId as string | null).filter((id) => id !== null);
  await tx`
    update account_grant set status = 'DEAD', sealed_tokens = null, profile = null, provider_account_id = null
    where grant_id = any(${grantIds}::uuid[]) and connection_id is null
  `;
}

/**
 * Forgets the subject: its own id is replaced by a random one, and what is left of it hangs on that until it is gone.
 * @returns false when there is no such scope any more.
 */
export async function forgetSubject(tx: Transaction, scopeId: ScopeId): Promise<boolean> {
  const { count } = await tx`
    update scope set external_subject_id = 'erased-' || gen_random_uuid() where scope_id = ${scopeId}
  `;
  return count > 0;
}
