import * as wf from '@temporalio/workflow';
import type { ProviderErrorType, ResultCode } from '../basics/codes.ts';
import type { AttemptEnd } from '../store/attempts/attempts.ts';
import { inPlace, proxyConnects } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showStep } from './progress.ts';
import { readFailure } from './read-failure.ts';
import type { SettledAttempt } from './results.ts';
import { retryUntilDeadline } from './retry-until-deadline.ts';

const completeAttempt = inPlace('completeAttempt', { summary: 'create the connection', throwsRefusals: true });
const endAttempt = inPlace('endAttempt', { summary: 'end the attempt in its row' });

/** Only the database's clock says that an attempt has expired. If ours is ahead, we ask again after this time. */
const ASK_AGAIN_MS = 5_000;

/** Repeats `settle` until the attempt has ended in its row. @returns undefined while the database says that it goes on */
export async function settleInRow<T>(settle: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const settled = await settle();
    if (settled !== undefined) return settled;
    await wf.sleep(ASK_AGAIN_MS, { summary: "the database's clock is behind" });
  }
}

/** Runs one attempt from its accepted callback to a connection, or to a recorded reason for having none. */
export async function connectAttempt(input: InputOf<'connectAttempt'>): Promise<SettledAttempt> {
  // A code has arrived: the attempt runs to its end, so that no grant stays unknown to us.
  return await wf.CancellationScope.nonCancellable(async () => {
    const settled = await settleInRow(async () => {
      const { status, resultCode } = await connect(input);
      return status === 'UNFINISHED' ? undefined : { status, resultCode };
    });
    showStep('ENDED', `Ended ${settled.status}${settled.resultCode === null ? '' : `, ${settled.resultCode}`}.`);
    return settled;
  });
}

async function connect({ attemptId, provider, expiresAt }: InputOf<'connectAttempt'>): Promise<SettledAttempt> {
  const deadline = Date.parse(expiresAt);
  const { obtainGrant } = proxyConnects(provider, 'exchange the code, read the account');
  try {
    showStep('EXCHANGE_CODE', 'The person has consented: exchanging the code for tokens, then reading the account.');
    await retryUntilDeadline(deadline, () => obtainGrant({ attemptId }));
    showStep('COMPLETE_ATTEMPT');
    return await retryUntilDeadline(deadline, () => completeAttempt({ attemptId }));
  } catch (error) {
    showStep('RECORD_END');
    // Ends the attempt by its id: that also finds a grant stored just before a time-out.
    return await endAttempt({ attemptId, end: endOf(error) });
  }
}

type OwnReason = 'POLICY_CHANGED' | 'REGISTRATION_PAUSED' | 'ACCOUNT_DISCONNECTING';

/** What a failed exchange is to the caller: every failure of a provider, and our own reasons. */
const RESULT_CODES: Readonly<Record<ProviderErrorType | 'DatabaseAway' | 'SchemaMismatch' | OwnReason, ResultCode>> = {
  PermissionMissing: 'MISSING_PERMISSION',
  AccountUnusable: 'ACCOUNT_UNUSABLE',
  RetryLater: 'PROVIDER_UNAVAILABLE',
  OwnRateLimit: 'PROVIDER_UNAVAILABLE',
  DatabaseAway: 'PROVIDER_UNAVAILABLE',
  QuotaSpent: 'PROVIDER_UNAVAILABLE',
  TokenStale: 'EXCHANGE_FAILED',
  GrantDead: 'EXCHANGE_FAILED',
  NotFound: 'EXCHANGE_FAILED',
  UnsupportedUrl: 'EXCHANGE_FAILED',
  ClientRejected: 'EXCHANGE_FAILED',
  ContractBroken: 'EXCHANGE_FAILED',
  SchemaMismatch: 'PROVIDER_UNAVAILABLE',
  POLICY_CHANGED: 'POLICY_CHANGED',
  REGISTRATION_PAUSED: 'REGISTRATION_PAUSED',
  ACCOUNT_DISCONNECTING: 'ACCOUNT_DISCONNECTING',
};

function endOf(error: unknown): Exclude<AttemptEnd, { status: 'COMPLETED' }> {
  const { type, outcomeUnknown } = readFailure(error);
  if (type === 'NotWanted') return { status: 'EXPIRED', resultCode: 'EXPIRED' };
  const codes: Readonly<Record<string, ResultCode>> = RESULT_CODES;
  const resultCode = outcomeUnknown ? 'EXCHANGE_FAILED' : (codes[type] ?? 'EXCHANGE_FAILED');
  // The provider may have accepted the code. Then a grant exists without its tokens, and only the person can end it.
  return { status: 'FAILED', resultCode, creatorAction: outcomeUnknown ? 'REMOVE_APP_AT_PROVIDER' : null };
}
