import { expect } from 'vitest';
import { failure, MINUTE_MS } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const signIn = (nowMs: number) => ({ attemptId: 'a', expiresAt: new Date(nowMs + 10 * MINUTE_MS).toISOString() });

const START = [
  'EXCHANGE_CODE: The person has signed in: exchanging the code for claims.',
  'exchangeIdentityCode on IDENTITY, priority 1 (exchange the code) {"attemptId":"a"}',
];
const end = (status: string) => [
  'RECORD_END',
  `endIdentityAttempt local (end the sign-in in its row) {"attemptId":"a","status":"${status}"}`,
];

test('a sign-in: its steps, calls, waits and result', async ({ temporal }) => {
  const type = 'identityAttempt';
  const seen = await readTranscripts(temporal, [
    { type, input: signIn },
    {
      type,
      input: signIn,
      activities: {
        exchangeIdentityCode: inTurn(failure('RetryLater'), undefined),
        endIdentityAttempt: inTurn('PENDING', 'EXPIRED'),
      },
    },
    {
      type,
      input: signIn,
      activities: {
        exchangeIdentityCode: inTurn(failure('ContractBroken')),
        endIdentityAttempt: async () => 'FAILED',
      },
    },
  ]);
  expect(seen).toEqual([
    [...START, ...end('EXPIRED'), 'ENDED: Ended COMPLETED.', 'returns "COMPLETED"'],
    [
      ...START,
      'EXCHANGE_CODE, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for 2000 ms',
      'waits 2000 ms (next try: RetryLater)',
      'EXCHANGE_CODE, 1 tries, PROVIDER_UNAVAILABLE',
      START[1],
      ...end('EXPIRED'),
      "waits 5000 ms (the database's clock is behind)",
      'EXCHANGE_CODE',
      START[1],
      ...end('EXPIRED'),
      'ENDED: Ended EXPIRED.',
      'returns "EXPIRED"',
    ],
    [...START, ...end('FAILED'), 'ENDED: Ended FAILED. Cause: ContractBroken.', 'returns "FAILED"'],
  ]);
});
