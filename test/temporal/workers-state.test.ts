import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { completeByReport } from '../../src/domain/work-state/complete-workers.ts';
import { askWorkers } from '../../src/temporal/workers-state.ts';

/** A Temporal that has seen polls of workers this many seconds ago. */
function temporalWith(pollsAgo: readonly number[]): { client: Client; now: number } {
  const now = Math.floor(Date.now() / 1_000);
  const pollers = pollsAgo.map((ago) => ({ lastAccessTime: { seconds: now - ago } }));
  const workflowService = { describeTaskQueue: async () => ({ pollers }) };
  return { client: { options: { namespace: 'default' }, workflowService } as unknown as Client, now };
}

test.for([
  { pollsAgo: [], state: 'SILENT', ago: undefined },
  { pollsAgo: [200, 70], state: 'ANSWERING', ago: 70 },
])('the last polls $pollsAgo s ago mean $state', async ({ pollsAgo, state, ago }) => {
  const { client, now } = temporalWith(pollsAgo);
  const seenAt = ago === undefined ? null : new Date((now - ago) * 1_000);
  expect(await askWorkers(client, 'queue')).toEqual({ state, seenAt });
});

test.for([
  { polled: 5, reported: 200, state: 'ANSWERING', seen: 5 },
  { polled: 35, reported: 26, state: 'SILENT', seen: 26 },
  { polled: 4, reported: 36, state: 'SILENT', seen: 36 }, // A frozen worker's queued polls.
  { polled: undefined, reported: 100, state: 'SILENT', seen: 100 },
])('polls $polled s ago and a report $reported s ago mean $state', async ({ polled, reported, state, seen }) => {
  const { client } = temporalWith(polled === undefined ? [] : [polled]);
  const report =
    reported === undefined ? undefined : { seenAt: new Date(Date.now() - reported * 1_000), ageSeconds: reported };
  const answer = completeByReport(await askWorkers(client, 'queue'), report);
  expect(answer.state).toBe(state);
  const unknown = { state: 'NOT_KNOWN', seenAt: null } as const;
  expect(completeByReport(unknown, report)).toEqual({ ...unknown, seenAt: report?.seenAt });
  expect(Math.round((Date.now() - (answer.seenAt?.getTime() ?? 0)) / 2_000)).toBe(Math.round(seen / 2));
});
