import type { DisconnectReason } from '../../basics/codes.ts';
import { type CorrelationId, newId } from '../../basics/ids.ts';
import type { ReceiptIds, StartedDisconnect } from '../../store/connections/disconnects.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { moveGrantToDead } from '../../store/grants/grant-end.ts';
import { moveDisconnectJobToRunning } from '../../store/jobs/disconnect-jobs.ts';
import { type DisconnectRules, disconnect } from './disconnect.ts';
import { endDisconnectJob } from './end-disconnect-job.ts';

/** The known facts of a disconnect whose rows are lost. */
export interface LostDisconnect extends ReceiptIds {
  /** Whether the platform had confirmed the revoke: the new receipt repeats it. */
  readonly revoked?: boolean | undefined;
  readonly reason?: DisconnectReason | undefined;
}

/** Creates the rows of a disconnect again, under its caller's receipts. Its workflow runs already, or starts beside it. */
export async function repeatDisconnect(
  rules: DisconnectRules,
  tx: Transaction,
  connection: Parameters<typeof disconnect>[2] & Parameters<typeof disconnect>[3],
  lost: LostDisconnect,
): Promise<StartedDisconnect | undefined> {
  const cause = { reason: lost.reason ?? null, correlationId: newId<CorrelationId>() };
  const result = await disconnect(rules, tx, connection, connection, cause, { lost });
  if (!result?.started || !lost.revoked) return result;
  const revoke = await moveDisconnectJobToRunning(tx, lost.revokeJobId);
  if (revoke?.grantId) await moveGrantToDead(tx, revoke.grantId);
  await endDisconnectJob(tx, lost.revokeJobId, { status: 'SUCCEEDED', creatorAction: null });
  return result;
}
