import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
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
  { pollsAgo: [200, 95], state: 'SILENT', ago: 95 },
  { pollsAgo: [200, 70], state: 'ANSWERING', ago: 70 },
])('the last polls $pollsAgo s ago mean $state', async ({ pollsAgo, state, ago }) => {
  const { client, now } = temporalWith(pollsAgo);
  const seenAt = ago === undefined ? null : new Date((now - ago) * 1_000);
  expect(await askWorkers(client, 'queue')).toEqual({ state, seenAt });
});
