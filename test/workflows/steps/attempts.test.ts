import { describe, expect } from 'vitest';
import { FAILURE_TYPES } from '../../../src/basics/failures.ts';
import { FAILURE_TABLE } from '../../kit/failure-table.ts';
import { failure, newAttempt, newSignIn } from '../../kit/fake-activities.ts';
import { inTurn, readOutlines, readTranscripts, test } from '../transcripts.ts';

const late = failure('RetryLater');
const COMPLETED = { status: 'COMPLETED', resultCode: null } as const;
const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const UNFINISHED = { status: 'UNFINISHED', resultCode: null } as const;

describe('a Connect attempt', () => {
  const of = (activities: object) => ({ type: 'connectAttempt', input: newAttempt, activities });
  const TRY = ['obtainGrantInline', 'obtainGrant'];

  test('is retried after growing waits, not past its deadline, and ends as the database says', async ({ temporal }) => {
    const seen = await readOutlines(temporal, [
      of({
        obtainGrant: inTurn(
          late,
          failure('OwnRateLimit', { retryAfterSeconds: 3 }),
          failure('DatabaseAway' as never),
          failure('RetryLater', { retryAfterSeconds: 90 }),
          late,
          undefined,
        ),
        completeAttempt: inTurn(failure('SchemaMismatch'), COMPLETED),
      }),
      of({ obtainGrant: inTurn(failure('NotWanted')), endAttempt: inTurn(UNFINISHED, CANCELED) }),
      of({ obtainGrant: inTurn(failure('RetryLater', { retryAfterSeconds: 601 })) }),
    ]);
    const waits = ['waits 2 s', 'waits 3 s', 'waits 2 s', 'waits 90 s', 'waits 6 s'];
    expect(seen).toEqual([
      [
        ...waits.flatMap((wait) => [...TRY, wait]),
        ...[...TRY, 'completeAttempt', 'waits 30 s', 'completeAttempt'],
        'returns {"status":"COMPLETED","resultCode":null}',
      ],
      [...TRY, 'endAttempt', 'waits 5 s', ...TRY, 'endAttempt', `returns ${JSON.stringify(CANCELED)}`],
      [...TRY, 'endAttempt', 'returns {"status":"FAILED","resultCode":"PROVIDER_UNAVAILABLE"}'],
    ]);
  });

  test('ends with the code of its failure', async ({ temporal }) => {
    /** By the failure of an exchange that is not tried again, or only after a wait that is too long. */
    const endings = FAILURE_TYPES.map((type) => {
      const [resultCode, then] = FAILURE_TABLE[type].attempt.split(' ');
      return { type, resultCode, known: then === 'waits' ? { retryAfterSeconds: 601 } : {} };
    });
    // The platform did not answer, or our worker ended before it stored the answer.
    const unknown = (['RetryLater', 'Interrupted'] as const).map((type) => ({ type, known: { outcomeUnknown: true } }));
    const courses = [...endings, ...unknown].map(({ type, known }) =>
      of({ obtainGrant: inTurn(failure(type, known)) }),
    );
    const seen = (await readTranscripts(temporal, courses)).map((lines) =>
      lines.flatMap((line) => /^endAttempt .*"end":(.*)\}$/.exec(line)?.[1] ?? (/^waits/.test(line) ? [line] : [])),
    );
    const ends = endings.map(({ resultCode }) =>
      resultCode === 'EXPIRED'
        ? { status: resultCode, resultCode }
        : { status: 'FAILED', resultCode, creatorAction: null },
    );
    // The platform may have taken the code: then only the person can end the grant.
    const taken = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' };
    expect(seen).toEqual([...ends, taken, taken].map((end) => [JSON.stringify(end)]));
  });
});

test('a sign-in is tried again, and ends as the database says', async ({ temporal }) => {
  const of = (activities: object) => ({ type: 'identityAttempt', input: newSignIn, activities });
  const seen = await readOutlines(temporal, [
    of({ exchangeIdentityCode: inTurn(late, undefined), endIdentityAttempt: inTurn('PENDING', 'EXPIRED') }),
    of({ exchangeIdentityCode: inTurn(failure('ContractBroken')), endIdentityAttempt: async () => 'FAILED' }),
  ]);
  const TRY = ['exchangeIdentityCode', 'endIdentityAttempt'];
  expect(seen).toEqual([
    ['exchangeIdentityCode', 'waits 2 s', ...TRY, 'waits 5 s', ...TRY, 'returns "EXPIRED"'],
    [...TRY, 'returns "FAILED"'],
  ]);
});
