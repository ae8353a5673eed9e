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
    let cause: string | undefined;
    const settled = await settleInRow(async () => {
      const { status, resultCode } = await connect(input, (error) => {
        cause = describeCause(error);
      });
      return status === 'UNFINISHED' ? undefined : { status, resultCode };
    });
    const ended = [settled.status, settled.resultCode].filter((code) => code !== null).join(', ');
    showStep(
      'ENDED',
      `Ended ${ended}.${settled.status === 'FAILED' && cause !== undefined ? ` Cause: ${cause}.` : ''}`,
    );
    return settled;
  });
}

async function connect(
  { attemptId, provider, expiresAt }: InputOf<'connectAttempt'>,
  noteFailure: (error: unknown) => void,
): Promise<SettledAttempt> {
  const deadline = Date.parse(expiresAt);
  const { obtainGrant } = proxyConnects(provider, 'exchange the code, read the account');
  try {
    showStep('EXCHANGE_CODE', 'The person has consented: exchanging the code for tokens, then reading the account.');
    await retryUntilDeadline(deadline, () => obtainGrant({ attemptId }));
    showStep('COMPLETE_ATTEMPT');
    return await retryUntilDeadline(deadline, () => completeAttempt({ attemptId }));
  } catch (error) {
    noteFailure(error);
    showStep('RECORD_END');
    // Ends the attempt by its id: that also finds a grant stored just before a time-out.
    return await endAttempt({ attemptId, end: endOf(error) });
  }
}

type OwnReason = 'POLICY_CHANGED' | 'REGISTRATION_PAUSED' | 'ACCOUNT_DISCONNECTING';
type OwnFault = 'Interrupted' | 'DatabaseAway' | 'SchemaMismatch' | 'DataRefused' | 'Unexpected';

/** What a failed exchange is to the caller: every failure of a provider, every fault of ours, and our own reasons. */
const RESULT_CODES: Readonly<Record<ProviderErrorType | OwnFault | OwnReason, ResultCode>> = {
  PermissionMissing: 'MISSING_PERMISSION',
  AccountUnusable: 'ACCOUNT_UNUSABLE',
  AccountMismatch: 'ACCOUNT_MISMATCH',
  ClientRejected: 'CLIENT_REFUSED',
  RetryLater: 'PROVIDER_UNAVAILABLE',
  OwnRateLimit: 'PROVIDER_UNAVAILABLE',
  QuotaSpent: 'PROVIDER_UNAVAILABLE',
  TokenStale: 'EXCHANGE_FAILED',
  GrantDead: 'EXCHANGE_FAILED',
  NotFound: 'EXCHANGE_FAILED',
  UnsupportedUrl: 'EXCHANGE_FAILED',
  ContractBroken: 'EXCHANGE_FAILED',
  Interrupted: 'INTERNAL',
  DatabaseAway: 'INTERNAL',
  SchemaMismatch: 'INTERNAL',
  DataRefused: 'INTERNAL',
  Unexpected: 'INTERNAL',
  POLICY_CHANGED: 'POLICY_CHANGED',
  REGISTRATION_PAUSED: 'REGISTRATION_PAUSED',
  ACCOUNT_DISCONNECTING: 'ACCOUNT_DISCONNECTING',
};

/** Failures that say that the provider did not respond, which is not so if the code was sent and only its answer is missing. */
const NO_ANSWER: ResultCode = 'PROVIDER_UNAVAILABLE';

function endOf(error: unknown): Exclude<AttemptEnd, { status: 'COMPLETED' }> {
  const { type, outcomeUnknown } = readFailure(error);
  if (type === 'NotWanted') return { status: 'EXPIRED', resultCode: 'EXPIRED' };
  const codes: Readonly<Record<string, ResultCode>> = RESULT_CODES;
  const known = codes[type] ?? 'INTERNAL';
  const resultCode = outcomeUnknown && known === NO_ANSWER ? 'EXCHANGE_FAILED' : known;
  // The provider may have accepted the code. Then a grant exists without its tokens, and only the person can end it.
  return { status: 'FAILED', resultCode, creatorAction: outcomeUnknown ? 'REMOVE_APP_AT_PROVIDER' : null };
}

/** What came back, for the Temporal UI. The platform's own codes are only in the attempt's row. */
export function describeCause(error: unknown): string {
  const { type, answer } = readFailure(error);
  return answer === null ? type : `${type}, ${answer}`;
}
