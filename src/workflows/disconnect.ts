import * as wf from '@temporalio/workflow';
import { DATABASE_REFUSALS } from '../basics/failures.ts';
import { localStep } from './calls.ts';
import type { DisconnectInput } from './contract.ts';
import { showEnd, showStep } from './progress.ts';
import { readFailure } from './read-failure.ts';
import { retryUntilSettled } from './retry-until-settled.ts';
import {
  describeRevokeEnd,
  findFailure,
  markRevokeFailed,
  recordDisconnectFailure,
  settleRevoke,
} from './revoke-grant.ts';

const purgeContent = localStep('purgeContent', { summary: 'purge posts and profile', throwsRefusals: true });
const eraseConnection = localStep('eraseConnection', { summary: 'erase the rest', throwsRefusals: true });

/**
 * Disconnects a connection: purges its posts and profile at once, revokes its grant at the provider, then erases the rest.
 * A provider that fails delays the revoke for 72 hours at most, and never the purge. A refusal of our own database delays
 * the erase until it is repaired. A refused purge delays nothing: the erase deletes the content. If a fail-over loses the rows
 * meanwhile, it begins anew, and its first step creates them again.
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
        (failedTry) => recordDisconnectFailure({ jobId: eraseJobId, failedTry }),
        continueAsNew,
      );
      markRevokeFailed(end);
      showEnd(`Erased. ${describeRevokeEnd(revokeJobId, end)} Both receipts stay for 7 days.`, findFailure(end));
    } catch (error) {
      if (readFailure(error).type === 'RowLost') await continueAsNew();
      throw error;
    }
  });
}

async function purge({ connectionId, revokeJobId, eraseJobId, revoked, reason }: DisconnectInput): Promise<void> {
  try {
    await purgeContent({ connectionId, revokeJobId, eraseJobId, revoked, reason });
  } catch (error) {
    if (!DATABASE_REFUSALS.includes(readFailure(error).type)) throw error;
  }
}
