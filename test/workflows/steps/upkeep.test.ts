import { expect } from 'vitest';
import { failure } from '../../kit/fake-activities.ts';
import { inTurn, readOutlines, readTranscripts, test } from '../transcripts.ts';

const input = { connectionId: 'c', provider: 'PROVIDER_B' };
const of = (...answers: readonly unknown[]) => ({
  type: 'connectionUpkeep',
  input,
  activities: { checkGrant: inTurn(...answers) },
});

test('upkeep waits for our own limits', async ({ temporal }) => {
  const limited = failure('OwnRateLimit', { retryAfterSeconds: 6 });
  const [lines] = await readOutlines(temporal, [of(limited, failure('DatabaseAway' as never), undefined)]);
  expect(lines).toEqual(['checkGrant', 'waits 6 s', 'checkGrant', 'waits 1 s', 'checkGrant', 'returns undefined']);
});

/** The seconds until upkeep is due again after a failure, and whether operators see that it has failed. */
const POSTPONED = [
  ['RetryLater', {}, 21_600, true],
  ['RetryLater', { retryAfterSeconds: 10 }, 21_600, true],
  ['RetryLater', { retryAfterSeconds: 10, isUnconfirmed: true }, 10, true], // The row makes a minute of it.
  ['QuotaSpent', { retryAfterSeconds: 100_000 }, 100_000, true],
  ['ContractBroken', {}, 86_400, true],
  ['PermissionMissing', {}, 86_400, false],
] as const;

test('upkeep is due again after each failure, except that of a dead grant', async ({ temporal }) => {
  const courses = [...POSTPONED, ['GrantDead', {}] as const].map(([type, known]) => of(failure(type, known)));
  const seen = (await readTranscripts(temporal, courses)).map((lines) => lines.slice(1, -1));
  const postponed = POSTPONED.map(([, , seconds, hasFailed]) => [
    `postponeUpkeep queued {"connectionId":"c","seconds":${seconds},"hasFailed":${hasFailed}}`,
  ]);
  expect(seen).toEqual([...postponed, []]);
});
