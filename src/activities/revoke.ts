import { randomUUID } from 'node:crypto';
import { isTokenRefused } from '../basics/failures.ts';
import type { JobId } from '../basics/ids.ts';
import { isGrantInUse } from '../domain/access/denial.ts';
import type { RevokePurpose } from '../domain/access/may-call.ts';
import { dispatchVerification } from '../domain/disconnecting/dispatch-verification.ts';
import { endDisconnectJob } from '../domain/disconnecting/end-disconnect-job.ts';
import { listReached } from '../domain/reach.ts';
import { ProviderError, type Tokens } from '../providers/provider.ts';
import { inTransaction, withCommit } from '../store/driver/sql.ts';
import { hasDoubtfulEnd, moveGrantToDead } from '../store/grants/grant-end.ts';
import { findGrant, type Grant } from '../store/grants/grants.ts';
import { discardKeptTokens, findKeptTokens } from '../store/grants/kept-tokens.ts';
import { hasExchangeInFlight } from '../store/grants/principals.ts';
import { claimRefresh, unclaimRefresh, updateRefreshClaim } from '../store/grants/refresh-claims.ts';
import {
  type DisconnectJob,
  type DisconnectJobEnd,
  findDisconnectJob,
  moveDisconnectJobToRunning,
} from '../store/jobs/disconnect-jobs.ts';
import { associatedData } from '../vault/associated-data.ts';
import { hasOwnWorkflow } from '../workflows/dispatches.ts';
import type { RevokeEnd } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { createLostRow } from './failures.ts';
import { openTokens } from './grant-tokens.ts';
import { nameInLog } from './log-context.ts';
import { logRecovery } from './log-tries.ts';
import { createStepSignal, requireTimeForRefresh } from './provider-activity.ts';
import { callAsClient } from './registration-calls.ts';
import { GrantInUse, requirePermit } from './require-permit.ts';
import { findRevokeEnd, type RevokeOutcome } from './revoke-end.ts';
import { revokeKept } from './revoke-kept.ts';
import { createRefreshUnderWayError, refreshClaimed } from './tokens.ts';

const EXCHANGE_PATIENCE_SECONDS = 5;

/** Revokes grants at the provider. */
export const createRevokeActivities = (deps: Deps) => ({
  /**
   * Tries once to revoke the job's grant. Ignores a pause and any policy: a revoke is always allowed. A grant that has
   * ended already counts as revoked. So does one that only the person can remove at the platform, with that creatorAction.
   * @returns how the job has ended, also if an earlier run settled it.
   * @throws `RetryLater` | `QuotaSpent` | `ClientRejected` | `ContractBroken` | `RowLost`
   */
  async tryRevoke({ jobId }: { jobId: JobId }): Promise<RevokeEnd | undefined> {
    const job = await moveDisconnectJobToRunning(deps.sql, jobId);
    if (!job) return await findEarlierEnd(deps, jobId);
    nameInLog(job, { jobId });
    const outcome = await revokeGrantOf(deps, job);
    const { ended, isFollowed } = await inTransaction(deps.sql, async (tx) => {
      if (job.grantId !== null) await moveGrantToDead(tx, job.grantId);
      if (outcome === 'unknowable') await discardKeptTokens(tx, jobId);
      // The erase of a disconnect starts the verification of its siblings; any other revoke starts it here.
      const isFollowed = hasOwnWorkflow(job) && !isGrantInUse(outcome) && (await dispatchVerification(deps, tx, job));
      const ended = endDisconnectJob(tx, jobId, toJobEnd(outcome, job, deps.facts[job.provider].canRevoke));
      await withCommit(tx, ended);
      return { ended, isFollowed };
    });
    if (isFollowed) deps.outbox.deliverSoon();
    const end = await ended;
    if (end?.status === 'SUCCEEDED') logRecovery(deps.log, end);
    return findRevokeEnd(end);
  },
});

/** @throws `RowLost` */
async function findEarlierEnd({ sql, log }: Deps, jobId: JobId): Promise<RevokeEnd | undefined> {
  const job = await findDisconnectJob(sql, jobId);
  if (job === undefined)
    throw createLostRow(log, 'The row of a revoke is lost: its grant may live at the platform', { jobId });
  return findRevokeEnd(job);
}

