import { expect } from 'vitest';
import { failure, MINUTE_MS } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const attempt = (nowMs: number) => ({
  attemptId: 'a',
  provider: 'PROVIDER_B',
  expiresAt: new Date(nowMs + 10 * MINUTE_MS).toISOString(),
});
const COMPLETED = { status: 'COMPLETED', resultCode: null } as const;
const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const UNFINISHED = { status: 'UNFINISHED', resultCode: null } as const;

const CONSENTED = 'The person has consented: exchanging the code for tokens, then reading the account.';
/** Inline first; the fakes leave each step to its queue. */
const EXCHANGE = [
  'obtainGrantInline local (exchange the code, read the account) {"provider":"PROVIDER_B","input":{"attemptId":"a"}}',
  'obtainGrant on PROVIDER_B-CONNECTS, priority 1 (exchange the code, read the account) {"attemptId":"a"}',
];
const CREATE = ['COMPLETE_ATTEMPT', 'completeAttempt local (create the connection) {"attemptId":"a"}'];
const end = (how: string) => ['RECORD_END', `endAttempt local (end the attempt in its row) {"attemptId":"a",${how}}`];

test('a Connect attempt: its steps, calls, waits and result', async ({ temporal }) => {
  const type = 'connectAttempt';
  const seen = await readTranscripts(temporal, [
    { type, input: attempt },
    {
      type,
      input: attempt,
      activities: {
        obtainGrant: inTurn(
          failure('RetryLater'),
          failure('OwnRateLimit', { retryAfterSeconds: 3 }),
          failure('DatabaseAway' as never),
          failure('RetryLater', { retryAfterSeconds: 90 }),
          failure('RetryLater'),
          undefined,
        ),
        completeAttempt: inTurn(failure('SchemaMismatch'), COMPLETED),
      },
    },
    {
      type,
      input: attempt,
      activities: {
        obtainGrant: inTurn(failure('NotWanted')),
        endAttempt: inTurn(UNFINISHED, CANCELED),
      },
    },
    { type, input: attempt, activities: { obtainGrant: inTurn(failure('RetryLater', { retryAfterSeconds: 601 })) } },
  ]);
  expect(seen).toEqual([
    [
      `EXCHANGE_CODE: ${CONSENTED}`,
      ...EXCHANGE,
      ...CREATE,
      'ENDED: Ended COMPLETED.',
      'returns {"status":"COMPLETED","resultCode":null}',
    ],
    [
      `EXCHANGE_CODE: ${CONSENTED}`,
      ...EXCHANGE,
      'EXCHANGE_CODE, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for 2000 ms',
      'waits 2000 ms (next try: RetryLater)',
      'EXCHANGE_CODE, 1 tries, PROVIDER_UNAVAILABLE',
      ...EXCHANGE,
      'EXCHANGE_CODE, 1 tries, PROVIDER_RATE_LIMITED, RATE_LIMIT for 3000 ms',
      'waits 3000 ms (next try: OwnRateLimit)',
      'EXCHANGE_CODE, 1 tries, PROVIDER_RATE_LIMITED',
      ...EXCHANGE,
      'EXCHANGE_CODE, 1 tries, INTERNAL, NEXT_TRY for 2000 ms',
      'waits 2000 ms (next try: DatabaseAway)',
      'EXCHANGE_CODE, 1 tries, INTERNAL',
      ...EXCHANGE,
      'EXCHANGE_CODE, 2 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for 90000 ms',
      'waits 90000 ms (next try: RetryLater)',
      'EXCHANGE_CODE, 2 tries, PROVIDER_UNAVAILABLE',
      ...EXCHANGE,
      'EXCHANGE_CODE, 3 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for 6000 ms',
      'waits 6000 ms (next try: RetryLater)',
      'EXCHANGE_CODE, 3 tries, PROVIDER_UNAVAILABLE',
      ...EXCHANGE,
      ...CREATE,
      'COMPLETE_ATTEMPT, 1 tries, INTERNAL, NEXT_TRY for 30000 ms',
      'waits 30000 ms (next try: SchemaMismatch)',
      'COMPLETE_ATTEMPT, 1 tries, INTERNAL',
      CREATE[1],
      'ENDED: Ended COMPLETED.',
      'returns {"status":"COMPLETED","resultCode":null}',
    ],
    [
      `EXCHANGE_CODE: ${CONSENTED}`,
      ...EXCHANGE,
      ...end('"end":{"status":"EXPIRED","resultCode":"EXPIRED"}'),
      "waits 5000 ms (the database's clock is behind)",
      'EXCHANGE_CODE',
      ...EXCHANGE,
      ...end('"end":{"status":"EXPIRED","resultCode":"EXPIRED"}'),
      'ENDED: Ended CANCELED, CANCELED.',
      'returns {"status":"CANCELED","resultCode":"CANCELED"}',
    ],
    [
      `EXCHANGE_CODE: ${CONSENTED}`,
      ...EXCHANGE,
      ...end('"end":{"status":"FAILED","resultCode":"PROVIDER_UNAVAILABLE","creatorAction":null}'),
      'ENDED: Ended FAILED, PROVIDER_UNAVAILABLE. Cause: RetryLater.',
      'returns {"status":"FAILED","resultCode":"PROVIDER_UNAVAILABLE"}',
    ],
  ]);
});
