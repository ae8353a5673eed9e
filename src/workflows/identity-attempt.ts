import * as wf from '@temporalio/workflow';
import type { IdentityStatus } from '../basics/codes.ts';
import { localStep, proxyIssuer } from './calls.ts';
import { describeCause, settleInRow } from './connect-attempt.ts';
import type { InputOf } from './contract.ts';
import { showEnd, showStep, toProgressCode } from './progress.ts';
import { readFailure } from './read-failure.ts';
import { retryUntilDeadline } from './retry-until-deadline.ts';

const endIdentityAttempt = localStep('endIdentityAttempt', { summary: 'end the sign-in in its row' });

/** Runs one sign-in from its accepted callback to claims that can be redeemed once. */
export async function identityAttempt(input: InputOf<'identityAttempt'>): Promise<IdentityStatus> {
  return await wf.CancellationScope.nonCancellable(async () => {
    let failure: unknown;
    const status = await settleInRow(async () => {
      const settled = await redeem(input, (error) => {
        failure = error;
      });
      return settled === 'PENDING' ? undefined : settled;
    });
    if (status !== 'FAILED' || failure === undefined) showEnd(`Ended ${status}.`);
    else showEnd(`Ended ${status}. Cause: ${describeCause(failure)}.`, toProgressCode(readFailure(failure).type));
    return status;
  });
}

async function end({ attemptId }: InputOf<'identityAttempt'>, status: 'FAILED' | 'EXPIRED'): Promise<IdentityStatus> {
  showStep('RECORD_END');
  return await endIdentityAttempt({ attemptId, status });
}

async function redeem(
  input: InputOf<'identityAttempt'>,
  noteFailure: (error: unknown) => void,
): Promise<IdentityStatus> {
  const deadline = Date.parse(input.expiresAt);
  const { exchangeIdentityCode } = proxyIssuer('exchange the code');
  try {
    showStep('EXCHANGE_CODE', 'The person has signed in: exchanging the code for claims.');
    await retryUntilDeadline(deadline, () => exchangeIdentityCode({ attemptId: input.attemptId }));
    // Reads the row's status: the result may have come too late.
    return await end(input, 'EXPIRED');
  } catch (error) {
    readFailure(error); // Rethrows a defect of ours.
    noteFailure(error);
    return await end(input, 'FAILED');
  }
}
