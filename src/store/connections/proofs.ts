import { z } from 'zod';
import { CONNECTION_STATUSES, GRANTED_CONNECTION, LIVE_CONNECTION, PROVIDER_NAMES } from '../../basics/codes.ts';
import { AppId, ConnectionId, type GrantId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage } from '../due.ts';
import { findRow, hasRows, listOf, listRows } from '../rows.ts';
import { isHeld } from './refusals.ts';

/** Proofs within this time of the last one are not written: a busy connection would write one for each call. */
const WRITE_EVERY = '1 hour';

/** Selects a `connection c` whose proof is to be written. */
const isProofDue = (sql: Sql) => sql`
  (c.proven_at is null or c.proven_at <= business_now() - ${WRITE_EVERY}::interval
    or c.proof_failed_at is not null or c.unproven_since is not null)
`;

/** Whether a call that proves the grant of this `account_grant` alive is to be recorded. */
export const needsProof = (sql: Sql) => sql`
  coalesce((select ${isProofDue(sql)} from connection c where c.connection_id = account_grant.connection_id), false)
`;

/** Successes of a registration within this time of the last one are not written: all of its connections share the row. */
const WRITE_SUCCESS_EVERY = '1 day';

/**
 * Records that the platform has accepted a grant: the days until its connection is disconnected begin anew, and its registration is
 * in use.
 */
export async function recordProof(sql: Sql, grantId: GrantId): Promise<void> {
  await sql`
    with proven as (
      update connection c set proven_at = business_now(), proof_failed_at = null, unproven_since = null
      where c.connection_id = (select connection_id from account_grant where grant_id = ${grantId} and status = 'LIVE')
        and c.status in ${listOf(sql, GRANTED_CONNECTION)} and ${isProofDue(sql)}
      returning registration_id
    )
    update registration r set last_success_at = business_now()
    where r.registration_id = (select registration_id from proven)
      and coalesce(r.last_success_at <= business_now() - ${WRITE_SUCCESS_EVERY}::interval, true)
  `;
}

/**
 * Records that a call which would have proven the grant alive has failed. After a day of failures the grant counts as
 * unproven since its last proof: an outage of ours, or a short one of the platform, ends nothing.
 */
export async function recordFailedProof(sql: Sql, connectionId: ConnectionId): Promise<void> {
  await sql`
    update connection set proof_failed_at = coalesce(proof_failed_at, business_now()),
      unproven_since = case when proof_failed_at <= business_now() - interval '1 day' then coalesce(proven_at, proof_failed_at) end
    where connection_id = ${connectionId} and status in ${listOf(sql, GRANTED_CONNECTION)}
  `;
}

/** The last proof of an unproven `connection c`. A connection that an older version moved has none: its move comes later. */
const unprovenSince = (sql: Sql) => sql`coalesce(c.unproven_since, c.changed_at)`;

/** Selects a `connection c` whose grant has ended, or cannot be proven alive. */
const isUnproven = (sql: Sql) => sql`
  c.status in ${listOf(sql, LIVE_CONNECTION)} and (c.status = 'RECONNECT_REQUIRED' or c.unproven_since is not null)
`;

/** When the service disconnects a `connection c`; null while nothing suggests that its grant has ended. */
export const erasesAt = (sql: Sql) => sql`
  case when ${isUnproven(sql)} then (
    select ${unprovenSince(sql)} + make_interval(days => nullif(disconnect_days(r.provider, r.disconnect_after_days), 0))
    from registration r where r.registration_id = c.registration_id
  ) end
`;

/**
 * Lists connections to disconnect: their grants were not proven alive for the days of their registrations. While a registration holds changes for the worse, only grants that have certainly
 * ended are listed. Its cost depends on the listed ones: healthy connections are not in the index.
 */
export async function listUnused(sql: Sql, { after, limit }: DuePage): Promise<Due[]> {
  const { dueAt = null, id = null } = after ?? {};
  return await listRows(sql, Due)`
    with line as materialized (
      select registration_id, make_interval(days => disconnect_days(provider, disconnect_after_days)) as period,
        ${isHeld(sql)} as is_held
      from registration where disconnect_days(provider, disconnect_after_days) > 0
    )
    select id, due_at from line, lateral (
      select c.connection_id as id, ${unprovenSince(sql)} + period as due_at from connection c
      where c.registration_id = line.registration_id and ${isUnproven(sql)}
        and ${unprovenSince(sql)} <= business_now() - period
        and (${unprovenSince(sql)}, c.connection_id) > (coalesce(${dueAt}::timestamptz - period, '-infinity'),
          coalesce(${id}::uuid, '00000000-0000-0000-0000-000000000000'))
        and (c.status = 'RECONNECT_REQUIRED' or not is_held)
      order by ${unprovenSince(sql)}, c.connection_id limit ${limit}
    ) due
    order by due_at, id limit ${limit}
  `;
}

const Unused = z.object({
  connectionId: ConnectionId,
  scopeId: ScopeId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  tenantKey: z.string(),
  externalSubjectId: z.string(),
  status: z.enum(CONNECTION_STATUSES),
  /** Whether the platform had reported, after the last proof, that the person had removed the app. */
  isRemoved: z.boolean(),
});

/** Reads a connection that is due to be disconnected. @returns undefined if it is not due any more. */
export async function findUnused(sql: Sql, connectionId: string): Promise<z.infer<typeof Unused> | undefined> {
  return await findRow(sql, Unused)`
    select c.connection_id, c.scope_id, c.app_id, c.provider, c.registration_id, s.tenant_key, s.external_subject_id, c.status,
      coalesce(c.removal_reported_at >= c.proven_at, false) as is_removed
    from connection c join scope s using (scope_id)
    where c.connection_id = ${connectionId} and ${erasesAt(sql)} <= business_now()
  `;
}

/** Whether a connection is still due. Exact while the caller holds its lock. */
export async function isUnused(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  return await hasRows(tx)`
    select from connection c where c.connection_id = ${connectionId} and ${erasesAt(tx)} <= business_now()
  `;
}

/** Records that the platform reports the removal of the app by these connections' people. */
export async function recordRemoval(tx: Transaction, connectionIds: readonly ConnectionId[]): Promise<void> {
  await tx`
    update connection set removal_reported_at = business_now()
    where connection_id = any(${[...connectionIds]}::uuid[]) and status = any(${[...LIVE_CONNECTION]})
  `;
}
