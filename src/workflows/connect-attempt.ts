import * as wf from '@temporalio/workflow';
import type { SettledAttempt } from '../activities/settle-attempt.ts';
import type { AttemptEnd, ResultCode } from '../store/attempts.ts';
import { atProvider, store } from './calls.ts';
import { CALLBACK_ARRIVED, type ConnectAttemptInput } from './contract.ts';
import { failureOf } from './failure.ts';

export const callbackArrived = wf.defineSignal(CALLBACK_ARRIVED);

const MS_BETWEEN_TRIES = 2_000;

/** Carries one attempt from launch to a connection, or to a recorded reason why there is none. */
export async function connectAttempt(input: ConnectAttemptInput): Promise<SettledAttempt> {
  let arrived = false;
  wf.setHandler(callbackArrived, () => {
    arrived = true;
  });
  wf.setCurrentDetails('Waiting for the person at the provider.');
  const deadline = Date.parse(input.expiresAt);
  const patienceMs = Math.max(1, deadline - Date.now()); // Workflow time: the same on replay.
  await wf.condition(() => arrived, patienceMs, { summary: 'authorization deadline' });
  // Cancelable until here. Once a code has come it is seen through: a grant nobody knows of is worse.
  return await wf.CancellationScope.nonCancellable(async () => {
    // Also asked without a callback: its signal may still be in the outbox while its row has moved on.
    const settled = await (arrived ? connect(input, deadline) : expire(input));
    wf.setCurrentDetails(`Ended ${settled.status}${settled.resultCode === null ? '' : `, ${settled.resultCode}`}.`);
    return settled;
  });
}

const expire = ({ attemptId }: ConnectAttemptInput) =>
  store.endAttempt({ attemptId, end: { status: 'EXPIRED', resultCode: 'EXPIRED' } });

async function connect(input: ConnectAttemptInput, deadline: number): Promise<SettledAttempt> {
  const { attemptId, provider } = input;
  const { exchangeCode } = atProvider(provider, 'code for tokens');
  const { readAccount } = atProvider(provider, 'whose account');
  try {
    wf.setCurrentDetails('The person has agreed: trading the code for tokens.');
    await untilDeadline(deadline, () => exchangeCode({ attemptId }));
    wf.setCurrentDetails('Reading whose account it is.');
    await untilDeadline(deadline, () => readAccount({ attemptId }));
    return await store.completeAttempt({ attemptId });
  } catch (error) {
    // By the attempt's id: it also finds a grant stored just before a time-out.
    return await store.endAttempt({ attemptId, end: endOf(error) });
  }
}

/** A person waits: trouble that may pass is tried again every few seconds, as long as the attempt lasts. */
async function untilDeadline(deadline: number, call: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const { type, retryAfterSeconds, outcomeUnknown } = failureOf(error);
      const waitMs = Math.max((retryAfterSeconds ?? 0) * 1000, MS_BETWEEN_TRIES * Math.min(tries, 15));
      const mayPass = type === 'RetryLater' && !outcomeUnknown && Date.now() + waitMs < deadline;
      if (!mayPass) throw error;
      await wf.sleep(waitMs, { summary: 'provider not reachable: next try' });
    }
  }
}

const RESULT_CODES: Readonly<Record<string, ResultCode>> = {
  PermissionMissing: 'MISSING_PERMISSION',
  AccountUnusable: 'MISSING_PERMISSION',
  RetryLater: 'PROVIDER_UNAVAILABLE',
  QuotaSpent: 'PROVIDER_UNAVAILABLE',
};

function endOf(error: unknown): AttemptEnd {
  const { type, outcomeUnknown } = failureOf(error);
  if (type === 'NotWanted') return { status: 'EXPIRED', resultCode: 'EXPIRED' };
  const resultCode = outcomeUnknown ? 'EXCHANGE_FAILED' : (RESULT_CODES[type] ?? 'EXCHANGE_FAILED');
  // The code may have been taken: then a grant exists that nobody holds, and only the person can end it.
  return { status: 'FAILED', resultCode, creatorAction: outcomeUnknown ? 'REMOVE_APP_AT_PROVIDER' : null };
}
