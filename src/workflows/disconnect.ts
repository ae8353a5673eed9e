import * as wf from '@temporalio/workflow';
import { inPlace } from './calls.ts';
import type { DisconnectInput } from './contract.ts';
import { showStep } from './progress.ts';
import { isDatabaseRefusal, ROW_LOST, readFailure } from './read-failure.ts';
import { retryUntilSettled } from './retry-until-settled.ts';
import { describeRevokeEnd, markRevokeFailed, recordDisconnectSetback, settleRevoke } from './revoke-grant.ts';

const purgeContent = inPlace('purgeContent', { summary: 'purge posts and profile', throwsRefusals: true });
const eraseConnection = inPlace('eraseConnection', { summary: 'erase the rest', throwsRefusals: true });

/**
 * Disconnects a connection: purges its posts and profile at once, revokes its grant at the provider, then erases the rest.
 * A provider that fails delays the revoke for 72 hours at most, and never the purge. A refusal of our own database delays
 * the erase until it is repaired. A refused purge delays nothing: the erase deletes the content. If a fail-over loses the rows on the
 * way, it begins anew, and its first step makes them again.
 */
export async function disconnect(input: DisconnectInput): Promise<void> {
  const { connectionId, provider, revokeJobId, eraseJobId } = input;
  // Each step reads from the rows the progress of an earlier run.
  const continueAsNew = () => wf.continueAsNew<typeof disconnect>(input);
  await wf.CancellationScope.nonCancellable(async () => {
    showStep('PURGE', 'Purging posts and profile.');
    await purge(input);
    try {
      const end = await settleRevoke(revokeJobId, provider, continueAsNew);
      showStep('ERASE', `${describeRevokeEnd(revokeJobId, end)} Erasing the rest.`);
      await retryUntilSettled(
        'ERASE',
        () => eraseConnection({ connectionId, eraseJobId }),
        (setback) => recordDisconnectSetback({ jobId: eraseJobId, setback }),
        continueAsNew,
      );
      markRevokeFailed(end);
      showStep('ENDED', `Erased. ${describeRevokeEnd(revokeJobId, end)} Both receipts stay for 7 days.`);
    } catch (error) {
      if (readFailure(error).type === ROW_LOST) await continueAsNew();
      throw error;
    }
  });
}

async function purge({ connectionId, revokeJobId, eraseJobId, revoked, reason }: DisconnectInput): Promise<void> {
  try {
    await purgeContent({ connectionId, revokeJobId, eraseJobId, revoked, reason });
  } catch (error) {
    if (!isDatabaseRefusal(readFailure(error))) throw error;
  }
}
