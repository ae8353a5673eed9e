import { ApplicationFailure } from '@temporalio/common';
import { ruleOf } from '../basics/failures.ts';
import type { ConnectionId, JobId } from '../basics/ids.ts';
import { mayReadAccount } from '../domain/access/may-read.ts';
import { listReached } from '../domain/reach.ts';
import { ProviderError } from '../providers/provider.ts';
import {
  type ConnectionWithFacts,
  findConnection,
  lockConnectionById,
  resumeCapabilities,
  UNUSABLE,
  updateCapability,
  updateProfile,
} from '../store/connections/connections.ts';
import { recordFailedProof } from '../store/connections/proofs.ts';
import { listSiblings, resumeSibling } from '../store/connections/siblings.ts';
import { postponeUpkeep, scheduleUpkeep } from '../store/connections/upkeep.ts';
import { inTransaction, type Transaction } from '../store/driver/sql.ts';
import { findGrantOfConnection, type Grant } from '../store/grants/grants.ts';
import { findDisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import { followWithdrawal, recheckWithdrawn, withdrawUngranted } from './capabilities.ts';
import type { Deps } from './deps.ts';
import { createStepSignal } from './provider-activity.ts';
import { requirePermit, toRefusal } from './require-permit.ts';
import { callWithFreshToken, refreshTokens } from './tokens.ts';

/** Checks grants at their provider. */
export const createGrantActivities = (deps: Deps) => ({
  /**
   * Asks the provider whether a connection's grant is alive: refreshes its token if needed, reads its account and stores
   * the profile. If only the refresh fails, it reads with the token that still lives, and then fails. It stores nothing of
   * an answer about another account. A dead grant moves the connection to RECONNECT_REQUIRED. A successful refresh proves
   * that the grant is alive: then a suspended connection resumes even if the quota is used up, and only its profile waits.
   * Where app, tenant, policy or registration do not allow the read, the refresh alone keeps the grant alive.
   * @throws `GrantDead` | `RetryLater` | `QuotaSpent` | `ClientRejected` | `ContractBroken` | `PermissionMissing`; without
   * a refresh also `NotWanted` | `NotAllowed` | `Paused`
   */
  async checkGrant({ connectionId }: { connectionId: ConnectionId }): Promise<void> {
    const { sql } = deps;
    const connection = await findConnection(sql, connectionId);
    const grant = await findGrantOfConnection(sql, connectionId);
    if (!connection || grant?.status !== 'LIVE') return; // Disconnected, or known to be dead, in the meantime.
    const signal = createStepSignal();
    const isUnproven = async (error: unknown): Promise<never> => {
      if (isFailedProof(error)) await recordFailedProof(sql, connectionId);
      throw error;
    };
    const refresh = grant.longLived ? undefined : await tryRefresh(deps, grant, signal).catch(isUnproven);
    try {
      await renewProfile(deps, { connection, grant, refresh }, signal);
    } catch (error) {
      if (refresh?.failure !== null) return await isUnproven(error); // Nothing proves that the grant is alive.
      const shows = getShown(error);
      if (shows === 'NO_QUOTA' || shows === 'FORBIDDEN')
        await inTransaction(sql, (tx) => resume(deps, tx, connectionId));
      if (shows !== 'FORBIDDEN') throw error;
      await postponeUpkeep(sql, connectionId, FORBIDDEN_PAUSE_SECONDS, { hasFailed: false });
    }
  },
});

const resume = (deps: Deps, tx: Transaction, connectionId: ConnectionId): Promise<boolean> =>
  resumeSibling(tx, connectionId, (sql, registrationId) => listReached(deps, sql, registrationId));

/** The state of the grant that the failed check shows. */
const getShown = (error: unknown) =>
  error instanceof ProviderError || error instanceof ApplicationFailure ? ruleOf(error.type).grant.shows : undefined;

/** The platform has answered, and has neither accepted the token nor ended the grant. */
const isFailedProof = (error: unknown): boolean => {
  const shows = error instanceof ProviderError ? getShown(error) : 'NOT_ASKED';
  return shows !== 'DEAD' && shows !== 'NOT_ASKED' && shows !== 'ALIVE';
};

/** Often enough for every refresh token, and rare enough for a million connections of a disabled app. */
const FORBIDDEN_PAUSE_SECONDS = 7 * 24 * 60 * 60;

/** The wait before the next read of a profile of which the platform shows only a part. */
const POORER_PAUSE_SECONDS = 24 * 60 * 60;

const countFields = (profile: object | null): number =>
  Object.values(profile ?? {}).filter((value) => value !== null).length;

/** Reads the account, and stores the profile if the connection may still have it. */
async function renewProfile(
  deps: Deps,
  { connection, grant, refresh }: { connection: ConnectionWithFacts; grant: Grant; refresh: Refresh | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { sql, providers } = deps;
  const { grantId, provider } = grant;
  const { connectionId } = connection;
  const purpose = { for: 'ACCOUNT', connectionId } as const;
  const denial = mayReadAccount(connection);
  if (denial !== undefined) throw toRefusal(denial);
  const shown = connection.capabilities.find(({ capability }) => capability === 'PROFILE');
  const account = await callWithFreshToken(
    deps,
    grantId,
    signal,
    ({ accessToken, permissions }, meter) => providers[provider].readAccount({ accessToken, permissions }, meter),
    { purpose, queue: 'GRANTS' },
  ).catch(async (error: unknown) => {
    await followWithdrawal(deps, error, { connection, grant, capability: shown ? 'PROFILE' : null }, signal);
    throw error;
  });
  if (account.providerAccountId !== connection.providerAccountId)
    throw new ProviderError('AccountMismatch', "The answer is about another account than the connection's.");
  // A temporary refusal must not empty a profile. If it lasts, the profile is blanked when it is 30 days old.
  const isPoorer = account.isPartial === true && countFields(connection.profile) > countFields(account.profile);
  await inTransaction(sql, async (tx) => {
    await lockConnectionById(tx, connectionId);
    await requirePermit(tx, purpose);
    if (shown && !isPoorer) await updateProfile(tx, connectionId, account.profile);
    if (shown?.availability === 'NOT_GRANTED') {
      await updateCapability(tx, grantId, { capability: 'PROFILE', availability: 'AVAILABLE', reason: null });
    }
    if (connection.capabilities.some(({ reason }) => reason === UNUSABLE.reason)) await resumeCapabilities(tx, grantId);
    if (!refresh?.failure) await scheduleUpkeep(tx, connectionId, { isFixed: refresh?.isFixed ?? false });
  });
  if (refresh?.failure) throw refresh.failure;
  if (isPoorer) await postponeUpkeep(sql, connectionId, POORER_PAUSE_SECONDS, { hasFailed: false });
  await withdrawUngranted(deps, { connection, grantId }, signal);
  await recheckWithdrawn(deps, { connection, grant }, signal);
}

/** An expiry that a refresh moves by less has not been extended. */
const HOUR_MS = 3_600_000;

/** Whether the refresh token keeps its expiry; or why the refresh failed, if the access token still lives. */
interface Refresh {
  readonly isFixed: boolean;
  readonly failure: ProviderError | null;
}

async function tryRefresh(deps: Deps, grant: Grant, signal: AbortSignal): Promise<Refresh> {
  try {
    const { refreshExpiresAt } = await refreshTokens(deps, grant, signal);
    const [before, after] = [grant.refreshExpiresAt, refreshExpiresAt].map((at) => at?.getTime() ?? null);
    const isFixed = before != null && after != null && after - before < HOUR_MS;
    return { isFixed, failure: null };
  } catch (error) {
    const isLost = grant.expiring || !(error instanceof ProviderError) || error.outcomeUnknown;
    if (isLost || getShown(error) !== 'PLATFORM_FAILED') throw error;
    return { isFixed: false, failure: error };
  }
}

interface PostponedUpkeep {
  readonly connectionId: ConnectionId;
  readonly seconds: number;
  /** Whether a failure is the reason. True by default. */
  readonly hasFailed?: boolean;
}

/** The rows of siblings and upkeep. */
export const createSiblingActivities = (deps: Deps) => ({
  /** Lists the connections that a settled revoke may have ended: those it suspends, and all of its principal. */
  async listSiblings({ jobId }: { jobId: JobId }): Promise<ConnectionId[]> {
    const job = await findDisconnectJob(deps.sql, jobId);
    return job ? await listSiblings(deps.sql, job, await listReached(deps, deps.sql, job.registrationId)) : [];
  },

  /** Resumes a live sibling, unless another revoke still suspends it: that revoke's verification resumes it later. */
  async resumeSibling({ connectionId }: { connectionId: ConnectionId }): Promise<boolean> {
    return await inTransaction(deps.sql, (tx) => resume(deps, tx, connectionId));
  },

  async postponeUpkeep({ connectionId, seconds, hasFailed = true }: PostponedUpkeep): Promise<void> {
    await postponeUpkeep(deps.sql, connectionId, seconds, { hasFailed });
  },
});
