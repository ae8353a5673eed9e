import { describe, expect } from 'vitest';
import { failure } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const type = 'verifyGrant';
const input = { connectionId: 'c', provider: 'PROVIDER_B' };
const START = 'VERIFY: The grant may have ended: asking its platform.';
const CHECK = 'checkGrant on PROVIDER_B-GRANTS, priority 3 (check the grant) {"connectionId":"c"}';
const RESUME = 'resumeSibling queued () {"connectionId":"c"}';
const END = ['ENDED: The platform has answered; the connection shows the result.', 'returns undefined'];
const late = failure('RetryLater');

/** The state and steps of a run while it waits after a failure, until it asks again. */
const waits = (seconds: number, type: string, tries: number, code: string, waitingFor = 'NEXT_TRY') => {
  const shown = ['VERIFY', ...(tries > 0 ? [`${tries} tries`] : []), code].join(', ');
  return [`${shown}, ${waitingFor} for ${seconds}000 ms`, `waits ${seconds}000 ms (next check: ${type})`, shown, CHECK];
};

describe('the verification of a grant', () => {
  test('its steps, calls and waits', async ({ temporal }) => {
    const of = (checkGrant: () => Promise<undefined>) => ({ type, input, activities: { checkGrant } });
    const seen = await readTranscripts(temporal, [
      { type, input },
      of(inTurn(failure('GrantDead'))),
      of(inTurn(failure('PermissionMissing'))),
      of(inTurn(failure('AccountUnusable'))),
      of(
        inTurn(
          failure('OwnRateLimit', { retryAfterSeconds: 6 }),
          failure('DatabaseAway' as never),
          late,
          failure('QuotaSpent', { retryAfterSeconds: 7_200 }),
          late,
          late,
          late,
          late,
          late,
          failure('ContractBroken'),
          undefined,
        ),
      ),
    ]);
    expect(seen).toEqual([
      [START, CHECK, RESUME, ...END],
      [START, CHECK, ...END],
      [START, CHECK, RESUME, ...END],
      [START, CHECK, RESUME, ...END],
      [
        START,
        CHECK,
        ...waits(6, 'OwnRateLimit', 0, 'PROVIDER_RATE_LIMITED', 'RATE_LIMIT'),
        ...waits(1, 'DatabaseAway', 0, 'INTERNAL'),
        ...waits(60, 'RetryLater', 1, 'PROVIDER_UNAVAILABLE'),
        ...waits(3600, 'QuotaSpent', 2, 'PROVIDER_RATE_LIMITED'),
        ...waits(240, 'RetryLater', 3, 'PROVIDER_UNAVAILABLE'),
        ...waits(480, 'RetryLater', 4, 'PROVIDER_UNAVAILABLE'),
        ...waits(960, 'RetryLater', 5, 'PROVIDER_UNAVAILABLE'),
        ...waits(1920, 'RetryLater', 6, 'PROVIDER_UNAVAILABLE'),
        ...waits(3600, 'RetryLater', 7, 'PROVIDER_UNAVAILABLE'),
        ...waits(3600, 'ContractBroken', 8, 'PROVIDER_CONTRACT'),
        RESUME,
        ...END,
      ],
    ]);
  });
});
