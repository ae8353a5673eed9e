import { activityInfo } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, vi } from 'vitest';
import { connectAttempt } from '../../src/workflows/connect-attempt.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import type { scan } from '../../src/workflows/read-job.ts';
import { revokeGrant } from '../../src/workflows/revoke-grant.ts';
import { failure, inlineStepsOf, newAttempt, newDisconnect, newReadJob, quiet, wait } from '../kit/fake-activities.ts';
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
      expect(summaries).toEqual(['purge posts and profile', 'revoke', 'erase the rest']);
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

describe('a step at a provider', () => {
  /** Says of each step where it ran. */
  function placed() {
    const places: string[] = [];
    const note = (name: string) => void places.push(`${name} ${activityInfo().isLocal ? 'in place' : 'queued'}`);
    let steps = 0;
    const steppers = {
      tryRevoke: async (...input: Parameters<typeof quiet.tryRevoke>) => {
        note('tryRevoke');
        return await quiet.tryRevoke(...input);
      },
      runScanStep: async () => {
        note('runScanStep');
        steps += 1;
        return { done: steps === 3 };
      },
    };
    const activities = { ...quiet, ...steppers };
    return { places, activities: { ...activities, ...inlineStepsOf(activities) } };
  }

  test('runs within the workflow task, without its queue', async ({ temporal }) => {
    const { places, activities } = placed();
    await temporal.run(activities, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await run.result();
      expect(await queuedIn(run)).toEqual([]);
    });
    expect(places).toEqual(['tryRevoke in place']);
  });

  test('runs there first only: the others of a long scan wait in the queue', async ({ temporal }) => {
    const { places, activities } = placed();
    await temporal.run(activities, async (start) => {
      await (await start<typeof scan>('scan', newReadJob())).result();
    });
    expect(places).toEqual(['runScanStep in place', 'runScanStep queued', 'runScanStep queued']);
  });

  test('connects an account within one workflow task, and each further try of it', async ({ temporal }) => {
    const obtainGrant = vi.fn(async () => {});
    obtainGrant.mockRejectedValueOnce(failure('RetryLater'));
    const all = { ...quiet, obtainGrant };
    await temporal.run({ ...all, ...inlineStepsOf(all) }, async (start) => {
      const runs = [await start(connectAttempt, newAttempt(await temporal.now()))];
      await runs[0]?.result();
      runs.push(await start(connectAttempt, newAttempt(await temporal.now())));
      await runs[1]?.result();
      for (const run of runs) expect(await queuedIn(run)).toEqual([]);
      const { events } = (await runs[1]?.fetchHistory()) ?? {};
      expect(events?.filter(({ workflowTaskCompletedEventAttributes: task }) => task)).toHaveLength(1);
    });
    expect(obtainGrant).toHaveBeenCalledTimes(3);
  });

  test('of work that nobody waits for is never in place', async ({ temporal }) => {
    const { places, activities } = placed();
    await temporal.run(activities, async (start) => {
      await (await start<typeof scan>('scan', { ...newReadJob(), urgency: 'BACKGROUND' })).result();
    });
    expect(places).toEqual(['runScanStep queued', 'runScanStep queued', 'runScanStep queued']);
  });

  test('that fails there is a failedTry like any other, and the next try is in place again', async ({ temporal }) => {
    const { places, activities } = placed();
    const input = newReadJob();
    const tryRevoke = vi
      .fn(activities.tryRevoke)
      .mockRejectedValueOnce(failure('RetryLater', { retryAfterSeconds: 30 }));
    const recordDisconnectFailure = vi.fn(async () => wait(30));
    const all = { ...activities, tryRevoke, recordDisconnectFailure };
    await temporal.run({ ...all, ...inlineStepsOf(all) }, async (start) => {
      const run = await start(revokeGrant, input);
      await run.result();
      expect(await queuedIn(run)).toEqual([]);
    });
    const failedTry = { type: 'RetryLater', retryAfterSeconds: 30, answer: null };
    expect(recordDisconnectFailure.mock.calls).toEqual([[{ jobId: input.jobId, failedTry }]]);
    expect(places).toEqual(['tryRevoke in place']);
    expect(tryRevoke).toHaveBeenCalledTimes(2);
  });
});
