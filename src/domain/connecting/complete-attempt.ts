import { type AttemptId, type ConnectionId, type JobId, newId } from '../../ids.ts';
import { readJobDispatch, revokeGrantDispatch } from '../../outbox/dispatches.ts';
import { attachGrant, findLiveConnectionOfAccount } from '../../store/attachments.ts';
import {
  type Attempt,
  type AttemptEnd,
  addCreatorAction,
  cancelReconnects,
  endAttempt as endAttemptRow,
  findAttempt,
  type ResultCode,
} from '../../store/attempts.ts';
import {
  buryGrant,
  findGrantOfAttempt,
  type Grant,
  hasLiveSibling,
  lockPrincipal,
  releaseGrant,
} from '../../store/grants.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { findScanInFlight, insertScan } from '../../store/read-jobs.ts';
import { insertReleaseJob } from '../../store/release-jobs.ts';
import { lockScopeById } from '../../store/scopes.ts';
import type { Transaction } from '../../store/sql.ts';
import { scheduleUpkeep } from '../../store/upkeep.ts';
import { cancelUnservedJobs } from '../reading/end-read-job.ts';
import { type AttemptRules, findCompletionHindrance, grantedCapabilities } from './permit-attempt.ts';

export interface SettledAttempt {
  readonly status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED';
  readonly resultCode: ResultCode | null;
}

/** Any end but a connection. */
export type Refusal = Exclude<AttemptEnd, { status: 'COMPLETED' }>;

/** Its row went 24 hours after its creation, or with its person's data: nobody can read a result any more. */
const GONE: SettledAttempt = { status: 'EXPIRED', resultCode: 'EXPIRED' };

const FIRST_SCAN_ITEMS = 100;

/** Makes the connection, or says why there is none and gives the grant back. Tell the outbox when it has committed. */
export async function completeAttempt(
  rules: AttemptRules,
  tx: Transaction,
  attemptId: AttemptId,
): Promise<SettledAttempt> {
  const attempt = await lockAttempt(tx, attemptId);
  if (attempt === undefined) return GONE;
  const grant = await findGrantOfAttempt(tx, attemptId);
  if (grant?.status !== 'PENDING') return await settledBefore(tx, attemptId);
  const refused = await findCompletionHindrance(rules, tx, attempt, grant);
  if (refused !== null) return await endWithout(rules, tx, attempt, refused);
  return await connect(rules, tx, attempt, grant);
}

/** Ends an attempt without a connection; a grant it has yielded is given back. Tell the outbox when it has committed. */
export async function endAttempt(
  rules: AttemptRules,
  tx: Transaction,
  attemptId: AttemptId,
  end: Refusal,
): Promise<SettledAttempt> {
  const attempt = await lockAttempt(tx, attemptId);
  return attempt === undefined ? GONE : await endWithout(rules, tx, attempt, end);
}

/** The attempt as it stands under its scope's lock. */
async function lockAttempt(tx: Transaction, attemptId: AttemptId): Promise<Attempt | undefined> {
  const seen = await findAttempt(tx, attemptId);
  if (seen === undefined) return undefined;
  await lockScopeById(tx, seen.scopeId);
  return await findAttempt(tx, attemptId);
}

async function connect(rules: AttemptRules, tx: Transaction, attempt: Attempt, grant: Grant): Promise<SettledAttempt> {
  const capabilities = grantedCapabilities(rules, attempt, grant);
  const resultCode = capabilities.length < attempt.capabilities.length ? 'PARTIAL_PERMISSION' : null;
  const existing = await findLiveConnectionOfAccount(tx, attempt, grant);
  const connectionId = existing ?? newId<ConnectionId>();
  if (!(await endAttemptRow(tx, attempt.attemptId, { status: 'COMPLETED', resultCode, connectionId }))) {
    return await endWithout(rules, tx, attempt, { status: 'EXPIRED', resultCode: 'EXPIRED' });
  }
  const superseded = await attachGrant(tx, {
    attempt,
    grant,
    connectionId,
    capabilities,
    isNew: existing === undefined,
  });
  await scheduleUpkeep(tx, connectionId);
  await cancelUnservedJobs(tx, connectionId, capabilities);
  for (const old of superseded) await giveBack(tx, old, attempt);
  await cancelReconnects(tx, connectionId, attempt.attemptId);
  if (capabilities.includes('CONTENT_LIST') && !(await findScanInFlight(tx, connectionId))) {
    const { appId, provider, correlationId } = attempt;
    const scan = await insertScan(tx, {
      connectionId,
      appId,
      provider,
      correlationId,
      requestedBy: 'SERVICE',
      window: null,
      maxItems: FIRST_SCAN_ITEMS,
      continues: null,
    });
    await insertDispatch(tx, readJobDispatch(scan));
  }
  return { status: 'COMPLETED', resultCode };
}

async function endWithout(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
  end: Refusal,
): Promise<SettledAttempt> {
  const { attemptId, provider, exchangeClaimedAt } = attempt;
  const grant = await findGrantOfAttempt(tx, attemptId);
  // A grant may live on at the provider that we cannot give back, or of which we have never heard.
  const lost = grant === undefined && exchangeClaimedAt !== null;
  const kept = lost || (grant?.status === 'PENDING' && !rules.facts[provider].canRevoke);
  // Whatever ended the wait for its answer: the outcome of the exchange is not known.
  const asked: Refusal = lost && end.status === 'FAILED' ? { ...end, resultCode: 'EXCHANGE_FAILED' } : end;
  await endAttemptRow(tx, attemptId, kept ? { ...asked, creatorAction: 'REMOVE_APP_AT_PROVIDER' } : asked);
  if (kept) await addCreatorAction(tx, attemptId);
  if (grant?.status === 'PENDING') await giveBack(tx, grant, attempt);
  return await settledBefore(tx, attemptId);
}

async function settledBefore(tx: Transaction, attemptId: AttemptId): Promise<SettledAttempt> {
  const attempt = await findAttempt(tx, attemptId);
  if (!attempt) return GONE;
  return { status: attempt.status as SettledAttempt['status'], resultCode: attempt.resultCode as ResultCode | null };
}

/**
 * Hands a grant that is not to be kept to a compensating revoke, a job of its own that outlives the attempt. Where
 * another grant in use stands behind the same principal, a revoke would kill that too: then its tokens are destroyed.
 */
async function giveBack(tx: Transaction, grant: Grant, attempt: Attempt): Promise<void> {
  // Two that fail at once must not each leave the revoke to the other.
  await lockPrincipal(tx, grant.principalMac);
  if (await hasLiveSibling(tx, grant)) return await buryGrant(tx, grant.grantId);
  if (!(await releaseGrant(tx, grant.grantId))) return;
  const jobId = newId<JobId>();
  const { appId, provider, correlationId } = attempt;
  await insertReleaseJob(tx, {
    jobId,
    kind: 'COMPENSATION',
    connectionId: null,
    grantId: grant.grantId,
    attemptId: attempt.attemptId,
    appId,
    provider,
    registrationId: grant.registrationId,
    scopeId: grant.scopeId,
    principalMac: grant.principalMac,
    scopeMac: null,
    correlationId,
  });
  await insertDispatch(
    tx,
    revokeGrantDispatch({ jobId, grantId: grant.grantId, run: 1, provider, appId, correlationId }),
  );
}
