import { setTimeout as delay } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import type { ConnectionId, JobId } from '../basics/ids.ts';
import { dispatchVerification } from '../domain/disconnecting/dispatch-verification.ts';
import { endDisconnectJob } from '../domain/disconnecting/end-disconnect-job.ts';
import { moveConnection } from '../store/connections/connections.ts';
import { eraseConnection, purgeContent } from '../store/connections/disconnects.ts';
import { inTransaction, withCommit } from '../store/driver/sql.ts';
import { listReceipts, moveDisconnectJobToRunning } from '../store/jobs/disconnect-jobs.ts';
import { clearDisconnectFailure } from '../store/jobs/record-failure.ts';
import type { Deps } from './deps.ts';
import { createLostRow } from './failures.ts';
import { logRecovery } from './log-tries.ts';
import { type AcceptedDisconnect, repeatLostDisconnect } from './lost-disconnect.ts';

/** Tries of a purge, over half a minute: a revoke does not wait longer for the journal. */
const JOURNAL_TRIES = 7;
/** Shorter than the activity's time-out, also if the file system does not answer at all. */
const JOURNAL_WITHIN_MS = 10_000;

/** Deletes our data of an account. */
export const createEraseActivities = (deps: Deps) => ({
  /**
   * Purges posts, coverage and profile before the revoke: only the sealed grant has to wait for that. The journal records
   * the disconnect first, so that a restored backup cannot bring the connection back. If the journal cannot be written,
   * the erase deletes the content later.
   */
  async purgeContent(accepted: AcceptedDisconnect): Promise<void> {
    const { connectionId, eraseJobId } = accepted;
    let job = await moveDisconnectJobToRunning(deps.sql, eraseJobId);
    if (job === undefined) {
      await repeatLostDisconnect(deps, accepted);
      job = await moveDisconnectJobToRunning(deps.sql, eraseJobId);
    }
    try {
      await shipInTime(deps);
    } catch (error) {
      if (activityInfo().attempt < JOURNAL_TRIES) throw error;
      deps.log.error('The erase will purge the content: the erasure journal cannot be written', { error });
      return;
    }
    await purgeContent(deps.sql, connectionId);
    if (job?.tries !== 0) await clearDisconnectFailure(deps.sql, eraseJobId);
  },

  /**
   * Erases the rest in two commits: the first shows callers the status DELETING.
   * @throws `RowLost` if a fail-over has lost the rows since the purge: then the disconnect begins anew.
   */
  async eraseConnection({
    connectionId,
    eraseJobId,
  }: {
    connectionId: ConnectionId;
    eraseJobId: JobId;
  }): Promise<void> {
    const mayWait = await inTransaction(deps.sql, async (tx) => {
      const [isMoved, receipts] = await Promise.all([
        moveConnection(tx, connectionId, 'DELETING'),
        listReceipts(tx, [connectionId]),
      ]);
      const erase = receipts.find(({ jobId }) => jobId === eraseJobId);
      if (erase === undefined)
        throw createLostRow(deps.log, 'The rows of an accepted disconnect are lost', {
          connectionId,
          jobId: eraseJobId,
        });
      // The database refused each try of the purge.
      if (erase.status === 'QUEUED') await moveDisconnectJobToRunning(tx, eraseJobId);
      if (!isMoved) return true; // An earlier try may have left an entry.
      const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
      return revoke !== undefined && (await dispatchVerification(deps, tx, revoke));
    });
    if (mayWait) deps.outbox.deliverSoon();
    await deps.journal.ship();
    await purgeContent(deps.sql, connectionId); // Left over if the purge gave up on the journal.
    const ended = await inTransaction(deps.sql, async (tx) => {
      await eraseConnection(tx, connectionId);
      const ended = endDisconnectJob(tx, eraseJobId, { status: 'SUCCEEDED', creatorAction: null });
      await withCommit(tx, ended);
      return await ended;
    });
    if (ended !== undefined) logRecovery(deps.log, ended);
  },
});

async function shipInTime({ journal }: Deps): Promise<void> {
  const late = delay(JOURNAL_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error('The erasure journal does not answer.');
  });
  await Promise.race([journal.ship(), late]);
}
