import { setTimeout as delay } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import { dispatchVerification } from '../domain/disconnecting/dispatch-verification.ts';
import { endDisconnectJob } from '../domain/disconnecting/end-disconnect-job.ts';
import type { ConnectionId, JobId } from '../ids.ts';
import { moveConnection } from '../store/connections.ts';
import { listReceipts, moveDisconnectJobToRunning } from '../store/disconnect-jobs.ts';
import { eraseConnection, purgeContent } from '../store/disconnects.ts';
import { clearDisconnectSetback } from '../store/setbacks.ts';
import { inTransaction } from '../store/sql.ts';
import type { Deps } from './deps.ts';

/** Of a purge, over half a minute: a revoke is not kept waiting for a journal that is away for longer. */
const JOURNAL_TRIES = 7;
/** Less than an activity's time, also where the file system does not answer at all. */
const JOURNAL_WITHIN_MS = 10_000;

/** Deleting what we hold of an account. */
export const createEraseActivities = (deps: Deps) => ({
  /**
   * Posts, coverage and profile, before the revoke: only the sealed grant has to wait for that. That the connection is let
   * go is in the journal by then, so that a database restored from a backup cannot have it live again. While that cannot
   * be written, all of it stays for the erase.
   */
  async purgeContent({ connectionId, eraseJobId }: { connectionId: ConnectionId; eraseJobId: JobId }): Promise<void> {
    await moveDisconnectJobToRunning(deps.sql, eraseJobId);
    try {
      await shipInTime(deps);
    } catch (error) {
      if (activityInfo().attempt < JOURNAL_TRIES) throw error;
      deps.log.error('Purge left to the erase, as the journal of erasures cannot be written', { error });
      return;
    }
    await inTransaction(deps.sql, async (tx) => {
      await purgeContent(tx, connectionId);
      await clearDisconnectSetback(tx, eraseJobId);
    });
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
    deps.outbox.deliverSoon();
    await deps.journal.ship();
    await inTransaction(deps.sql, async (tx) => {
      await eraseConnection(tx, connectionId);
      await endDisconnectJob(tx, eraseJobId, { status: 'SUCCEEDED', creatorAction: null });
    });
  },
});

async function shipInTime({ journal }: Deps): Promise<void> {
  const late = delay(JOURNAL_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error('The journal of erasures does not answer.');
  });
  await Promise.race([journal.ship(), late]);
}
