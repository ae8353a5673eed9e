import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../ids.ts';
import { store } from './calls.ts';
import type { VerifySiblingsInput } from './contract.ts';
import { countRetrySignals } from './retry-until-settled.ts';
import { type PendingVerification, verifyUntilAnswered } from './verify-grant.ts';

/** Who is still to be verified. Carried from one run to the next. */
interface Remaining {
  readonly total: number;
  readonly siblings: readonly (PendingVerification & { readonly connectionId: ConnectionId })[];
}

/** After a revoke: which of the connections it may have touched still live? Those that do, go on. */
export async function verifySiblings(input: VerifySiblingsInput & { readonly left?: Remaining }): Promise<void> {
  const { jobId, provider } = input;
  const nudges = countRetrySignals();
  const { total, siblings } = input.left ?? (await listPending(jobId));
  let count = siblings.length;
  const describe = () => wf.setCurrentDetails(`${count} of ${total} connection(s) still to be verified.`);
  describe();
  const pending = await Promise.all(
    siblings.map(async ({ connectionId, ...before }) => {
      const after = await verifyUntilAnswered(connectionId, provider, nudges, before);
      if (after !== undefined) return [() => ({ connectionId, ...after() })];
      count -= 1;
      describe();
      return [];
    }),
  );
  const left = { total, siblings: pending.flat().map((tell) => tell()) };
  if (left.siblings.length > 0) await wf.continueAsNew<typeof verifySiblings>({ ...input, left });
}

async function listPending(jobId: VerifySiblingsInput['jobId']): Promise<Remaining> {
  const ids = await store.listSiblings({ jobId });
  return { total: ids.length, siblings: ids.map((connectionId) => ({ connectionId, tries: 0, notBeforeMs: 0 })) };
}
