import * as wf from '@temporalio/workflow';
import type { ConnectionId } from '../basics/ids.ts';
import { store } from './calls.ts';
import type { InputOf } from './contract.ts';
import { markFailure, showStep, showWait } from './progress.ts';
import { countRetrySignals } from './retry-until-settled.ts';
import { type NextCheck, type PendingVerification, verifyUntilAnswered } from './verify-grant.ts';

/** The siblings that are not verified yet. One run hands them to the next. */
interface Remaining {
  readonly total: number;
  readonly siblings: readonly (PendingVerification & { readonly connectionId: ConnectionId })[];
}

/** Verifies, after a revoke, all connections that the revoke may have ended. Those that are alive resume. */
export async function verifySiblings(
  input: InputOf<'verifySiblings'> & { readonly remaining?: Remaining },
): Promise<void> {
  const { jobId, provider } = input;
  const countSignals = countRetrySignals();
  showStep('VERIFY');
  const { total, siblings } = input.remaining ?? (await listPending(jobId));
  let count = siblings.length;
  const waits = new Map<ConnectionId, NextCheck>();
  const describe = () => {
    const parts = { done: total - count, total };
    const details = `${count} of ${total} connection(s) not verified yet.`;
    showStep(count === 0 ? 'ENDED' : 'VERIFY', details, parts);
    if (count === 0) markFailure(null);
    // The run works while a check of any sibling is in progress.
    const [next] = [...waits.values()].sort((a, b) => a.until - b.until);
    if (next !== undefined && waits.size === count) showWait(next.waitingFor, next.until, { failed: next, parts });
  };
  describe();
  const pending = await Promise.all(
    siblings.map(async ({ connectionId, ...before }) => {
      const report = (wait: NextCheck | null) => {
        if (wait === null) waits.delete(connectionId);
        else waits.set(connectionId, wait);
        describe();
      };
      const getPending = await verifyUntilAnswered(connectionId, provider, { countSignals, report }, before);
      if (getPending !== undefined) return [() => ({ connectionId, ...getPending() })];
      count -= 1;
      describe();
      return [];
    }),
  );
  const remaining = { total, siblings: pending.flat().map((get) => get()) };
  if (remaining.siblings.length > 0) await wf.continueAsNew<typeof verifySiblings>({ ...input, remaining });
}

async function listPending(jobId: InputOf<'verifySiblings'>['jobId']): Promise<Remaining> {
  const ids = await store.listSiblings({ jobId });
  return { total: ids.length, siblings: ids.map((connectionId) => ({ connectionId, tries: 0, notBeforeMs: 0 })) };
}
