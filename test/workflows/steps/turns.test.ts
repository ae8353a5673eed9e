import { expect } from 'vitest';
import { type Course, inTurn, readLines, test } from '../transcripts.ts';

const job = { jobId: 'j', connectionId: 'c', provider: 'PROVIDER_B' };
const [FIRST, LAST] = ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-00000001ffff'];

test('the place of a call: bulk work is last unless a caller waits for it; apps take turns', async ({ temporal }) => {
  const courses: Course[] = [
    { type: 'scan', input: job, appId: FIRST },
    { type: 'verifyGrant', input: job, appId: LAST },
    { type: 'sendWebhooks', input: { endpointId: 'w' }, appId: LAST },
    { type: 'revokeGrant', input: job, priorityKey: 5 },
    { type: 'scan', input: job, priorityKey: 5, activities: { runScanStep: inTurn({ done: false }, { done: true }) } },
    { type: 'connectionUpkeep', input: { ...job, urgency: 'SOON' }, priorityKey: 4 },
  ];
  const seen = (await readLines(temporal, courses)).map((lines) =>
    lines.flatMap(({ text, options = {} }) => {
      const { priority = null } = options as { priority?: object };
      return priority === null ? [] : [[text.split(' ')[0], priority]];
    }),
  );
  const first = { fairnessKey: FIRST, fairnessWeight: expect.closeTo(1 / 0.9, 10) };
  const last = { fairnessKey: LAST, fairnessWeight: expect.closeTo(1 / 1.1, 10) };
  expect(seen).toEqual([
    [['runScanStep', { priorityKey: 3, ...first }]],
    [['checkGrant', { priorityKey: 3, ...last }]],
    [['sendDueWebhooks', last]],
    [['tryRevoke', { priorityKey: 5 }]],
    [
      ['runScanStep', { priorityKey: 3 }],
      ['runScanStep', { priorityKey: 3 }],
    ],
    [['checkGrant', { priorityKey: 2 }]],
  ]);
});
