import type { ConnectionId } from '../basics/ids.ts';
import { type LostDisconnect, repeatDisconnect } from '../domain/disconnecting/repeat-disconnect.ts';
import { inTransaction } from '../store/driver/sql.ts';
import { findDisconnectable } from '../store/jobs/bulk-disconnects.ts';
import { findDisconnectJob } from '../store/jobs/disconnect-jobs.ts';
import type { Deps } from './deps.ts';
import { createLostRow } from './failures.ts';

export interface AcceptedDisconnect extends LostDisconnect {
  readonly connectionId: ConnectionId;
}

/**
 * Repeats an accepted disconnect whose rows a fail-over has lost, from its workflow in Temporal, under the ids that the caller
 * has.
 * @throws `RowLost` if the connection is lost as well, or has other receipts: an operator has to look.
 */
export async function repeatLostDisconnect(deps: Deps, accepted: AcceptedDisconnect): Promise<void> {
  const { connectionId, revokeJobId, eraseJobId } = accepted;
  if ((await findDisconnectJob(deps.sql, eraseJobId)) !== undefined) return;
  const isRepeated = await inTransaction(deps.sql, async (tx) => {
    const connection = await findDisconnectable(tx, connectionId);
    if (connection === undefined) return false;
    const result = await repeatDisconnect(deps, tx, connection, accepted);
    return result?.started ?? false;
  });
  const fields = { connectionId, jobId: revokeJobId };
  if (isRepeated) return deps.log.warn('The rows of an accepted disconnect were lost: it is carried out again', fields);
  throw createLostRow(
    deps.log,
    'The rows of an accepted disconnect are lost, and it cannot be carried out again',
    fields,
  );
}
