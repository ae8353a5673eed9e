import * as wf from '@temporalio/workflow';
import { store } from './calls.ts';
import type { DisconnectInput } from './contract.ts';
import { inWords, markFailed, settleRevoke } from './revoke-grant.ts';

/**
 * Lets go of a connection: what was read of it goes at once, its grant is revoked at the provider, then all the rest
 * is erased. A provider that cannot be reached delays the revoke, for 72 hours at most, and never the purge.
 */
export async function disconnect({ connectionId, provider, revokeJobId, eraseJobId }: DisconnectInput): Promise<void> {
  await wf.CancellationScope.nonCancellable(async () => {
    wf.setCurrentDetails('Purging posts and profile.');
    await store.purgeContent({ connectionId, eraseJobId });
    const end = await settleRevoke(revokeJobId, provider);
    wf.setCurrentDetails(`${inWords(revokeJobId, end)} Erasing the rest.`);
    await store.eraseConnection({ connectionId, eraseJobId });
    markFailed(end);
    wf.setCurrentDetails(`Erased. ${inWords(revokeJobId, end)} Both receipts stay for 7 days.`);
  });
}
