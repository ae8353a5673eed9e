import * as wf from '@temporalio/workflow';
import type { IdentityStatus } from '../store/identity-attempts.ts';
import { proxyIssuer, store } from './calls.ts';
import { waitForCallback } from './connect-attempt.ts';
import type { IdentityAttemptInput } from './contract.ts';
import { retryUntilDeadline } from './retry-until-deadline.ts';

/** Past a result's last moment, by the database's clock as well as by ours. */
const MARGIN_MS = 1_000;

/** Carries one sign-in from launch to claims that can be redeemed once, and sees that they do not stay. */
export async function identityAttempt(input: IdentityAttemptInput): Promise<IdentityStatus> {
  wf.setCurrentDetails('Waiting for the person at the issuer.');
  const arrived = await waitForCallback(input.expiresAt, 'sign-in deadline');
  return await wf.CancellationScope.nonCancellable(async () => {
    const status = await (arrived ? redeem(input) : end(input, 'EXPIRED'));
    wf.setCurrentDetails(`Ended ${status}.`);
    if (status !== 'COMPLETED') return status;
    await wf.sleep(Math.max(1, Date.parse(input.resultExpiresAt) - Date.now() + MARGIN_MS), {
      summary: 'claims may be redeemed',
    });
    await store.deleteClaims({ attemptId: input.attemptId });
    return status;
  });
}

const end = ({ attemptId }: IdentityAttemptInput, status: 'FAILED' | 'EXPIRED') =>
  store.endIdentityAttempt({ attemptId, status });

async function redeem(input: IdentityAttemptInput): Promise<IdentityStatus> {
  const deadline = Date.parse(input.expiresAt);
  const { exchangeIdentityCode } = proxyIssuer('code for claims');
  try {
    wf.setCurrentDetails('The person is back: trading the code for claims.');
    await retryUntilDeadline(deadline, () => exchangeIdentityCode({ attemptId: input.attemptId }));
    // Also tells a result that came too late for its row.
    return await end(input, 'EXPIRED');
  } catch (error) {
    if (wf.isCancellation(error)) throw error;
    return await end(input, 'FAILED');
  }
}
