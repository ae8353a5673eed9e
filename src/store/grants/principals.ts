import type { ProviderName } from '../../basics/codes.ts';
import type { AttemptId, ConnectionId, ScopeId } from '../../basics/ids.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { hasRows } from '../rows.ts';
import type { Grant } from './grants.ts';
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
 * The same for the principal of a connection's grant, for a time. Any role of the database can hold an advisory lock, and nobody may
 * keep a disconnect from cutting access: it goes on without the lock. What another scope gets meanwhile, the verification after the
 * revoke finds.
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

/** Whether another grant in use, in any scope or app, has the same principal. Exact under `lockPrincipal`. */
export async function hasLiveSibling(sql: Sql, grant: Pick<Grant, 'grantId' | 'principalMac'>): Promise<boolean> {
  if (grant.principalMac === null) return false;
  return await hasRows(sql)`
    select from account_grant
    where principal_mac = ${grant.principalMac} and grant_id <> ${grant.grantId} and status in ('PENDING', 'LIVE')
    limit 1
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
      and a.status in ('EXCHANGING', 'CANCELED', 'EXPIRED') and a.creator_action is null
      and a.exchange_claimed_at > business_now() - make_interval(secs => ${CLAIM_SECONDS})
      and not exists (select from account_grant g where g.attempt_id = a.attempt_id)
    limit 1
  `;
}
