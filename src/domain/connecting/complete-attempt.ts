import { isUnfinishedAttempt } from '../../basics/codes.ts';
import type { ResultCode } from '../../basics/failure-codes.ts';
import { type AttemptId, type ConnectionId, type JobId, newId } from '../../basics/ids.ts';
import type { RevokePermit } from '../../providers/provider.ts';
import {
  type Attempt,
  cancelReconnects,
  connectAttempts,
  isNoticedDuringExchange,
  moveAttemptToEnd,
  updateCreatorAction,
} from '../../store/attempts/attempts.ts';
import { attachGrant, lockConnectionByAccount } from '../../store/connections/attach-grant.ts';
import { scheduleRefreshes } from '../../store/connections/automatic-refresh.ts';
import { scheduleUpkeep } from '../../store/connections/upkeep.ts';
import { byteaArray } from '../../store/driver/bytea-array.ts';
import { getBusinessTime, type Transaction } from '../../store/driver/sql.ts';
import { moveGrantToDead, moveGrantToRevoking } from '../../store/grants/grant-end.ts';
import { findGrantOfAttempt, type Grant } from '../../store/grants/grants.ts';
import { hasNewerConsent, lockPrincipal } from '../../store/grants/principals.ts';
import { insertDisconnectJob } from '../../store/jobs/disconnect-jobs.ts';
import { insertScan } from '../../store/jobs/new-reads.ts';
import { findScanInFlight } from '../../store/jobs/read-jobs.ts';
import { moveSyncToPending } from '../../store/jobs/scans.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { lockScopeById } from '../../store/scopes.ts';
import { buildDispatch, buildReadJobDispatch } from '../../workflows/dispatches.ts';
import type { SettledAttempt } from '../../workflows/results.ts';
import { type Denial, type GrantInUseReason, isDenial } from '../access/denial.ts';
import { mayRevoke } from '../access/may-call.ts';
import {
  type AttemptRules,
  listGrantedCapabilities,
  mayComplete,
  type UnsuccessfulEnd,
} from '../access/may-connect.ts';
import { listReached, listReachedAccountMacs } from '../reach.ts';
import { cancelUnservedJobs } from '../reading/end-read-job.ts';

const FIRST_SCAN_ITEMS = 100;

/**
 * Creates the connection, or records why there is none and revokes the grant. Wake the outbox after the commit.
 * @returns undefined if the attempt's row is gone.
 */
export async function completeAttempt(
  rules: AttemptRules,
  tx: Transaction,
  attemptId: AttemptId,
): Promise<SettledAttempt | undefined> {
  const locked = await lockAttempt(tx, attemptId);
  if (locked === undefined) return undefined;
  const { attempt, grant } = locked;
  if (grant?.status !== 'PENDING') return await getSettled(tx, attemptId);
  // A disconnect of the same principal in another scope takes this lock too, so that each sees the other.
  await lockPrincipal(tx, grant.principalMac);
  const denial = await mayComplete(rules, tx, attempt, grant);
  if (denial !== undefined) {
    const status = denial.reason === 'CANCELED' ? 'CANCELED' : 'FAILED';
    return await end(rules, tx, locked, { status, resultCode: denial.reason });
  }
  return await connect(rules, tx, attempt, grant);
}

/**
 * Ends an attempt without a connection and revokes its grant, if there is one. Wake the outbox after the commit.
 * @returns undefined if the attempt's row is gone.
 */
export async function endWithoutConnection(
  rules: AttemptRules,
  tx: Transaction,
  attemptId: AttemptId,
  outcome: UnsuccessfulEnd,
): Promise<SettledAttempt | undefined> {
  const locked = await lockAttempt(tx, attemptId);
  return locked === undefined ? undefined : await end(rules, tx, locked, outcome);
}

/** An attempt whose scope is locked, and the grant that it has obtained. */
interface Locked {
  readonly attempt: Attempt;
  readonly grant: Grant | undefined;
}

/** Locks the attempt's scope and reads the attempt under that lock. */
async function lockAttempt(tx: Transaction, attemptId: AttemptId): Promise<Locked | undefined> {
  const seen = await connectAttempts.find(tx, attemptId);
  if (seen === undefined) return undefined;
  await lockScopeById(tx, seen.scopeId);
  const [attempt, grant] = await Promise.all([connectAttempts.find(tx, attemptId), findGrantOfAttempt(tx, attemptId)]);
  return attempt && { attempt, grant };
}

