import { verifySiblingsDispatch } from '../../outbox/dispatches.ts';
import { insertDispatch } from '../../store/outbox.ts';
import type { ReleaseJob } from '../../store/release-jobs.ts';
import { listSiblings } from '../../store/siblings.ts';
import type { Transaction } from '../../store/sql.ts';
import type { DisconnectRules } from './disconnect.ts';

/** A revoke may have ended more grants than its own, or hold others: a workflow of its own looks, nobody waits for it. */
export async function dispatchVerification(
  { facts }: Pick<DisconnectRules, 'facts'>,
  tx: Transaction,
  revoke: ReleaseJob,
): Promise<void> {
  if (!facts[revoke.provider].canRevoke) return;
  if ((await listSiblings(tx, revoke)).length > 0) await insertDispatch(tx, verifySiblingsDispatch(revoke));
}
