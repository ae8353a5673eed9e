import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../ids.ts';
import { store } from './calls.ts';
import type { VerifySiblingsInput } from './contract.ts';
import { countRetrySignals } from './retry-until-settled.ts';
import { type PendingVerification, verifyUntilAnswered } from './verify-grant.ts';

/** The siblings that are not verified yet. One run hands them to the next. */
interface Remaining {
  readonly total: number;
  readonly siblings: readonly (PendingVerification & { readonly connectionId: ConnectionId })[];
}

/** Verifies, after a revoke, all connections that the revoke may have ended. Those that are alive resume. */
export async function verifySiblings(input: VerifySiblingsInput & { readonly remaining?: Remaining }): Promise<void> {
  const { jobId, provider } = input;
  const countSignals = countRetrySignals();
  const { total, siblings } = input.remaining ?? (await listPending(jobId));
  let count = siblings.length;
  const describe = () => wf.setCurrentDetails(`${count} of ${total} connection(s) not verified yet.`);
  describe();
  const pending = await Promise.all(
    siblings.map(async ({ connectionId, ...before }) => {
      const getPending = await verifyUntilAnswered(connectionId, provider, countSignals, before);
      if (getPending !== undefined) return [() => ({ connectionId, ...getPending() })];
      count -= 1;
      describe();
      return [];
    }),
  );
  const remaining = { total, siblings: pending.flat().map((get) => get()) };
  if (remaining.siblings.length > 0) await wf.continueAsNew<typeof verifySiblings>({ ...input, remaining });
}

async function listPending(jobId: VerifySiblingsInput['jobId']): Promise<Remaining> {
  const ids = await store.listSiblings({ jobId });
  return { total: ids.length, siblings: ids.map((connectionId) => ({ connectionId, tries: 0, notBeforeMs: 0 })) };
}
