import * as wf from '@temporalio/workflow';
import type { ProviderErrorType, ResultCode } from '../basics/codes.ts';
import type { AttemptEnd } from '../store/attempts/attempts.ts';
import { inPlace, proxyConnects } from './calls.ts';
import { ATTEMPT_ENDED, CALLBACK_ARRIVED, type InputOf } from './contract.ts';
import { showStep, showWait } from './progress.ts';
import { readFailure } from './read-failure.ts';
import type { SettledAttempt } from './results.ts';
import { retryUntilDeadline } from './retry-until-deadline.ts';

/** @internal */
export const callbackArrived = wf.defineSignal(CALLBACK_ARRIVED);
/** @internal */
export const attemptEnded = wf.defineSignal(ATTEMPT_ENDED);

const completeAttempt = inPlace('completeAttempt', { summary: 'create the connection', throwsRefusals: true });
const endAttempt = inPlace('endAttempt', { summary: 'end the attempt in its row' });

/**
 * Waits until the callback has arrived, the attempt has ended or expires. @returns a function that tells whether there is a
 * code to exchange.
 */
export async function waitForCallback(expiresAt: string, summary: string): Promise<() => boolean> {
  let arrived = false;
  let ended = false;
  wf.setHandler(callbackArrived, () => {
    arrived = true;
  });
  wf.setHandler(attemptEnded, () => {
    ended = true;
  });
  showWait('PERSON', expiresAt);
  const patienceMs = Math.max(1, Date.parse(expiresAt) - Date.now()); // Workflow time: the same on replay.
  await wf.condition(() => arrived || ended, patienceMs, { summary });
  return () => arrived && !ended;
}

/** Only the database's clock says that an attempt has expired. If ours is ahead, we ask again after this time. */
const ASK_AGAIN_MS = 5_000;

/**
 * Repeats `settle` until the attempt has ended in its row.
 * @param settle is told whether there is a code to exchange. @returns undefined while the database says that it goes on
 */
export async function settleInRow<T>(
  hasArrived: () => boolean,
  settle: (arrived: boolean) => Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    const settled = await settle(hasArrived());
    if (settled !== undefined) return settled;
    await wf.sleep(ASK_AGAIN_MS, { summary: "the database's clock is behind" });
  }
}

/** Runs one attempt from its launch to a connection, or to a recorded reason for having none. */
export async function connectAttempt(input: InputOf<'connectAttempt'>): Promise<SettledAttempt> {
  showStep('WAIT_FOR_PERSON', 'Waiting for the person at the provider.');
  const hasArrived = await waitForCallback(input.expiresAt, 'authorization deadline');
  // Cancelable until here. Once a code has arrived, the attempt runs to its end, so that no grant stays unknown to us.
  return await wf.CancellationScope.nonCancellable(async () => {
    const settled = await settleInRow(hasArrived, async (arrived) => {
      const { status, resultCode } = await (arrived ? connect(input) : end(input));
      return status === 'UNFINISHED' ? undefined : { status, resultCode };
    });
    showStep('ENDED', `Ended ${settled.status}${settled.resultCode === null ? '' : `, ${settled.resultCode}`}.`);
    return settled;
  });
}

/** Ends the attempt as EXPIRED, unless its row has ended already, and reads how it ended. */
async function end({ attemptId }: InputOf<'connectAttempt'>): Promise<SettledAttempt> {
  showStep('RECORD_END');
  return await endAttempt({ attemptId, end: { status: 'EXPIRED', resultCode: 'EXPIRED' } });
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
