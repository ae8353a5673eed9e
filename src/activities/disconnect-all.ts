import type { BulkDisconnectId } from '../basics/ids.ts';
import { disconnect } from '../domain/disconnecting/disconnect.ts';
import { inTransaction } from '../store/driver/sql.ts';
import {
  assignJobsToBulk,
  type BulkDisconnect,
  type BulkTarget,
  findBulkDisconnect,
  finishBulkDisconnect,
  listLiveConnections,
  updateDisconnectedCount,
} from '../store/jobs/bulk-disconnects.ts';
import type { Deps } from './deps.ts';
import { createLostRow } from './failures.ts';

/** The connections of one step: a second or two. */
const BATCH = 50;

const getTarget = ({ appId, tenantKey, registrationId }: BulkDisconnect): BulkTarget => {
  if (registrationId !== null) return { registrationId };
  if (appId === null || tenantKey === null) throw new Error('A bulk disconnect has no target.');
  return { appId, tenantKey };
};

export const createDisconnectAllActivities = (deps: Deps) => ({
  /**
   * Disconnects the next batch. Safe to repeat: it takes only connections that are not disconnected yet.
   * @throws `RowLost`
   */
  async disconnectBatch({
    bulkDisconnectId,
  }: {
    bulkDisconnectId: BulkDisconnectId;
  }): Promise<{ disconnected: number; total: number; done: boolean }> {
    const bulk = await findBulkDisconnect(deps.sql, bulkDisconnectId);
    if (bulk === undefined)
      throw createLostRow(deps.log, 'The row of a bulk disconnect is lost: ask for it again', { bulkDisconnectId });
    if (bulk.finishedAt !== null) return { disconnected: 0, total: 0, done: true };
    const members = await listLiveConnections(deps.sql, getTarget(bulk), BATCH);
    const cause = { reason: 'OPERATOR', correlationId: bulk.correlationId } as const;
    for (const member of members) {
      await inTransaction(deps.sql, async (tx) => {
        const result = await disconnect(deps, tx, member, member, cause, { lane: 'BULK', spares: true });
        if (!result?.started) return;
        await assignJobsToBulk(tx, bulkDisconnectId, [result.revokeJobId, result.eraseJobId]);
        await updateDisconnectedCount(tx, bulkDisconnectId);
      });
      deps.outbox.deliverSoon();
    }
    if (members.length === 0) await finishBulkDisconnect(deps.sql, bulkDisconnectId);
    const { disconnected, total } = (await findBulkDisconnect(deps.sql, bulkDisconnectId)) ?? bulk;
    return { disconnected, total, done: members.length === 0 };
  },
});
