import { describe, expect } from 'vitest';
import { failure, MINUTE_MS } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const until = (ms: number) => (nowMs: number) => ({
  attemptId: 'a',
  provider: 'PROVIDER_B',
  expiresAt: new Date(nowMs + ms).toISOString(),
});

/** By the failure of an exchange that is not tried again: how its attempt ends. */
const ENDINGS = [
  ['PermissionMissing', {}, 'MISSING_PERMISSION'],
  ['AccountUnusable', {}, 'ACCOUNT_UNUSABLE'],
  ['RetryLater', { retryAfterSeconds: 601 }, 'PROVIDER_UNAVAILABLE'],
  ['OwnRateLimit', { retryAfterSeconds: 601 }, 'PROVIDER_UNAVAILABLE'],
  ['DatabaseAway', { retryAfterSeconds: 601 }, 'INTERNAL'],
  ['SchemaMismatch', { retryAfterSeconds: 601 }, 'INTERNAL'],
  ['QuotaSpent', {}, 'PROVIDER_UNAVAILABLE'],
  ['TokenStale', {}, 'EXCHANGE_FAILED'],
  ['GrantDead', {}, 'EXCHANGE_FAILED'],
  ['NotFound', {}, 'EXCHANGE_FAILED'],
  ['UnsupportedUrl', {}, 'EXCHANGE_FAILED'],
  ['ClientRejected', {}, 'CLIENT_REFUSED'],
  ['ContractBroken', {}, 'EXCHANGE_FAILED'],
  ['Unexpected', {}, 'INTERNAL'],
  ['POLICY_CHANGED', {}, 'POLICY_CHANGED'],
  ['REGISTRATION_PAUSED', {}, 'REGISTRATION_PAUSED'],
  ['ACCOUNT_DISCONNECTING', {}, 'ACCOUNT_DISCONNECTING'],
] as const;

describe('a Connect attempt', () => {
  test('ends with the code of its failure', async ({ temporal }) => {
    const courses = ENDINGS.map(([type, known]) => ({
      type: 'connectAttempt',
      input: until(10 * MINUTE_MS),
      activities: { obtainGrant: inTurn(failure(type as never, known)) },
    }));
    const seen = (await readTranscripts(temporal, courses)).map((lines) =>
      lines.filter((line) => /^(end|wait)/.test(line)),
    );
    const ends = ENDINGS.map(([, , resultCode]) => [
      'endAttempt local (end the attempt in its row) ' +
        `{"attemptId":"a","end":{"status":"FAILED","resultCode":"${resultCode}","creatorAction":null}}`,
    ]);
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
