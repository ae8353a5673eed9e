import { type AttemptId, type ConnectionId, type JobId, newId } from '../ids.ts';
import { attachGrant, findLiveConnectionOfAccount, mayAttach } from '../store/attachments.ts';
import {
  type Attempt,
  type AttemptEnd,
  cancelReconnects,
  endAttempt,
  findAttempt,
  type ResultCode,
} from '../store/attempts.ts';
import { isLettingGo, lockConnection } from '../store/connections.ts';
import { buryGrant, findGrantOfAttempt, type Grant, hasLiveSibling, releaseGrant } from '../store/grants.ts';
import { insertDispatch } from '../store/outbox.ts';
import { findScanInFlight, insertScan } from '../store/read-jobs.ts';
import { insertReleaseJob } from '../store/release-jobs.ts';
import { lockScopeById } from '../store/scopes.ts';
import { isPrincipalLettingGo } from '../store/siblings.ts';
import { inTransaction, type Transaction } from '../store/sql.ts';
import { scheduleUpkeep } from '../store/upkeep.ts';
import { readJobDispatch, revokeGrantDispatch } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';

export interface SettledAttempt {
  readonly status: 'COMPLETED' | 'DENIED' | 'FAILED' | 'EXPIRED' | 'CANCELED';
  readonly resultCode: ResultCode | null;
}

const FIRST_SCAN_ITEMS = 100;

/** How an attempt ends in the rows: as a connection, or with its grant handed to a compensating revoke. */
export const settleAttemptActivities = (deps: Deps) => ({
  /** Makes the connection, or says why there is none and gives the grant back, in one transaction. */
  async completeAttempt({ attemptId }: { attemptId: AttemptId }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, async (tx) => {
      const attempt = await findAttempt(tx, attemptId);
      if (!attempt) throw new Error('An attempt in progress is missing.');
      await lockScopeById(tx, attempt.scopeId);
      const grant = await findGrantOfAttempt(tx, attemptId);
      if (grant?.status !== 'PENDING') return await settledBefore(tx, attemptId);
      const refused = await whyNot(deps, tx, attempt, grant);
      if (refused !== null) return await endWithout(deps, tx, attempt, refused);
      return await connect(deps, tx, attempt, grant);
    });
    deps.outbox.nudge();
    return settled;
  },

  /** Ends an attempt without a connection; a grant it has yielded is given back. */
  async endAttempt({ attemptId, end }: { attemptId: AttemptId; end: AttemptEnd }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, async (tx) => {
      const attempt = await findAttempt(tx, attemptId);
      if (!attempt) throw new Error('An attempt in progress is missing.');
      await lockScopeById(tx, attempt.scopeId);
      return await endWithout(deps, tx, attempt, end);
    });
    deps.outbox.nudge();
    return settled;
  },
});

type Refusal = Exclude<AttemptEnd, { status: 'COMPLETED' }>;
const failed = (resultCode: ResultCode): Refusal => ({ status: 'FAILED', resultCode });

/** Why this grant may not become a connection now, or null. */
async function whyNot(deps: Deps, tx: Transaction, attempt: Attempt, grant: Grant): Promise<Refusal | null> {
  const facts = deps.facts[attempt.provider];
  const may = await mayAttach(tx, attempt);
  if (!may.allowed) return failed('POLICY_CHANGED');
  if (may.paused) return failed('REGISTRATION_PAUSED');
  const held =
    deps.suspendSiblings &&
    facts.holdsSiblingsOnDisconnect &&
    ((await isLettingGo(tx, attempt.scopeId, attempt.provider)) ||
      (await isPrincipalLettingGo(tx, grant.principalMac)));
  if (held) return failed('ACCOUNT_DISCONNECTING');
  if (grant.providerAccountId === null || grantedCapabilities(deps, attempt, grant).length === 0) {
    return failed('MISSING_PERMISSION');
  }
  if (attempt.reconnectConnectionId === null) return null;
  const target = await lockConnection(tx, attempt.scopeId, attempt.reconnectConnectionId);
  if (!target || target.status === 'DISCONNECTED' || target.status === 'DELETING') {
    return { status: 'CANCELED', resultCode: 'CANCELED' };
  }
  return target.providerAccountId === grant.providerAccountId ? null : failed('ACCOUNT_MISMATCH');
}

const grantedCapabilities = (deps: Deps, attempt: Attempt, grant: Grant) =>
  attempt.capabilities.filter((capability) => deps.facts[attempt.provider].isGranted(capability, grant.permissions));

async function connect(deps: Deps, tx: Transaction, attempt: Attempt, grant: Grant): Promise<SettledAttempt> {
  const capabilities = grantedCapabilities(deps, attempt, grant);
  const resultCode = capabilities.length < attempt.capabilities.length ? 'PARTIAL_PERMISSION' : null;
  const existing = await findLiveConnectionOfAccount(tx, attempt, grant);
  const connectionId = existing ?? newId<ConnectionId>();
  if (!(await endAttempt(tx, attempt.attemptId, { status: 'COMPLETED', resultCode, connectionId }))) {
    return await endWithout(deps, tx, attempt, { status: 'EXPIRED', resultCode: 'EXPIRED' });
  }
  const superseded = await attachGrant(tx, {
    attempt,
    grant,
    connectionId,
    capabilities,
    isNew: existing === undefined,
  });
  await scheduleUpkeep(tx, connectionId);
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

async function endWithout(deps: Deps, tx: Transaction, attempt: Attempt, end: AttemptEnd): Promise<SettledAttempt> {
  const grant = await findGrantOfAttempt(tx, attempt.attemptId);
  // A grant may live on at the provider that we cannot give back, or of which we have never heard.
  const lost = grant === undefined && attempt.exchangeClaimedAt !== null;
  const kept = lost || (grant?.status === 'PENDING' && !deps.facts[attempt.provider].canRevoke);
  const creatorAction = kept ? { creatorAction: 'REMOVE_APP_AT_PROVIDER' as const } : {};
  await endAttempt(tx, attempt.attemptId, end.status === 'COMPLETED' ? end : { ...end, ...creatorAction });
  if (grant?.status === 'PENDING') await giveBack(tx, grant, attempt);
  return await settledBefore(tx, attempt.attemptId);
}

async function settledBefore(tx: Transaction, attemptId: AttemptId): Promise<SettledAttempt> {
  const attempt = await findAttempt(tx, attemptId);
  if (!attempt) throw new Error('An attempt in progress is missing.');
  return { status: attempt.status as SettledAttempt['status'], resultCode: attempt.resultCode as ResultCode | null };
}

/**
 * Hands a grant that is not to be kept to a compensating revoke, a job of its own that outlives the attempt. Where
 * another grant in use stands behind the same principal, a revoke would kill that too: then its tokens are destroyed.
 */
async function giveBack(tx: Transaction, grant: Grant, attempt: Attempt): Promise<void> {
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
