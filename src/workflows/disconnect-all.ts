import * as wf from '@temporalio/workflow';
import { store } from './calls.ts';
import type { DisconnectAllInput } from './contract.ts';

/** Disconnects all connections of a tenant or registration in batches. Each gets a `disconnect` workflow of its own. */
export async function disconnectAll(input: DisconnectAllInput): Promise<void> {
  for (;;) {
    const { disconnected, total, done } = await store.disconnectBatch(input);
    wf.setCurrentDetails(`${disconnected} of ${total} connection(s) disconnected.`);
    if (done) return;
    if (wf.workflowInfo().continueAsNewSuggested) await wf.continueAsNew<typeof disconnectAll>(input);
  }
}
