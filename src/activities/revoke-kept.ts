import { randomUUID } from 'node:crypto';
import { isTokenRefused } from '../basics/failures.ts';
import type { RevokePurpose } from '../domain/access/may-call.ts';
import { ProviderError, type Tokens } from '../providers/provider.ts';
import { findGrant } from '../store/grants/grants.ts';
import {
  claimKeptRefresh,
  findKeptTokens,
  keepTokens,
  unclaimKeptRefresh,
  updateKeptTokens,
} from '../store/grants/kept-tokens.ts';
import type { DisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import { associatedData } from '../vault/associated-data.ts';
import type { Deps } from './deps.ts';
import { openTokens, sealTokens, storeWithRetries } from './grant-tokens.ts';
import { createStepSignal, requireTimeForRefresh } from './provider-activity.ts';
import { callAsClient } from './registration-calls.ts';
import type { RevokeOutcome } from './revoke-end.ts';
import { createAnswerLostError, createRefreshUnderWayError } from './tokens.ts';

/** Moves a grant's tokens to the job that could not revoke it, so that the erase can delete the rest. */
export async function keepTokensWithJob(deps: Deps, job: DisconnectJob): Promise<void> {
  const grant = job.grantId === null ? undefined : await findGrant(deps.sql, job.grantId);
  if (!grant?.sealedTokens || (await findKeptTokens(deps.sql, job.jobId)) !== null) return;
  const tokens = await openTokens(deps, grant.sealedTokens, associatedData.tokens(grant.grantId), grant);
  await keepTokens(deps.sql, job.jobId, await sealTokens(deps, tokens, associatedData.keptTokens(job.jobId)), grant);
}

/**
 * Retries a failed revoke with the tokens kept in its job. If a refresh has lost its answer, they may be spent: then a
 * refusal proves nothing (`unknowable`).
 */
export async function revokeKept(
  deps: Deps,
  job: DisconnectJob,
  sealedTokens: string,
  purpose: RevokePurpose,
): Promise<RevokeOutcome> {
  requireTimeForRefresh(); // The tokens are days old: most platforms want fresh ones.
  if (job.refreshClaim !== null && !job.refreshLost) throw createRefreshUnderWayError();
  const tokens = await openTokens(deps, sealedTokens, associatedData.keptTokens(job.jobId), {
    accessExpiresAt: null,
    refreshExpiresAt: null,
    permissions: [],
  });
  const ended: RevokeOutcome = job.refreshLost ? 'unknowable' : 'alreadyEnded';
  const signal = createStepSignal();
  const caller = { ...job, purpose };
  const send = (held: Tokens) =>
    callAsClient(deps, caller, { signal, whenRefused: 'CALL_ANYWAY' }, (client, meter) =>
      deps.providers[job.provider].revoke(client, held, meter),
    );
  try {
    const outcome = await send(tokens);
    return outcome === 'alreadyEnded' ? ended : outcome;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.type === 'GrantDead') return ended;
    if (error.type !== 'TokenStale' || tokens.refreshToken === null) throw error;
  }
  let fresh: Tokens;
  try {
    fresh = await refreshKept(deps, caller, tokens, signal);
  } catch (error) {
    if (error instanceof ProviderError && error.type === 'GrantDead') return ended;
    throw error;
  }
  try {
    return await send(fresh);
  } catch (error) {
    if (error instanceof ProviderError && isTokenRefused(error.type)) return 'alreadyEnded';
    throw error;
  }
}

/** Refreshes kept tokens. Claims them in the row before the call and stores them before use, so that a crash leaves a trace. */
async function refreshKept(
  deps: Deps,
  job: DisconnectJob & { readonly purpose: RevokePurpose },
  old: Tokens,
  signal: AbortSignal,
): Promise<Tokens> {
  const claim = randomUUID();
  if (!(await claimKeptRefresh(deps.sql, job.jobId, claim))) throw createRefreshUnderWayError();
  let fresh: Tokens;
  try {
    fresh = await callAsClient(deps, job, { signal, whenRefused: 'CALL_ANYWAY' }, (client, meter) =>
      deps.providers[job.provider].refresh(client, old, meter),
    );
  } catch (error) {
    if (error instanceof ProviderError && error.outcomeUnknown) throw createAnswerLostError();
    // The answer of an earlier refresh stays lost.
    if (!job.refreshLost) await unclaimKeptRefresh(deps.sql, job.jobId, claim);
    throw error;
  }
  const sealed = await sealTokens(deps, fresh, associatedData.keptTokens(job.jobId));
  await storeWithRetries(signal, () => updateKeptTokens(deps.sql, job.jobId, claim, sealed));
  return fresh;
}
