import type { ConnectionId, JobId } from '../ids.ts';
import { moveConnection } from '../store/connections.ts';
import { eraseConnection, purgeContent } from '../store/disconnects.ts';
import { insertDispatch } from '../store/outbox.ts';
import { endReleaseJob, listReceipts, startReleaseJob } from '../store/release-jobs.ts';
import { listSiblings } from '../store/siblings.ts';
import { inTransaction, type Transaction } from '../store/sql.ts';
import { verifySiblingsDispatch } from '../workflows/contract.ts';
import type { Deps } from './deps.ts';

/** Deleting what we hold of an account. */
export const eraseActivities = (deps: Deps) => ({
  /** Posts, coverage and profile, before the revoke: only the sealed grant has to wait for that. */
  async purgeContent({ connectionId, eraseJobId }: { connectionId: ConnectionId; eraseJobId: JobId }): Promise<void> {
    await startReleaseJob(deps.sql, eraseJobId);
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
      const moved = await moveConnection(tx, connectionId, 'DELETING');
      if (moved) await dispatchVerification(deps, tx, connectionId);
    });
    deps.outbox.nudge();
    await inTransaction(deps.sql, async (tx) => {
      await eraseConnection(tx, connectionId);
      await endReleaseJob(tx, eraseJobId, { status: 'SUCCEEDED', creatorAction: null });
    });
  },
});

/** A revoke may have ended more grants than its own, or hold others: a workflow of its own looks, nobody waits for it. */
async function dispatchVerification(deps: Deps, tx: Transaction, connectionId: ConnectionId): Promise<void> {
  const revoke = (await listReceipts(tx, [connectionId])).find(({ kind }) => kind === 'REVOKE');
  if (!revoke || !deps.facts[revoke.provider].canRevoke) return;
  if ((await listSiblings(tx, revoke)).length > 0) await insertDispatch(tx, verifySiblingsDispatch(revoke));
}
