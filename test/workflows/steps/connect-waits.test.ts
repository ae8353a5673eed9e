import { expect } from 'vitest';
import { failure } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const until = (ms: number) => (nowMs: number) => ({
  attemptId: 'a',
  provider: 'PROVIDER_B',
  expiresAt: new Date(nowMs + ms).toISOString(),
});

test('a Connect attempt waits longer after each failure, half a minute at most, and no longer than until its deadline', async ({
  temporal,
}) => {
  const [lines] = await readTranscripts(temporal, [
    {
      type: 'connectAttempt',
      input: until(276_000),
      activities: { obtainGrant: inTurn(failure('RetryLater')) },
    },
  ]);
  const seconds = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 30];
  expect(lines?.filter((line) => line.startsWith('waits'))).toEqual(
    seconds.map((wait) => `waits ${wait}000 ms (next try: RetryLater)`),
  );
});
