import * as wf from '@temporalio/workflow';
import type { IdentityStatus } from '../basics/codes.ts';
import { inPlace, proxyIssuer, store } from './calls.ts';
import { settleInRow, waitForCallback } from './connect-attempt.ts';
import type { InputOf } from './contract.ts';
import { showStep, showWait } from './progress.ts';
import { readFailure } from './read-failure.ts';
import { retryUntilDeadline } from './retry-until-deadline.ts';

/** A margin after the result's expiry, for the difference between the database's clock and ours. */
const MARGIN_MS = 1_000;

const endIdentityAttempt = inPlace('endIdentityAttempt', { summary: 'end the sign-in in its row' });

/** Runs one sign-in from its launch to claims that can be redeemed once, and deletes the claims when they expire. */
export async function identityAttempt(input: InputOf<'identityAttempt'>): Promise<IdentityStatus> {
  showStep('WAIT_FOR_PERSON', 'Waiting for the person at the issuer.');
  const hasArrived = await waitForCallback(input.expiresAt, 'sign-in deadline');
  return await wf.CancellationScope.nonCancellable(async () => {
    const status = await settleInRow(hasArrived, async (arrived) => {
      const status = await (arrived ? redeem(input) : end(input, 'EXPIRED'));
      return status === 'PENDING' ? undefined : status;
    });
    const details = `Ended ${status}.`;
    if (status === 'COMPLETED') {
      const deleteAt = Date.parse(input.resultExpiresAt) + MARGIN_MS;
      showStep('KEEP_CLAIMS', details);
      showWait('CLAIMS_EXPIRY', deleteAt);
      await wf.sleep(Math.max(1, deleteAt - Date.now()), { summary: 'claims can be redeemed' });
      await store.deleteClaims({ attemptId: input.attemptId });
    }
    showStep('ENDED', details);
    return status;
  });
}

async function end({ attemptId }: InputOf<'identityAttempt'>, status: 'FAILED' | 'EXPIRED'): Promise<IdentityStatus> {
  showStep('RECORD_END');
  return await endIdentityAttempt({ attemptId, status });
}

async function redeem(input: InputOf<'identityAttempt'>): Promise<IdentityStatus> {
  const deadline = Date.parse(input.expiresAt);
  const { exchangeIdentityCode } = proxyIssuer('exchange the code');
  try {
    showStep('EXCHANGE_CODE', 'The person has signed in: exchanging the code for claims.');
    await retryUntilDeadline(deadline, () => exchangeIdentityCode({ attemptId: input.attemptId }));
    // Reads the row's status: the result may have come too late.
    return await end(input, 'EXPIRED');
  } catch (error) {
    readFailure(error); // Rethrows a defect of ours.
    return await end(input, 'FAILED');
  }
}
