import { z } from 'zod';
import { OPEN_JOB } from '../../basics/codes.ts';
import type { JobId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { findValue, hasRows } from '../rows.ts';
import type { Grant } from './grants.ts';
import { CLAIM_SECONDS } from './refresh-claims.ts';

/**
 * Stores a grant's tokens with the job that failed to revoke it: this is the last copy. A refresh with a lost response
 * stays uncertain. A job that has ended, or belongs to an erasure, keeps no tokens: a slow worker may not have seen
 * that.
 */
export async function keepTokens(
  sql: Sql,
  jobId: JobId,
  sealedTokens: string,
  { grantId, refreshClaim }: Pick<Grant, 'grantId' | 'refreshClaim'>,
): Promise<void> {
  // The job's own claim belongs to a revoke, which leaves the tokens certain.
  const claim = refreshClaim === jobId ? null : refreshClaim;
  await sql`
    update disconnect_job set sealed_tokens = ${sealedTokens}, refresh_claim = ${claim},
      refresh_claimed_at = ${claim === null ? null : sql`business_now()`},
      tokens_timeline = (select tokens_timeline from account_grant where grant_id = ${grantId})
    where job_id = ${jobId} and status = any(${[...OPEN_JOB]}) and erasure_id is null
  `;
}

/** The sealed tokens kept with a job, which only the worker may read. */
export async function findKeptTokens(sql: Sql, jobId: JobId): Promise<string | null> {
  const tokens = await findValue(sql, z.string().nullable())`
    select sealed_tokens from disconnect_job where job_id = ${jobId}
  `;
  return tokens ?? null;
}

/**
 * Claims the refresh of kept tokens before the call to the provider. Another call can take over a claim with a lost response.
 */
export async function claimKeptRefresh(sql: Sql, jobId: JobId, claim: string): Promise<boolean> {
  return await hasRows(sql)`
    update disconnect_job set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where job_id = ${jobId} and sealed_tokens is not null
      and (refresh_claim is null or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
  `;
}

/** Stores refreshed tokens and ends the claim; does nothing if the claim was lost. */
export async function updateKeptTokens(sql: Sql, jobId: JobId, claim: string, sealedTokens: string): Promise<void> {
  await sql`
    update disconnect_job set sealed_tokens = ${sealedTokens}, refresh_claim = null, refresh_claimed_at = null,
      tokens_timeline = current_timeline()
    where job_id = ${jobId} and refresh_claim = ${claim}
  `;
}

/** Ends a claim after a call that certainly changed nothing at the provider. */
export async function unclaimKeptRefresh(sql: Sql, jobId: JobId, claim: string): Promise<void> {
  await sql`
    update disconnect_job set refresh_claim = null, refresh_claimed_at = null
    where job_id = ${jobId} and refresh_claim = ${claim}
  `;
}

/**
 * Destroys kept tokens, so that the revoke cannot be retried: a refusal of them proves nothing, or they are due for
 * deletion. @returns false if there were none.
 */
export async function discardKeptTokens(sql: Sql, jobId: JobId): Promise<boolean> {
  return await hasRows(sql)`
    update disconnect_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
    where job_id = ${jobId} and sealed_tokens is not null
  `;
}
