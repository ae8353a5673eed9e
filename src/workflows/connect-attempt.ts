import * as wf from '@temporalio/workflow';
import { findAttemptCode } from '../basics/failures.ts';
import type { AttemptEnd } from '../store/attempts/attempts.ts';
import { callSoon, localStep, proxyConnects } from './calls.ts';
import type { InputOf } from './contract.ts';
import { showEnd, showStep } from './progress.ts';
import { readFailure } from './read-failure.ts';
import type { SettledAttempt } from './results.ts';
import { retryUntilDeadline } from './retry-until-deadline.ts';

const completeAttempt = localStep('completeAttempt', { summary: 'create the connection', throwsRefusals: true });
const endAttempt = localStep('endAttempt', { summary: 'end the attempt in its row' });

/** Only the database's clock decides that an attempt has expired. If ours is ahead, we ask again after this time. */
const ASK_AGAIN_MS = 5_000;

/** Repeats `settle` until the attempt has ended in its row. @returns undefined while it continues according to the database */
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
    const failed = settled.status === 'FAILED';
    showEnd(
      `Ended ${ended}.${failed && cause !== undefined ? ` Cause: ${cause}.` : ''}`,
      failed ? settled.resultCode : null,
    );
    return settled;
  });
}

async function connect(
  { attemptId, provider, expiresAt }: InputOf<'connectAttempt'>,
  noteFailure: (error: unknown) => void,
): Promise<SettledAttempt> {
  const deadline = Date.parse(expiresAt);
  const label = 'exchange the code, read the account';
  const queued = proxyConnects(provider, label);
  try {
    showStep('EXCHANGE_CODE', 'The person has consented: exchanging the code for tokens, then reading the account.');
    await retryUntilDeadline(deadline, () => callSoon(provider, 'obtainGrant', { attemptId }, queued, label));
    showStep('COMPLETE_ATTEMPT');
    return await retryUntilDeadline(deadline, () => completeAttempt({ attemptId }));
  } catch (error) {
    noteFailure(error);
    showStep('RECORD_END');
    // Ends the attempt by its id: that also finds a grant stored just before a time-out.
    return await endAttempt({ attemptId, end: endOf(error) });
  }
}

function endOf(error: unknown): Exclude<AttemptEnd, { status: 'COMPLETED' }> {
  const { type, outcomeUnknown } = readFailure(error);
  const resultCode = findAttemptCode(type, { wasSent: outcomeUnknown });
  if (resultCode === 'EXPIRED') return { status: resultCode, resultCode };
  // The provider may have accepted the code. Then a grant exists without its tokens, and only the person can end it.
  return { status: 'FAILED', resultCode, creatorAction: outcomeUnknown ? 'REMOVE_APP_AT_PROVIDER' : null };
}

/** The callback's outcome, for the Temporal UI. The platform's own codes are only in the attempt's row. */
export function describeCause(error: unknown): string {
  const { type, answer } = readFailure(error);
  return answer === null ? type : `${type}, ${answer}`;
}
