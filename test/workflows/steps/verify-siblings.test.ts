import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect } from 'vitest';
import { failure, gate, until } from '../../kit/fake-activities.ts';
import { type Line, TRANSCRIPT } from '../transcript-interceptor.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const type = 'verifySiblings';
const input = { jobId: 'j', provider: 'PROVIDER_B' };
const LIST = ['VERIFY', 'listSiblings queued () {"jobId":"j"}'];
const check = (id: string) => `checkGrant on PROVIDER_B-GRANTS, priority 3 (check the grant) {"connectionId":"${id}"}`;
const resume = (id: string) => `resumeSibling queued () {"connectionId":"${id}"}`;

/** The answers about each connection. */
const answer = (answers: Record<string, () => Promise<unknown>>) => ({
  listSiblings: async () => Object.keys(answers) as never,
  checkGrant: async ({ connectionId }: { connectionId: string }) => void (await answers[connectionId]?.()),
});
const hasLine = (run: WorkflowHandle, start: string) => async () =>
  (await run.query<Line[]>(TRANSCRIPT)).some(({ text }) => text.startsWith(start));

describe('the verification of the connections beside a revoked one', () => {
  test('its steps, calls and waits', async ({ temporal }) => {
    const first = gate();
    const x = inTurn(failure('RetryLater', { retryAfterSeconds: 300 }), undefined);
    const y = inTurn(failure('OwnRateLimit', { retryAfterSeconds: 30 }), undefined);
    const seen = await readTranscripts(temporal, [
      { type, input },
      { type, input, activities: answer({ x: inTurn(failure('GrantDead')) }) },
      {
        type,
        input,
        activities: answer({ x, y: () => first.opened.then(y) }),
        meanwhile: async (run) => {
          await until(hasLine(run, 'waits 300000 ms'));
          first.open();
        },
      },
    ]);
    const left = (count: number, total: number) => `${count} of ${total} connection(s) not verified yet.`;
    expect(seen).toEqual([
      [...LIST, `ENDED, 0 of 0: ${left(0, 0)}`, 'returns undefined'],
      [...LIST, `VERIFY, 0 of 1: ${left(1, 1)}`, check('x'), `ENDED, 1 of 1: ${left(0, 1)}`, 'returns undefined'],
      [
        ...LIST,
        `VERIFY, 0 of 2: ${left(2, 2)}`,
        check('x'),
        check('y'),
        'waits 300000 ms (next check: RetryLater)',
        'VERIFY, 0 of 2, PROVIDER_RATE_LIMITED, RATE_LIMIT for 30000 ms',
        'waits 30000 ms (next check: OwnRateLimit)',
        'VERIFY, 0 of 2, PROVIDER_RATE_LIMITED',
        check('y'),
        resume('y'),
        expect.stringMatching(
          /^VERIFY, 1 of 2, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for 2\d{5} ms: 1 of 2 connection/,
        ),
        'VERIFY, 1 of 2, 1 tries, PROVIDER_UNAVAILABLE',
        check('x'),
        resume('x'),
        `ENDED, 2 of 2: ${left(0, 2)}`,
        'returns undefined',
      ],
    ]);
  });
});
