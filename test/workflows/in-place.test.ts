import { activityInfo } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, vi } from 'vitest';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { newDisconnect, quiet } from '../kit/fake-activities.ts';
import { test } from '../kit/temporal.ts';

/** The activities that went through a task queue. */
async function queuedIn(run: WorkflowHandle): Promise<string[]> {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );
}

describe('a short step in our own Postgres', () => {
  test('runs within the workflow task, and its marker has a summary', async ({ temporal }) => {
    await temporal.run(quiet, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await run.result();
      expect(await queuedIn(run)).toEqual(['tryRevoke']);
      const { events } = await run.fetchHistory();
      const markers = (events ?? []).filter(({ markerRecordedEventAttributes: marker }) => marker);
      const summaries = markers.map(({ userMetadata }) =>
        JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString()),
      );
      expect(summaries).toEqual(['purge posts and profile', 'erase the rest']);
    });
  });

  test('becomes a normal activity, which retries without end, after 4 tries in place', async ({ temporal }) => {
    const places: boolean[] = [];
    const eraseConnection = vi.fn(async () => {
      const { isLocal, attempt } = activityInfo();
      places.push(isLocal);
      if (isLocal || attempt < 3) throw ApplicationFailure.retryable('A test wants it so.', 'RetryLater');
    });
    await temporal.run({ ...quiet, eraseConnection }, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await run.result();
      expect(await queuedIn(run)).toEqual(['tryRevoke', 'eraseConnection']);
    });
    expect(places).toEqual([true, true, true, true, false, false, false]);
  });
});
