import { describe, expect } from 'vitest';
import { FAILURE_TYPES } from '../../../src/basics/failures.ts';
import { FAILURE_TABLE } from '../../kit/failure-table.ts';
import { failure, MINUTE_MS } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const until = (ms: number) => (nowMs: number) => ({
  attemptId: 'a',
  provider: 'PROVIDER_B',
  expiresAt: new Date(nowMs + ms).toISOString(),
});

/** By the failure of an exchange that is not tried again, or only after a wait that is too long: how its attempt ends. */
const ENDINGS = FAILURE_TYPES.map((type) => {
  const [resultCode, then] = FAILURE_TABLE[type].attempt.split(' ');
  return { type, resultCode, known: then === 'waits' ? { retryAfterSeconds: 601 } : {} };
});

describe('a Connect attempt', () => {
  test('ends with the code of its failure', async ({ temporal }) => {
    const courses = ENDINGS.map(({ type, known }) => ({
      type: 'connectAttempt',
      input: until(10 * MINUTE_MS),
      activities: { obtainGrant: inTurn(failure(type, known)) },
    }));
    const seen = (await readTranscripts(temporal, courses)).map((lines) =>
      lines.filter((line) => /^(end|wait)/.test(line)),
    );
    const ends = ENDINGS.map(({ resultCode }) => {
      const end =
        resultCode === 'EXPIRED'
          ? { status: resultCode, resultCode }
          : { status: 'FAILED', resultCode, creatorAction: null };
      return [`endAttempt local (end the attempt in its row) ${JSON.stringify({ attemptId: 'a', end })}`];
    });
    expect(seen).toEqual(ends);
  });

  test('is not tried again if the provider may have taken the code: then only the person can end the grant', async ({
    temporal,
  }) => {
    const [lines] = await readTranscripts(temporal, [
      {
        type: 'connectAttempt',
        input: until(10 * MINUTE_MS),
        activities: { obtainGrant: inTurn(failure('RetryLater', { outcomeUnknown: true })) },
      },
    ]);
    expect(lines?.slice(3)).toEqual([
      'RECORD_END',
      'endAttempt local (end the attempt in its row) {"attemptId":"a","end":' +
        '{"status":"FAILED","resultCode":"EXCHANGE_FAILED","creatorAction":"REMOVE_APP_AT_PROVIDER"}}',
      'ENDED: Ended FAILED, EXCHANGE_FAILED. Cause: RetryLater.',
      'returns {"status":"FAILED","resultCode":"EXCHANGE_FAILED"}',
    ]);
  });
});