async function connect(
  rules: AttemptRules,
  tx: Transaction,
  attempt: Attempt,
  grant: Grant,
): Promise<SettledAttempt | undefined> {
  const capabilities = listGrantedCapabilities(rules, attempt, grant);
  const resultCode = capabilities.length < attempt.capabilities.length ? 'PARTIAL_PERMISSION' : null;
  const existing = await lockConnectionByAccount(tx, attempt, grant);
  if (existing !== undefined && (await hasNewerConsent(tx, existing, attempt))) {
    return await end(rules, tx, { attempt, grant }, { status: 'CANCELED', resultCode: 'CANCELED' });
  }
  const connectionId = existing ?? newId<ConnectionId>();
  if (!(await moveAttemptToEnd(tx, attempt.attemptId, { status: 'COMPLETED', resultCode, connectionId }))) {
    return await end(rules, tx, { attempt, grant }, { status: 'EXPIRED', resultCode: 'EXPIRED' });
  }
  const superseded = await attachGrant(tx, {
    attempt,
    grant,
    connectionId,
    capabilities,
    isNew: existing === undefined,
  });
  const [scanInFlight] = await Promise.all([
    findScanInFlight(tx, connectionId),
    scheduleUpkeep(tx, connectionId),
    scheduleRefreshes(tx, [connectionId]),
    cancelUnservedJobs(tx, connectionId, capabilities),
    cancelReconnects(tx, connectionId, attempt),
  ]);
  for (const old of superseded) {
    const unused = { ...old, providerAccountId: grant.providerAccountId };
    await leaveUnused(tx, unused, attempt, await decideUnused(rules, tx, unused));
  }
  const { appId, provider, correlationId } = attempt;
  if (await isNoticedDuringExchange(tx, attempt.attemptId)) {
    const reportedAt = await getBusinessTime(tx);
    await insertDispatch(
      tx,
      buildDispatch('verifyGrant', { connectionId, provider, reportedAt, appId, correlationId }),
    );
  }
  if (capabilities.includes('CONTENT_LIST') && !scanInFlight) {
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
    await insertDispatch(tx, buildReadJobDispatch(scan));
    if (existing !== undefined) await moveSyncToPending(tx, connectionId);
  }
  return { status: 'COMPLETED', resultCode };
}

async function end(
  rules: AttemptRules,
  tx: Transaction,
  { attempt, grant }: Locked,
  outcome: UnsuccessfulEnd,
): Promise<SettledAttempt | undefined> {
  const { attemptId, provider, exchangeClaimedAt } = attempt;
  // The exchange was sent and its answer lost, so its outcome is unknown.
  const lost = grant === undefined && exchangeClaimedAt !== null;
  const unused = grant?.status === 'PENDING' ? await decideUnused(rules, tx, grant) : undefined;
  // A grant may stay active at the provider if we cannot or may not revoke it, or never received it. One in use must stay.
  const reason = unused && isDenial(unused.permit) ? unused.permit.reason : undefined;
  const isLeft = unused !== undefined && reason !== 'IN_USE';
  const mayStay = lost || (isLeft && (reason === 'UNPROVEN' || !rules.facts[provider].canRevoke));
  await moveAttemptToEnd(tx, attemptId, mayStay ? { ...outcome, creatorAction: 'REMOVE_APP_AT_PROVIDER' } : outcome);
  const settled = await getSettled(tx, attemptId);
  if (settled === undefined || settled.status === 'UNFINISHED') return settled;
  if (mayStay) await updateCreatorAction(tx, attemptId);
  if (grant && unused) await leaveUnused(tx, grant, attempt, unused);
  return settled;
}

async function getSettled(tx: Transaction, attemptId: AttemptId): Promise<SettledAttempt | undefined> {
  const attempt = await connectAttempts.find(tx, attemptId);
  if (!attempt) return undefined;
  const status = isUnfinishedAttempt(attempt.status) ? 'UNFINISHED' : attempt.status;
  return { status, resultCode: attempt.resultCode as ResultCode | null };
}

interface Decided {
  readonly permit: RevokePermit | Denial<GrantInUseReason>;
  readonly accountMacs: readonly Buffer[];
}

/** Decides whether to revoke, keep or discard a grant that no connection uses. */
async function decideUnused(rules: AttemptRules, tx: Transaction, grant: Grant): Promise<Decided> {
  // Without the lock, two attempts that fail at once could each rely on the other for the revoke.
  await lockPrincipal(tx, grant.principalMac);
  const { registrationId, providerAccountId } = grant;
  const reached = await listReached(rules, tx, registrationId);
  const accountMacs = providerAccountId === null ? [] : listReachedAccountMacs(rules, reached, providerAccountId);
  const revocable = { ...grant, reached, accountMacs: byteaArray(tx, accountMacs), bulkDisconnectId: null };
  return { permit: await mayRevoke(tx, revocable), accountMacs };
}

/**
 * Starts a compensating revoke of a grant that becomes no connection: a job of its own that outlives the attempt. If
 * the revoke could end another grant, the tokens are discarded instead.
 */
async function leaveUnused(
  tx: Transaction,
  grant: Grant,
  attempt: Attempt,
  { permit, accountMacs }: Decided,
): Promise<void> {
  if (isDenial(permit)) return await moveGrantToDead(tx, grant.grantId);
  if (!(await moveGrantToRevoking(tx, grant.grantId, permit))) return;
  const jobId = newId<JobId>();
  const run = 1;
  const { appId, provider, correlationId } = attempt;
  await insertDisconnectJob(tx, {
    jobId,
    kind: 'COMPENSATION',
    connectionId: null,
    grantId: grant.grantId,
    run,
    attemptId: attempt.attemptId,
    appId,
    provider,
    registrationId: grant.registrationId,
    scopeId: grant.scopeId,
    principalMac: grant.principalMac,
    accountMacs,
    spares: true,
    scopeMac: null,
    correlationId,
  });
  await insertDispatch(
    tx,
    buildDispatch('revokeGrant', { jobId, grantId: grant.grantId, run, provider, appId, correlationId }),
  );
}
