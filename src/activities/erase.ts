import type { ConnectionId, JobId } from '../ids.ts';
import { moveConnection } from '../store/connections.ts';
import { eraseConnection, purgeContent } from '../store/disconnects.ts';
import { endReleaseJob, listReceipts, startReleaseJob } from '../store/release-jobs.ts';
import { inTransaction } from '../store/sql.ts';
import type { Deps } from './deps.ts';
import { dispatchVerification } from './verification.ts';

/** Deleting what we hold of an account. */
export const eraseActivities = (deps: Deps) => ({
  /**
   * Posts, coverage and profile, before the revoke: only the sealed grant has to wait for that. That the connection is let
   * go is in the journal by then, so that a database restored from a backup cannot have it live again.
   */
  async purgeContent({ connectionId, eraseJobId }: { connectionId: ConnectionId; eraseJobId: JobId }): Promise<void> {
    await startReleaseJob(deps.sql, eraseJobId);
    await deps.journal.ship();
    await inTransaction(deps.sql, (tx) => purgeContent(tx, connectionId));
  },

  /** All the rest, in two commits: what is being deleted says so before it is gone. */
  async eraseConnection({
    connectionId,
    eraseJobId,
  }: {
    connectionId: ConnectionId;
    eraseJobId: JobId;
  }): Promise<void> {
    await inTransaction(deps.sql, async (tx) => {
      if (!(await moveConnection(tx, connectionId, 'DELETING'))) return;
      const revoke = (await listReceipts(tx, [connectionId])).find(({ kind }) => kind === 'REVOKE');
      if (revoke) await dispatchVerification(deps, tx, revoke);
    });
    deps.outbox.nudge();
    await inTransaction(deps.sql, async (tx) => {
      await eraseConnection(tx, connectionId);
      await endReleaseJob(tx, eraseJobId, { status: 'SUCCEEDED', creatorAction: null });
    });
  },
});
