import { z } from 'zod';
import { WANTED_GRANT } from '../../basics/codes.ts';
import { ConnectionId, type GrantId } from '../../basics/ids.ts';
import type { RevokePermit } from '../../providers/provider.ts';
import type { AnswerCause } from '../answer-cause.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, pageClause } from '../due.ts';
import { getValue, hasRows, listOf, listRows, listValues } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import { areFromOtherTimeline, CLAIM_SECONDS } from './refresh-claims.ts';

const isDoubtfulEnd = (sql: Sql, connectionId: Fragment) => sql`coalesce((
  select status = 'DEAD' and refresh_claim is not null from account_grant
  where connection_id = ${connectionId} order by obtained_at desc, grant_id limit 1
), true)`;

/** Whether the latest grant of a connection is DEAD without a proof, or is lost: it may be alive at the provider. */
export const hasDoubtfulEnd = async (sql: Sql, connectionId: ConnectionId): Promise<boolean> =>
  await getValue(sql, z.boolean())`select ${isDoubtfulEnd(sql, sql`${connectionId}::uuid`)}`;

/** The end of a connection's grant, if no grant of it is live. */
export const GrantEnd = z.enum(['ENDED', 'MAY_HAVE_ENDED']).nullable();

/** @param live the alias of the live grant, joined to `connection c` from the left */
export const selectGrantEnd = (sql: Sql, live: string) => sql`
  case when ${sql(live)}.grant_id is null then
    case when ${isDoubtfulEnd(sql, sql`c.connection_id`)} then 'MAY_HAVE_ENDED' else 'ENDED' end
  end as grant_end
`;

/** The call that a platform refused because the grant has ended, and its answer. */
export interface GrantRefusal extends AnswerCause {
  readonly by: 'READ' | 'REFRESH';
}

/**
 * Destroys the tokens of an ended grant. If the grant was the current one of a connection, that connection moves to
 * RECONNECT_REQUIRED in the same transaction.
 * @param options.inDoubt whether the grant may be alive at the provider; see `doubtTokens`
 */
export async function moveGrantToDead(
  tx: Transaction,
  grantId: GrantId,
  { inDoubt = false, refusal }: { inDoubt?: boolean; refusal?: GrantRefusal } = {},
): Promise<void> {
  const because =
    refusal === undefined
      ? tx``
      : tx`, ended_by = ${refusal.by}, ended_answer = ${refusal.answer}, ended_answer_code = ${refusal.code}`;
  // In this order: the second begins when the first has the lock.
  const [, [buried]] = await Promise.all([
    tx`
      select from connection where connection_id = (select connection_id from account_grant where grant_id = ${grantId})
      for no key update
    `,
    tx`
      update account_grant set status = 'DEAD', sealed_tokens = null, ${forgetAccount(tx)},
        refresh_claim = ${inDoubt ? tx`coalesce(refresh_claim, gen_random_uuid())` : null},
        refresh_claimed_at = ${inDoubt ? tx`business_now()` : null} ${because}
      where grant_id = ${grantId} and status <> 'DEAD'
      returning connection_id
    `,
  ]);
  if (!buried?.connectionId) return;
  await tx`
    update connection set status = 'RECONNECT_REQUIRED', changed_at = business_now()
    where connection_id = ${buried.connectionId} and status = any(${[...sourcesOf('connection', 'RECONNECT_REQUIRED')]})
      and not exists (
        select from account_grant other
        where other.connection_id = connection.connection_id and other.status = 'LIVE'
      )
  `;
}

/** Selects live grants whose refresh token has expired and that are not being refreshed. */
const isExpired = (sql: Sql) => sql`
  status = 'LIVE' and refresh_expires_at <= business_now()
    and (refresh_claim is null or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
`;

/** Lists live grants with an expired refresh token. No other code may ever notice them. `id` is the connection's. */
export async function listExpiredGrants(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select connection_id as id, refresh_expires_at as due_at from account_grant where ${isExpired(sql)}
      ${pageClause(sql, sql`refresh_expires_at`, sql`connection_id`, page)}
  `;
}

/**
 * Destroys the tokens of expired grants and moves their connections to RECONNECT_REQUIRED. Skips connections that other
 * transactions hold and grants that are being refreshed; the next round handles them. @returns the number of grants.
 */
export async function moveExpiredGrantsToDead(tx: Transaction, connectionIds: readonly string[]): Promise<number> {
  // Connections first, in the order that all code locks them.
  const held = await listValues(tx, ConnectionId)`
    select connection_id from connection where connection_id = any(${[...connectionIds]}::uuid[])
    order by connection_id for no key update skip locked
  `;
  const ended = await listValues(tx, ConnectionId)`
    update account_grant set status = 'DEAD', sealed_tokens = null, ${forgetAccount(tx)}, refresh_claimed_at = null, ended_by = 'EXPIRY',
      refresh_claim = case when ${areFromOtherTimeline(tx)} then coalesce(refresh_claim, gen_random_uuid()) else refresh_claim end
    where connection_id = any(${held}::uuid[]) and ${isExpired(tx)}
    returning connection_id
  `;
  await tx`
    update connection set status = 'RECONNECT_REQUIRED', changed_at = business_now()
    where connection_id = any(${ended}::uuid[])
      and status = any(${[...sourcesOf('connection', 'RECONNECT_REQUIRED')]})
  `;
  return ended.length;
}

/** Forgets whose account it was. The keyed hashes stay, because a revoke and a notice need them. */
export const forgetAccount = (sql: Sql) => sql`profile = null, profile_observed_at = null, provider_account_id = null`;

/**
 * Moves a grant to REVOKING: only its tokens wait for the revoke, without a name.
 * @param _permit proves that the revoke ends no grant in use
 * @returns false if it is DEAD or REVOKING
 * already.
 */
export async function moveGrantToRevoking(tx: Transaction, grantId: GrantId, _permit: RevokePermit): Promise<boolean> {
  return await hasRows(tx)`
    update account_grant set status = 'REVOKING', ${forgetAccount(tx)}
    where grant_id = ${grantId} and status in ${listOf(tx, WANTED_GRANT)}
  `;
}
