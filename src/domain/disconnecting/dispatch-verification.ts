import { listSiblings } from '../../store/connections/siblings.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import type { DisconnectJob } from '../../store/jobs/disconnect-jobs.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { listReached } from '../reach.ts';
import type { DisconnectRules } from './disconnect.ts';

/** Starts a workflow that verifies the siblings of a revoke, because the revoke may have ended or suspended them. */
export async function dispatchVerification(
  { facts }: Pick<DisconnectRules, 'facts'>,
  tx: Transaction,
  revoke: DisconnectJob,
): Promise<void> {
  if (!facts[revoke.provider].canRevoke) return;
  const siblings = await listSiblings(tx, revoke, await listReached({ facts }, tx, revoke.registrationId));
  if (siblings.length > 0) await insertDispatch(tx, buildDispatch('verifySiblings', revoke));
}
