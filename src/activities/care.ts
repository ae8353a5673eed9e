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

/** Looking after a grant that nobody is using just now, at its provider. */
export const createGrantActivities = (deps: Deps) => ({
  /**
   * Asks the provider whether a connection's grant lives: renews it, unless it lasts, and reads its account. The profile
   * read on the way is kept; an answer about another account than the connection's is not believed, and nothing of it is
   * stored. A dead grant moves the connection to RECONNECT_REQUIRED. One that could be renewed lives: with the quota used
   * up, a connection on hold goes on by that proof, and only its profile waits.
   * @throws `GrantDead` | `RetryLater` | `QuotaSpent` | `ClientRejected` | `ContractBroken`
   */
  async checkGrant({ connectionId }: { connectionId: ConnectionId }): Promise<void> {
    const { sql, providers } = deps;
    const connection = await findConnection(sql, connectionId);
    const grant = await findGrantOfConnection(sql, connectionId);
    if (!connection || grant?.status !== 'LIVE') return; // Let go, or known to be dead, in the meantime.
    const signal = createStepSignal();
    if (!grant.lasting) await refreshTokens(deps, grant, signal);
    const account = await callWithFreshToken(deps, grant.grantId, signal, ({ accessToken, permissions }, meter) =>
      providers[grant.provider].readAccount({ accessToken, permissions }, meter),
    ).catch(async (error: unknown) => {
      const isProven = !grant.lasting && error instanceof ProviderError && error.type === 'QuotaSpent';
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

/** Who is to be looked after, and what follows from it, in our own rows. */
export const createSiblingActivities = (deps: Deps) => ({
  /** The connections that a settled revoke may have touched: those it holds, and those of its principal anywhere. */
  async listSiblings({ jobId }: { jobId: JobId }): Promise<ConnectionId[]> {
    const job = await findDisconnectJob(deps.sql, jobId);
    return job ? await listSiblings(deps.sql, job) : [];
  },

  /** A sibling found alive goes on, unless another revoke still holds it: that one's verification sees to it then. */
  async resumeSibling({ connectionId }: { connectionId: ConnectionId }): Promise<boolean> {
    return await inTransaction(deps.sql, (tx) => resumeSibling(tx, connectionId));
  },

  async postponeUpkeep({ connectionId, seconds }: { connectionId: ConnectionId; seconds: number }): Promise<void> {
    await postponeUpkeep(deps.sql, connectionId, seconds);
  },
});
