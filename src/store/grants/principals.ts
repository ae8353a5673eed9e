import { z } from 'zod';
import type { ProviderName } from '../../basics/codes.ts';
import { GRANTED_CONNECTION, OVERTAKEN_ATTEMPT, WANTED_GRANT } from '../../basics/codes.ts';
import type { AttemptId, BulkDisconnectId, ConnectionId, GrantId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { getRow, hasRows, listOf } from '../rows.ts';
import { CLAIM_SECONDS } from './refresh-claims.ts';

/**
 * Serializes decisions to discard a grant of this principal, in any scope, until the end of the transaction. The caller
 * holds the scope's lock.
 */
export async function lockPrincipal(tx: Transaction, principalMac: Buffer | null): Promise<void> {
  if (principalMac === null) return;
  await tx`select pg_advisory_xact_lock(${principalKey(tx, principalMac)})`;
}

const principalKey = (tx: Transaction, principalMac: Buffer | Fragment) =>
  tx`hashtextextended('principal:' || encode(${principalMac}, 'hex'), 0)`;

const LOCK_TIMED_OUT = '55P03';

/**
 * The same for the principal of a connection's grant, for a time. Any role of the database can hold an advisory lock, and must
 * not keep a disconnect from cutting access: it continues without the lock. The verification after the revoke finds a grant that
 * another scope got meanwhile.
 */
export async function lockPrincipalWithin(tx: Transaction, connectionId: ConnectionId, ms: number): Promise<void> {
  const [row] = await tx`
    select principal_mac, pg_try_advisory_xact_lock(${principalKey(tx, tx`principal_mac`)}) as is_ours from account_grant
    where connection_id = ${connectionId} and status = 'LIVE' and principal_mac is not null
  `;
  if (row === undefined || row.isOurs === true) return;
  try {
    await tx.savepoint(async (part) => {
      await part`select set_config('lock_timeout', ${`${ms}ms`}, true)`;
      await lockPrincipal(part, row.principalMac as Buffer);
      await part`set local lock_timeout to default`;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_TIMED_OUT) throw error;
  }
}

/** Whether a connection already has a consent from an attempt that began later. Hold the connection's lock. */
export async function hasNewerConsent(
  sql: Sql,
  connectionId: ConnectionId,
  { attemptId, createdAt }: { readonly attemptId: AttemptId; readonly createdAt: Date },
): Promise<boolean> {
  return await hasRows(sql)`
    select from account_grant g join connect_attempt a using (attempt_id)
    where g.connection_id = ${connectionId} and g.status = 'LIVE' and a.attempt_id <> ${attemptId}
      and a.created_at > ${createdAt}
  `;
}

/** A grant that may be revoked, and the reach of its revoke. */
export interface Revocable {
  /** Null if its row is gone. */
  readonly grantId: GrantId | null;
  /** Null if the platform has not named the person. */
  readonly principalMac: Buffer | null;
  /** The keyed hashes of its account, as a `bytea[]`. */
  readonly accountMacs: Fragment;
  /** The registrations whose grants the revoke can end. */
  readonly reached: readonly RegistrationId[];
  /** The bulk disconnect that the revoke belongs to: the connections that it is about to disconnect are not in use. */
  readonly bulkDisconnectId: BulkDisconnectId | null;
  /** A subject whose grants are about to be revoked, too: they are not in use. */
  readonly leavingScopeId?: ScopeId;
}

const Dependents = z.object({
  /** Whether another grant in use, in any scope or app, is certainly of the same person. */
  sharing: z.boolean(),
  /** Whether a grant in use may be of the same person: the platform has not named the person of one of the two. */
  doubtful: z.boolean(),
});

/**
 * Which grants in use a revoke would end. Exact under `lockPrincipal`, as far as the principals are known.
 *
 * A grant of an unknown principal can depend on every grant in use that the revoke reaches, and every grant can have one of
 * an unknown principal that depends on it.
 */
export async function findDependents(sql: Sql, revocable: Revocable): Promise<z.infer<typeof Dependents>> {
  const { grantId, principalMac, accountMacs, bulkDisconnectId, leavingScopeId } = revocable;
  /** The connections that the bulk disconnect is about to disconnect. */
  const leaving =
    bulkDisconnectId === null
      ? sql`false`
      : sql`exists (
          select from bulk_disconnect b join scope s on s.scope_id = g.scope_id
          where b.bulk_disconnect_id = ${bulkDisconnectId} and b.finished_at is null
            and (b.registration_id = g.registration_id or (b.app_id = s.app_id and b.tenant_key = s.tenant_key))
        )`;
  const staying = leavingScopeId === undefined ? sql`` : sql`and g.scope_id <> ${leavingScopeId}`;
  const other = sql`
    g.status in ${listOf(sql, WANTED_GRANT)} and g.grant_id is distinct from ${grantId} and not ${leaving} ${staying}
  `;
  // Without the registration that a bulk disconnect empties, which would be searched in vain for each of its connections.
  const reached = sql`
    any(array(
      select id from unnest(${[...revocable.reached]}::uuid[]) as id
      where id is distinct from (
        select registration_id from bulk_disconnect where bulk_disconnect_id = ${bulkDisconnectId} and finished_at is null
      )
    ))
  `;
  const mayBeOne =
    principalMac === null
      ? sql`
          (select from account_grant g where g.status = 'PENDING' and g.registration_id = ${reached} and ${other} limit 1)
          union all
          (
            select from connection c join account_grant g on g.connection_id = c.connection_id
            where c.registration_id = ${reached} and c.status in ${listOf(sql, GRANTED_CONNECTION)} and ${other}
            order by c.registration_id limit 1
          )
        `
      : sql`
          select from account_grant g where g.principal_mac is null and g.registration_id = ${reached} and ${other}
          order by g.registration_id limit 1
        `;
  // Materialized and in order, so that Postgres takes the indexes: it expects to find some row of the table sooner, where there is none.
  return await getRow(sql, Dependents)`
    with of_account as materialized (
      select from account_grant g where g.account_macs && ${accountMacs} and ${other}
    ),
    may_be_one as materialized (${mayBeOne})
    select exists (select from account_grant g where g.principal_mac = ${principalMac} and ${other})
      or exists (select from of_account) as sharing,
      exists (select from may_be_one) as doubtful
  `;
}

/**
 * Whether an exchange of this scope and provider is claimed and not stored, so that a grant may still arrive. Includes
 * attempts that were canceled or expired meanwhile.
 */
export async function hasExchangeInFlight(sql: Sql, scopeId: ScopeId, provider: ProviderName): Promise<boolean> {
  return await hasRows(sql)`
    select from connect_attempt a
    where a.scope_id = ${scopeId} and a.provider = ${provider}
      and a.status in ${listOf(sql, ['EXCHANGING', ...OVERTAKEN_ATTEMPT])} and a.creator_action is null
      and a.exchange_claimed_at > business_now() - make_interval(secs => ${CLAIM_SECONDS})
      and not exists (select from account_grant g where g.attempt_id = a.attempt_id)
    limit 1
  `;
}
