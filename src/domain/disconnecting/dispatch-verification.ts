import { listSiblings } from '../../store/connections/siblings.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import type { DisconnectJob } from '../../store/jobs/disconnect-jobs.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { listReached } from '../reach.ts';
import type { DisconnectRules } from './disconnect.ts';

/**
 * Starts a workflow that verifies the siblings of a revoke, because the revoke may have ended or suspended them.
 * @returns false if there are none. Otherwise wake the outbox after the commit.
 */
export async function dispatchVerification(
  { facts }: Pick<DisconnectRules, 'facts'>,
  tx: Transaction,
  revoke: DisconnectJob,
): Promise<boolean> {
  if (!facts[revoke.provider].canRevoke) return false;
  const siblings = await listSiblings(tx, revoke, await listReached({ facts }, tx, revoke.registrationId));
  if (siblings.length === 0) return false;
  await insertDispatch(tx, buildDispatch('verifySiblings', revoke));
  return true;
}
