import type { JobId } from '../ids.ts';
import { CLAIM_SECONDS, type Grant } from './grants.ts';
import type { Sql } from './sql.ts';
import { OPEN_JOB } from './transitions.ts';

/**
 * Keeps a grant's tokens with the job that could not revoke it: from now on the last copy there is. A refresh whose
 * answer was lost stays as uncertain as it was. Keeps nothing with a job that has ended meanwhile, or that a person's
 * erasure has reached: whoever asks may be slow, and behind the times.
 */
export async function keepTokens(
  sql: Sql,
  jobId: JobId,
  sealedTokens: string,
  { refreshClaim }: Pick<Grant, 'refreshClaim'>,
): Promise<void> {
  // The job's own claim was a revoke's, which leaves no doubt about the tokens.
  const claim = refreshClaim === jobId ? null : refreshClaim;
  await sql`
    update disconnect_job set sealed_tokens = ${sealedTokens}, refresh_claim = ${claim},
      refresh_claimed_at = ${claim === null ? null : sql`business_now()`}
    where job_id = ${jobId} and status = any(${[...OPEN_JOB]}) and erasure_id is null
  `;
}

/** The tokens kept with a job, sealed: the worker's alone to read. */
export async function findKeptTokens(sql: Sql, jobId: JobId): Promise<string | null> {
  const [row] = await sql`select sealed_tokens from disconnect_job where job_id = ${jobId}`;
  return (row?.sealedTokens ?? null) as string | null;
}

/** Claims the refresh of kept tokens before the provider is called. A claim whose answer was lost can be taken over. */
export async function claimKeptRefresh(sql: Sql, jobId: JobId, claim: string): Promise<boolean> {
  const rows = await sql`
    update disconnect_job set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where job_id = ${jobId} and sealed_tokens is not null
      and (refresh_claim is null or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
    returning job_id
  `;
  return rows.length > 0;
}

/** Stores what the refresh has yielded and gives its claim back. Nothing when the claim is no longer held. */
export async function updateKeptTokens(sql: Sql, jobId: JobId, claim: string, sealedTokens: string): Promise<void> {
  await sql`
    update disconnect_job set sealed_tokens = ${sealedTokens}, refresh_claim = null, refresh_claimed_at = null
    where job_id = ${jobId} and refresh_claim = ${claim}
  `;
}

/** Gives a claim back after a call that surely changed nothing at the provider. */
export async function unclaimKeptRefresh(sql: Sql, jobId: JobId, claim: string): Promise<void> {
  await sql`
    update disconnect_job set refresh_claim = null, refresh_claimed_at = null
    where job_id = ${jobId} and refresh_claim = ${claim}
  `;
}

/**
 * Destroys kept tokens, so that nobody is offered another try: what they are refused proves nothing any more, or they are
 * to be gone. @returns false when there were none.
 */
export async function discardKeptTokens(sql: Sql, jobId: JobId): Promise<boolean> {
  const { count } = await sql`
    update disconnect_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
    where job_id = ${jobId} and sealed_tokens is not null
  `;
  return count > 0;
}