/** A grant that stays at the platform is stated in the receipt, unless only an attempt had made it, and its person uses another one. */
function toJobEnd(outcome: RevokeOutcome, { kind }: DisconnectJob, canRevoke: boolean): DisconnectJobEnd {
  if (outcome === 'unknowable' && canRevoke) {
    return { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER', errorCode: 'PROVIDER_UNAVAILABLE' };
  }
  if (outcome === 'IN_USE' && kind === 'COMPENSATION') return { status: 'SUCCEEDED', creatorAction: null };
  const left = outcome === 'impossible' || isGrantInUse(outcome) || !canRevoke;
  return { status: 'SUCCEEDED', creatorAction: left ? 'REMOVE_APP_AT_PROVIDER' : null };
}

async function revokeGrantOf(deps: Deps, job: DisconnectJob): Promise<RevokeOutcome> {
  const reached = await listReached(deps, deps.sql, job.registrationId);
  const purpose = { for: 'REVOKE', jobId: job.jobId, reached } as const;
  try {
    // Every try asks, since it may run days after the last one, and each request asks once more.
    if (job.spares) await requirePermit(deps.sql, purpose);
    const sealedTokens = job.keepsTokens ? await findKeptTokens(deps.sql, job.jobId) : null;
    return sealedTokens === null
      ? await revokeStored(deps, job, purpose)
      : await revokeKept(deps, job, sealedTokens, purpose);
  } catch (error) {
    if (error instanceof GrantInUse) return error.reason;
    throw error;
  }
}

/** Revokes the grant stored in its row. Meanwhile no activity refreshes it, and no exchange adds a new one. */
async function revokeStored(deps: Deps, job: DisconnectJob, purpose: RevokePurpose): Promise<RevokeOutcome> {
  const grant = job.grantId === null ? undefined : await findGrant(deps.sql, job.grantId);
  if (!grant || grant.status === 'DEAD' || grant.sealedTokens === null) {
    const isDoubtful =
      grant === undefined && job.connectionId !== null
        ? await hasDoubtfulEnd(deps.sql, job.connectionId)
        : grant?.refreshClaim !== null;
    return isDoubtful ? 'unknowable' : 'alreadyEnded';
  }
  if (await hasExchangeInFlight(deps.sql, grant.scopeId, grant.provider)) {
    throw new ProviderError('RetryLater', 'An exchange of the same scope is in flight.', {
      retryAfterSeconds: EXCHANGE_PATIENCE_SECONDS,
    });
  }
  if (grant.expiring) requireTimeForRefresh(); // The platform may want a fresh token.
  // The job's own claim comes from a try that crashed during the revoke. Any other expired claim comes from a lost refresh:
  // then our tokens prove nothing about the grant.
  const isBlind = grant.refreshLost && grant.refreshClaim !== job.jobId;
  const claim = isBlind ? randomUUID() : job.jobId;
  if (!(await claimRefresh(deps.sql, grant.grantId, grant.generation, claim))) throw createRefreshUnderWayError();
  try {
    const outcome = await revokeClaimed(deps, purpose, { ...grant, refreshLost: isBlind }, claim);
    return outcome === 'alreadyEnded' && isBlind ? 'unknowable' : outcome;
  } catch (error) {
    const isLost = error instanceof ProviderError && error.outcomeUnknown;
    // The next try finds the lost refresh by its expired claim, which does not delay it.
    if (!isLost) await unclaimRefresh(deps.sql, grant.grantId, claim, { inDoubt: isBlind });
    throw error;
  }
}

async function revokeClaimed(deps: Deps, purpose: RevokePurpose, grant: Grant, claim: string): Promise<RevokeOutcome> {
  const signal = createStepSignal();
  const send = (tokens: Tokens) =>
    callAsClient(deps, { ...grant, purpose }, { signal, whenRefused: 'CALL_ANYWAY' }, (client, meter) =>
      deps.providers[grant.provider].revoke(client, tokens, meter),
    );
  try {
    const { sealedTokens } = grant;
    if (sealedTokens === null) return 'alreadyEnded';
    return await send(await openTokens(deps, sealedTokens, associatedData.tokens(grant.grantId), grant));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.type === 'GrantDead') return 'alreadyEnded';
    if (error.type !== 'TokenStale') throw error;
  }
  requireTimeForRefresh();
  // The provider wants a fresh token: refresh once, claimed and stored like any other refresh, then try again.
  const refreshing = randomUUID();
  if (!(await updateRefreshClaim(deps.sql, grant.grantId, claim, refreshing))) throw createRefreshUnderWayError();
  try {
    return await send(await refreshClaimed(deps, grant, refreshing, { signal, purpose }));
  } catch (error) {
    if (error instanceof ProviderError && isTokenRefused(error.type)) return 'alreadyEnded';
    throw error;
  }
}
