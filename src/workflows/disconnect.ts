import * as wf from '@temporalio/workflow';
import { store, storeThrowingRefusals } from './calls.ts';
import type { DisconnectInput } from './contract.ts';
import { isDatabaseRefusal, readFailure } from './read-failure.ts';
import { retryUntilSettled } from './retry-until-settled.ts';
import { describeRevokeEnd, markRevokeFailed, settleRevoke } from './revoke-grant.ts';

/**
 * Lets go of a connection: what was read of it goes at once, its grant is revoked at the provider, then all the rest
 * is erased. A provider that cannot be reached delays the revoke, for 72 hours at most, and never the purge. What our own
 * database refuses is tried until it works; a refused purge is left to the erase, and does not delay the revoke.
 */
export async function disconnect(input: DisconnectInput): Promise<void> {
  const { connectionId, provider, revokeJobId, eraseJobId } = input;
  // Each step finds in the rows what an earlier run has done.
  const inNewRun = () => wf.continueAsNew<typeof disconnect>(input);
  await wf.CancellationScope.nonCancellable(async () => {
    wf.setCurrentDetails('Purging posts and profile.');
    await purge(input);
    const end = await settleRevoke(revokeJobId, provider, inNewRun);
    wf.setCurrentDetails(`${describeRevokeEnd(revokeJobId, end)} Erasing the rest.`);
    await retryUntilSettled(
      'erase',
      () => storeThrowingRefusals.eraseConnection({ connectionId, eraseJobId }),
      (setback) => store.recordDisconnectSetback({ jobId: eraseJobId, setback }),
      inNewRun,
    );
    markRevokeFailed(end);
    wf.setCurrentDetails(`Erased. ${describeRevokeEnd(revokeJobId, end)} Both receipts stay for 7 days.`);
  });
}

async function purge({ connectionId, eraseJobId }: DisconnectInput): Promise<void> {
  try {
    await storeThrowingRefusals.purgeContent({ connectionId, eraseJobId });
  } catch (error) {
    if (!isDatabaseRefusal(readFailure(error))) throw error;
  }
}
