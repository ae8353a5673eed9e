import * as wf from '@temporalio/workflow';
import { store } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showStep } from './progress.ts';

/** Disconnects all connections of a tenant or registration in batches. Each gets a `disconnect` workflow of its own. */
export async function disconnectAll(input: InputOf<'disconnectAll'>): Promise<void> {
  showStep('DISCONNECT_ALL');
  for (;;) {
    const { disconnected, total, done } = await store.disconnectBatch(input);
    const parts = { done: disconnected, total };
    showStep(done ? 'ENDED' : 'DISCONNECT_ALL', `${disconnected} of ${total} connection(s) disconnected.`, parts);
    if (done) return;
    if (wf.workflowInfo().continueAsNewSuggested) await wf.continueAsNew<typeof disconnectAll>(input);
  }
}
