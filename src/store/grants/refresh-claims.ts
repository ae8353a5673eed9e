import type { GrantId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { hasRows } from '../rows.ts';

/** Longer than a refresh can take, including storing its tokens. */
export const CLAIM_SECONDS = 90;

/** Selects tokens that were stored before a fail-over, which may have lost newer ones (D-287). */
export const areFromOtherTimeline = (sql: Sql) => sql`coalesce(tokens_timeline <> current_timeline(), false)`;

/** `refreshLost` of a grant, and of the tokens that a job keeps. A claim that a grant's end by the clock kept has no time. */
export const isRefreshLost = (sql: Sql) => sql`
  refresh_claim is not null
    and coalesce(refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}), true)
    or ${areFromOtherTimeline(sql)}
`;

/**
 * Claims the refresh of token set `generation` before the call to the provider: of all users of a grant, in all
 * workers, exactly one refreshes. A claim whose response was lost can be taken over, and a revoke's claim, which is its
 * job's id, by its next try.
 */
export async function claimRefresh(sql: Sql, grantId: GrantId, generation: number, claim: string): Promise<boolean> {
  return await hasRows(sql)`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${grantId} and generation = ${generation} and status <> 'DEAD'
      and (refresh_claim is null or refresh_claim = ${claim}
        or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
  `;
}

interface RefreshedTokens {
  readonly sealedTokens: string;
  readonly permissions: readonly string[];
  readonly accessExpiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
}

/** Stores the new token set and ends the claim. @returns false if the claim was lost. */
export async function updateTokens(
  sql: Sql,
  grantId: GrantId,
  claim: string,
  fresh: RefreshedTokens,
): Promise<boolean> {
  return await hasRows(sql)`
    update account_grant set sealed_tokens = ${fresh.sealedTokens}, permissions = ${[...fresh.permissions]},
      access_expires_at = ${fresh.accessExpiresAt}, refresh_expires_at = ${fresh.refreshExpiresAt},
      generation = generation + 1, refresh_claim = null, refresh_claimed_at = null,
      tokens_timeline = current_timeline()
    where grant_id = ${grantId} and refresh_claim = ${claim} and status <> 'DEAD'
  `;
}

/**
 * Ends a claim after a call that certainly changed nothing at the provider.
 * @param options.inDoubt whether the claim was taken over from a refresh with a lost response: the tokens stay uncertain
 */
export async function unclaimRefresh(
  sql: Sql,
  grantId: GrantId,
  claim: string,
  { inDoubt = false }: { inDoubt?: boolean } = {},
): Promise<void> {
  await sql`
    update account_grant set refresh_claim = ${inDoubt ? claim : null},
      refresh_claimed_at = ${inDoubt ? sql`business_now() - make_interval(secs => ${CLAIM_SECONDS})` : null}
    where grant_id = ${grantId} and refresh_claim = ${claim}
  `;
}

/** Replaces a held claim by another, and renews it. @returns false if the claim was lost. */
export async function updateRefreshClaim(sql: Sql, grantId: GrantId, held: string, claim: string): Promise<boolean> {
  return await hasRows(sql)`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${grantId} and refresh_claim = ${held}
  `;
}

/**
 * Marks the tokens of a grant as perhaps replaced at the provider by others that are lost, as after a refresh with a lost
 * response: a refusal of them proves nothing.
 */
export async function doubtTokens(sql: Sql, grantIds: readonly GrantId[]): Promise<void> {
  await sql`
    update account_grant set refresh_claim = gen_random_uuid(),
      refresh_claimed_at = business_now() - make_interval(secs => ${CLAIM_SECONDS})
    where grant_id = any(${[...grantIds]}::uuid[]) and refresh_claim is null
  `;
}
