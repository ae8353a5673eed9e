import type { ConnectionId, JobId } from '../ids.ts';
import { ProviderError } from '../providers/provider.ts';
import { findConnection, updateProfile } from '../store/connections.ts';
import { findDisconnectJob } from '../store/disconnect-jobs.ts';
import { findGrantOfConnection } from '../store/grants.ts';
import { listSiblings, resumeSibling } from '../store/siblings.ts';
import { inTransaction } from '../store/sql.ts';
import { postponeUpkeep, scheduleUpkeep } from '../store/upkeep.ts';
import type { Deps } from './deps.ts';
import { createStepSignal } from './provider-activity.ts';
import { callWithFreshToken, refreshTokens } from './tokens.ts';

/** Checks grants at their provider. */
export const createGrantActivities = (deps: Deps) => ({
  /**
   * Asks the provider whether a connection's grant is alive: refreshes its token if needed, reads its account and stores
   * the profile. It stores nothing of an answer about another account. A dead grant moves the connection to
   * RECONNECT_REQUIRED. A successful refresh proves that the grant is alive: then a suspended connection resumes even if
   * the quota is used up, and only its profile waits.
   * @throws `GrantDead` | `RetryLater` | `QuotaSpent` | `ClientRejected` | `ContractBroken`
   */
  async checkGrant({ connectionId }: { connectionId: ConnectionId }): Promise<void> {
    const { sql, providers } = deps;
    const connection = await findConnection(sql, connectionId);
    const grant = await findGrantOfConnection(sql, connectionId);
    if (!connection || grant?.status !== 'LIVE') return; // Disconnected, or known to be dead, in the meantime.
    const signal = createStepSignal();
    if (!grant.longLived) await refreshTokens(deps, grant, signal);
    const account = await callWithFreshToken(deps, grant.grantId, signal, ({ accessToken, permissions }, meter) =>
      providers[grant.provider].readAccount({ accessToken, permissions }, meter),
    ).catch(async (error: unknown) => {
      const isProven = !grant.longLived && error instanceof ProviderError && error.type === 'QuotaSpent';
      if (isProven) await inTransaction(sql, (tx) => resumeSibling(tx, connectionId));
      throw error;
    });
    if (account.providerAccountId !== connection.providerAccountId)
      throw new ProviderError('ContractBroken', "The answer is about another account than the connection's.");
    const shown = connection.capabilities.some(({ capability }) => capability === 'PROFILE');
    if (shown) await updateProfile(sql, connectionId, account.profile);
    await scheduleUpkeep(sql, connectionId);
  },
});

/** The rows of siblings and upkeep. */
export const createSiblingActivities = (deps: Deps) => ({
  /** Lists the connections that a settled revoke may have ended: those it suspends, and all of its principal. */
  async listSiblings({ jobId }: { jobId: JobId }): Promise<ConnectionId[]> {
    const job = await findDisconnectJob(deps.sql, jobId);
    return job ? await listSiblings(deps.sql, job) : [];
  },

  /** Resumes a live sibling, unless another revoke still suspends it: that revoke's verification resumes it later. */
  async resumeSibling({ connectionId }: { connectionId: ConnectionId }): Promise<boolean> {
    return await inTransaction(deps.sql, (tx) => resumeSibling(tx, connectionId));
  },

  async postponeUpkeep({ connectionId, seconds }: { connectionId: ConnectionId; seconds: number }): Promise<void> {
    await postponeUpkeep(deps.sql, connectionId, seconds);
  },
});
