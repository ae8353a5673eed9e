import { describe, expect, vi } from 'vitest';
import type { scan } from '../../src/workflows/read-job.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { failure, gate, MINUTE_MS, newReadJob, quiet, until, wait } from '../kit/fake-activities.ts';
import { currentDetails, test, tookMs } from '../kit/temporal.ts';

const jobs = [
  { workflow: 'scan', step: 'runScanStep' },
  { workflow: 'metricsRefresh', step: 'runMetricsStep' },
  { workflow: 'contentLookup', step: 'runLookupStep' },
] as const;

for (const { workflow, step } of jobs) {
  describe(workflow, () => {
    test('takes steps until one returns that it is done', async ({ temporal }) => {
      const take = vi.fn(async () => ({ done: take.mock.calls.length === 3 }));
      const input = newReadJob();
      await temporal.run({ ...quiet, [step]: take }, async (start) =>
        (await start<typeof scan>(workflow, input)).result(),
      );
      const { jobId, connectionId } = input;
      expect(take.mock.calls).toEqual(Array.from({ length: 3 }, () => [{ jobId, connectionId }]));
    });

    test('records a failedTry, waits the returned time, and continues', async ({ temporal }) => {
      const take = vi
        .fn(quiet[step])
        .mockResolvedValueOnce({ done: false })
        .mockRejectedValueOnce(failure('QuotaSpent', { retryAfterSeconds: 600 }));
      const recordReadFailure = vi.fn(async () => wait(600));
      const input = newReadJob();
      await temporal.run({ ...quiet, [step]: take, recordReadFailure }, async (start) => {
        const run = await start<typeof scan>(workflow, input);
        await run.result();
        expect(await tookMs(run)).toBeGreaterThanOrEqual(10 * MINUTE_MS);
      });
      const failedTry = { type: 'QuotaSpent', retryAfterSeconds: 600, answer: null };
      expect(recordReadFailure.mock.calls).toEqual([[{ jobId: input.jobId, failedTry }]]);
      expect(take).toHaveBeenCalledTimes(3);
    });

    test('stops if the recorded failedTry ended the job', async ({ temporal }) => {
      const take = vi.fn(async () => Promise.reject(failure('GrantDead')));
      const recordReadFailure = async () => ({ ended: true, code: 'RECONNECT_REQUIRED' }) as const;
      await temporal.run({ ...quiet, [step]: take, recordReadFailure }, async (start) => {
        await (await start<typeof scan>(workflow, newReadJob())).result();
      });
      expect(take).toHaveBeenCalledOnce();
    });
  });
}

describe('retryNow', () => {
  test('cuts a wait short', async ({ temporal }) => {
    const take = vi.fn(quiet.runScanStep).mockRejectedValueOnce(failure('RetryLater'));
    const noted = gate();
    const recordReadFailure = async () => {
      noted.open();
      return wait(3600);
    };
    await temporal.run({ ...quiet, runScanStep: take, recordReadFailure }, async (start) => {
      const run = await start<typeof scan>('scan', newReadJob());
      await noted.opened;
      await until(async () => (await currentDetails(run)).includes('Next try'));
      await run.signal(retryNow);
      await run.result();
      expect(await tookMs(run)).toBeLessThan(MINUTE_MS);
    });
    expect(take).toHaveBeenCalledTimes(2);
  });

  test('sent twice during a try causes one more try at once, and then a wait', async ({ temporal }) => {
    const trying = gate();
    const nudged = gate();
    const take = vi
      .fn(quiet.runScanStep)
      .mockImplementationOnce(async () => {
        trying.open();
        await nudged.opened;
        throw failure('RetryLater');
      })
      .mockRejectedValueOnce(failure('RetryLater'));
    const recordReadFailure = vi.fn(async () => wait(600));
    await temporal.run({ ...quiet, runScanStep: take, recordReadFailure }, async (start) => {
      const run = await start<typeof scan>('scan', newReadJob());
      await trying.opened;
      await run.signal(retryNow);
      await run.signal(retryNow);
      nudged.open();
      await until(() => take.mock.calls.length >= 2); // The server's clock is stopped here: no timer can wake it.
      await until(() => recordReadFailure.mock.calls.length >= 2);
      await run.result();
      const ms = await tookMs(run);
      expect(ms).toBeGreaterThanOrEqual(10 * MINUTE_MS);
      expect(ms).toBeLessThan(20 * MINUTE_MS);
    });
    expect(take).toHaveBeenCalledTimes(3);
  });
});

describe('current details of a job', () => {
  test('name the failure, its first time, the next try, and how to retry now', async ({ temporal }) => {
    const runScanStep = vi.fn(quiet.runScanStep).mockRejectedValueOnce(failure('RetryLater'));
    const seen: string[] = [];
    await temporal.run({ ...quiet, runScanStep, recordReadFailure: async () => wait(60, 4) }, async (start) => {
      const run = await start<typeof scan>('scan', newReadJob());
      await until(async () => (await currentDetails(run)).includes('Next try'));
      seen.push(await currentDetails(run));
      await run.result();
      seen.push(await currentDetails(run));
    });
    expect(seen).toEqual([
      'scan: failing since 2025-12-31T00:00:00.000Z, 4 tries. Last PROVIDER_UNAVAILABLE (RetryLater). ' +
        'Next try 2026-01-01T00:00:00.000Z; the signal retryNow, which takes no input, retries at once.',
      "scan: ended; the job's row has the result.",
    ]);
  });
});

// The last one: its step outlives its workflow, and the server's clock stops for it.
describe('a job in the background', () => {
  /** The priorities with which the run has scheduled its steps. */
  const prioritiesOf = async (run: { fetchHistory(): Promise<{ events?: unknown[] | null }> }) => {
    const { events } = await run.fetchHistory();
    return (events ?? []).flatMap((event) => {
      const { activityTaskScheduledEventAttributes: scheduled } = event as {
        activityTaskScheduledEventAttributes?: { priority?: { priorityKey?: number } | null } | null;
      };
      return scheduled ? [scheduled.priority?.priorityKey] : [];
    });
  };

  test('comes last', async ({ temporal }) => {
    const take = vi.fn(async () => ({ done: take.mock.calls.length === 2 }));
    await temporal.run({ ...quiet, runScanStep: take }, async (start) => {
      const run = await start<typeof scan>('scan', { ...newReadJob(), urgency: 'BACKGROUND' });
      await run.result();
      expect(await prioritiesOf(run)).toEqual([5, 5]);
    });
  });

  test('does not, from a retry on, and gives up the step that waits or runs', async ({ temporal }) => {
    const trying = gate();
    const ended = gate();
    const take = vi
      .fn(quiet.runScanStep)
      .mockImplementationOnce(async () => {
        trying.open();
        await ended.opened; // It stands for a step that waits behind all others.
        return { done: false };
      })
      .mockResolvedValueOnce({ done: false });
    await temporal.run({ ...quiet, runScanStep: take }, async (start) => {
      const run = await start<typeof scan>('scan', { ...newReadJob(), urgency: 'BACKGROUND' });
      await trying.opened;
      await run.signal(retryNow);
      await run.result();
      ended.open();
      expect(await prioritiesOf(run)).toEqual([5, 3, 3]);
    });
  });
});
