import type { WorkflowHandle } from '@temporalio/client';
import { expect } from 'vitest';
import { failure, until } from '../../kit/fake-activities.ts';
import { gate } from '../../kit/gate.ts';
import { type Line, TRANSCRIPT } from '../transcript-interceptor.ts';
import { inTurn, readOutlines, readTranscripts, test } from '../transcripts.ts';

const late = failure('RetryLater');

test('the verification of a grant asks until the platform answers, and resumes what is alive', async ({ temporal }) => {
  const of = (...answers: readonly unknown[]) => ({
    type: 'verifyGrant',
    input: { connectionId: 'c', provider: 'PROVIDER_B' },
    activities: { checkGrant: inTurn(...answers) },
  });
  const [dead, withdrawn, unusable, waiting] = await readOutlines(temporal, [
    of(failure('GrantDead')),
    of(failure('PermissionMissing')),
    of(failure('AccountUnusable')),
    of(
      failure('OwnRateLimit', { retryAfterSeconds: 6 }),
      failure('DatabaseAway' as never),
      late,
      failure('QuotaSpent', { retryAfterSeconds: 7_200 }),
      ...[late, late, late, late, late],
      failure('ContractBroken'),
      undefined,
    ),
  ]);
  const alive = ['checkGrant', 'resumeSibling', 'returns undefined'];
  expect(dead).toEqual(['checkGrant', 'returns undefined']);
  expect([withdrawn, unusable]).toEqual([alive, alive]);
  const seconds = [6, 1, 60, 3_600, 240, 480, 960, 1_920, 3_600, 3_600];
  expect(waiting).toEqual([...seconds.flatMap((one) => ['checkGrant', `waits ${one} s`]), ...alive]);
});

test('each connection beside a revoked one is verified, and none waits for another', async ({ temporal }) => {
  const first = gate();
  const answers: Record<string, () => Promise<unknown>> = {
    w: inTurn(failure('GrantDead')),
    x: inTurn(failure('RetryLater', { retryAfterSeconds: 300 }), undefined),
    y: inTurn(failure('OwnRateLimit', { retryAfterSeconds: 30 }), undefined),
  };
  const hasLine = (run: WorkflowHandle, start: string) => async () =>
    (await run.query<Line[]>(TRANSCRIPT)).some(({ text }) => text.startsWith(start));
  const [lines] = await readTranscripts(temporal, [
    {
      type: 'verifySiblings',
      input: { jobId: 'j', provider: 'PROVIDER_B' },
      activities: {
        listSiblings: async () => Object.keys(answers) as never,
        checkGrant: async ({ connectionId }: { connectionId: string }) => {
          if (connectionId === 'y') await first.opened;
          await answers[connectionId]?.();
        },
      },
      meanwhile: async (run) => {
        await until(hasLine(run, 'waits 300 s'));
        first.open();
      },
    },
  ]);
  const check = (id: string) => `checkGrant on PROVIDER_B-GRANTS, priority 3 {"connectionId":"${id}"}`;
  const resume = (id: string) => `resumeSibling queued {"connectionId":"${id}"}`;
  expect(lines).toEqual([
    ...['listSiblings queued {"jobId":"j"}', check('w'), check('x'), check('y'), 'waits 300 s', 'waits 30 s'],
    ...[check('y'), resume('y'), check('x'), resume('x'), 'returns undefined'],
  ]);
});
