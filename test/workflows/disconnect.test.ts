import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, defineSearchAttributeKey } from '@temporalio/common';
import { describe, expect, vi } from 'vitest';
import { type JobId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import { clientProbe } from '../../src/workflows/client-probe.ts';
import type { Progress, SweepRound, SweepTask } from '../../src/workflows/contract.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import type { RevokeEnd } from '../../src/workflows/results.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { revokeGrant } from '../../src/workflows/revoke-grant.ts';
import { sweep } from '../../src/workflows/sweep.ts';
import {
  failure,
  gate,
  MINUTE_MS,
  NOTHING_DUE,
  newDisconnect,
  newReadJob,
  quiet,
  until,
  wait,
} from '../kit/fake-activities.ts';
import { currentDetails, test, tookMs } from '../kit/temporal.ts';

const HOUR_MS = 60 * MINUTE_MS;

/** Records the order of activity calls. */
function recorded() {
  const calls: string[] = [];
  const activities = {
    ...quiet,
    purgeContent: async () => void calls.push('purge'),
    tryRevoke: async () => void calls.push('revoke'),
    eraseConnection: async () => void calls.push('erase'),
  };
  return { calls, activities };
}

describe('disconnect', () => {
  test('purges first, then revokes, then erases', async ({ temporal }) => {
    const { calls, activities } = recorded();
    await temporal.run(activities, async (start) => (await start(disconnect, newDisconnect())).result());
    expect(calls).toEqual(['purge', 'revoke', 'erase']);
  });

  test('handles the rows it was started for', async ({ temporal }) => {
    const input = newDisconnect();
    const spies = {
      purgeContent: vi.fn(quiet.purgeContent),
      tryRevoke: vi.fn(quiet.tryRevoke),
      eraseConnection: vi.fn(quiet.eraseConnection),
    };
    await temporal.run({ ...quiet, ...spies }, async (start) => (await start(disconnect, input)).result());
    const { connectionId, revokeJobId, eraseJobId } = input;
    expect(spies.purgeContent.mock.calls).toEqual([[{ connectionId, revokeJobId, eraseJobId }]]);
    expect(spies.tryRevoke.mock.calls).toEqual([[{ jobId: revokeJobId }]]);
    expect(spies.eraseConnection.mock.calls).toEqual([[{ connectionId, eraseJobId }]]);
  });

  test('erases even if the revoke failed permanently, after 72 hours of retries', async ({ temporal }) => {
    const { calls, activities } = recorded();
    const revoke = vi.fn(async () => Promise.reject(failure('RetryLater')));
    const recordDisconnectFailure = vi.fn(async () =>
      recordDisconnectFailure.mock.calls.length > 72
        ? ({ ended: true, code: 'PROVIDER_UNAVAILABLE' } as const)
        : wait(3600, recordDisconnectFailure.mock.calls.length),
    );
    await temporal.run({ ...activities, tryRevoke: revoke, recordDisconnectFailure }, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await run.result();
      expect(await tookMs(run)).toBeGreaterThanOrEqual(72 * HOUR_MS);
    });
    expect(revoke).toHaveBeenCalledTimes(73);
    expect(calls).toEqual(['purge', 'erase']);
  });

  test('the signal retryNow retries a waiting revoke at once', async ({ temporal }) => {
    const { calls, activities } = recorded();
    const revoke = vi.fn(quiet.tryRevoke).mockRejectedValueOnce(failure('RetryLater'));
    await temporal.run(
      { ...activities, tryRevoke: revoke, recordDisconnectFailure: async () => wait(3600) },
      async (start) => {
        const run = await start(disconnect, newDisconnect());
        await until(async () => (await currentDetails(run)).includes('Next try'));
        await run.signal(retryNow);
        await run.result();
        expect(await tookMs(run)).toBeLessThan(MINUTE_MS);
      },
    );
    expect(revoke).toHaveBeenCalledTimes(2);
    expect(calls).toEqual(['purge', 'erase']);
  });

  test('survives a database outage', async ({ temporal }) => {
    const { calls, activities } = recorded();
    const away = ApplicationFailure.create({ type: 'Unexpected', message: 'Unexpected PostgresError.' });
    const purgeContent = vi.fn(activities.purgeContent).mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    await temporal.run({ ...activities, purgeContent }, async (start) => {
      await (await start(disconnect, newDisconnect())).result();
    });
    expect(purgeContent).toHaveBeenCalledTimes(3);
    expect(calls).toEqual(['purge', 'revoke', 'erase']);
  });

  test('completes even if canceled', async ({ temporal }) => {
    const { calls, activities } = recorded();
    const revoke = vi.fn(activities.tryRevoke).mockRejectedValueOnce(failure('RetryLater'));
    await temporal.run(
      { ...activities, tryRevoke: revoke, recordDisconnectFailure: async () => wait(60) },
      async (start) => {
        const run = await start(disconnect, newDisconnect());
        await until(async () => (await currentDetails(run)).includes('Next try'));
        await run.cancel();
        await run.result();
      },
    );
    expect(calls).toEqual(['purge', 'revoke', 'erase']);
  });
});

describe('revokeGrant', () => {
  test('retries until the job is settled', async ({ temporal }) => {
    const revoke = vi.fn(quiet.tryRevoke).mockRejectedValueOnce(failure('RetryLater', { retryAfterSeconds: 30 }));
    const recordDisconnectFailure = vi.fn(async () => wait(30));
    const input = newReadJob();
    await temporal.run({ ...quiet, tryRevoke: revoke, recordDisconnectFailure }, async (start) => {
      const run = await start(revokeGrant, input);
      await run.result();
      expect(await currentDetails(run)).toBe('The revoke has SUCCEEDED.');
    });
    expect(revoke.mock.calls).toEqual([[{ jobId: input.jobId }], [{ jobId: input.jobId }]]);
    const failedTry = { type: 'RetryLater', retryAfterSeconds: 30, answer: null };
    expect(recordDisconnectFailure.mock.calls).toEqual([[{ jobId: input.jobId, failedTry }]]);
  });
});

describe('the probe of a refused client', () => {
  const input = { registrationId: newId<RegistrationId>(), provider: 'PROVIDER_B' as const };

  test('asks the provider on its own queue', async ({ temporal }) => {
    const probeRegistration = vi.fn(quiet.probeRegistration);
    await temporal.run({ ...quiet, probeRegistration }, async (start) => {
      const run = await start(clientProbe, input);
      await run.result();
      const { events } = await run.fetchHistory();
      const queues = events?.flatMap(
        (event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name?.replace(/^.*(?=PROVIDER)/, '') ?? [],
      );
      expect(queues).toEqual(['PROVIDER_B-GRANTS']);
    });
    expect(probeRegistration).toHaveBeenCalledExactlyOnceWith({ registrationId: input.registrationId });
  });

  test('leaves a provider that does not answer to the next sweep', async ({ temporal }) => {
    const probeRegistration = vi.fn(async () => Promise.reject(failure('RetryLater')));
    await temporal.run({ ...quiet, probeRegistration }, async (start) => {
      const run = await start(clientProbe, input);
      await run.result();
      expect(await currentDetails(run)).toBe('No answer: RetryLater. The sweep asks again.');
    });
    expect(probeRegistration).toHaveBeenCalledOnce();
  });
});

describe('a closed run', () => {
  const code = 'PROVIDER_UNAVAILABLE';
  const given = (revoke: RevokeEnd) => ({
    tryRevoke: async () => Promise.reject(failure('RetryLater')),
    recordDisconnectFailure: async () => ({ ended: true, code, revoke }) as const,
  });
  const kept = given({ status: 'FAILED', code, tokensKept: true });
  const kindOf = async (run: WorkflowHandle) =>
    (await run.describe()).typedSearchAttributes.get(defineSearchAttributeKey('JobKind', 'KEYWORD'));

  test('shows after a failed revoke that the grant may still exist, and which job to retry', async ({ temporal }) => {
    const input = newDisconnect();
    await temporal.run({ ...quiet, ...kept }, async (start) => {
      const run = await start(disconnect, input);
      await run.result();
      expect(await currentDetails(run)).toBe(
        'Erased. The revoke has FAILED (PROVIDER_UNAVAILABLE): the grant may still exist. ' +
          `While we keep its tokens, an operator can retry job ${input.revokeJobId} in the console or the admin API. Both receipts stay for 7 days.`,
      );
      expect(await kindOf(run)).toBe('REVOKE_FAILED');
    });
  });

  test('shows the same for a compensating revoke, and that it cannot be retried without kept tokens', async ({
    temporal,
  }) => {
    const spent = given({ status: 'FAILED', code, tokensKept: false });
    await temporal.run({ ...quiet, ...spent }, async (start) => {
      const run = await start(revokeGrant, newReadJob());
      await run.result();
      expect(await currentDetails(run)).toContain('We keep no tokens to retry it with');
      expect(await kindOf(run)).toBe('REVOKE_FAILED');
    });
  });

  test('is shown as succeeded, and is not found among the failed', async ({ temporal }) => {
    const asked = async () => ({ status: 'SUCCEEDED', creatorAction: 'REMOVE_APP_AT_PROVIDER' }) as const;
    await temporal.run({ ...quiet, tryRevoke: asked }, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await run.result();
      expect(await currentDetails(run)).toBe(
        'Erased. The revoke has SUCCEEDED; we ask the person to remove the app at the platform. ' +
          'Both receipts stay for 7 days.',
      );
      expect(await kindOf(run)).toBeUndefined();
    });
  });
});

describe('sweep', () => {
  const activities = {
    reconcileRows: async () => ({ ...NOTHING_DUE, rows: { disconnectJobs: 1 } }),
    startUpkeep: async () => ({ ...NOTHING_DUE, rows: { 'upkeep/PROVIDER_A': 4 } }),
    applyRetention: async () => ({ ...NOTHING_DUE, rows: { oldPosts: 3 } }),
  };

  test.for([
    ['minute', { disconnectJobs: 1, 'upkeep/PROVIDER_A': 4 }],
    ['retention', { oldPosts: 3 }],
  ] as const)('%s runs a round of each of its sweeps and returns their counts', async ([kind, rows], { temporal }) => {
    const result = await temporal.run({ ...quiet, ...activities }, async (start) =>
      (await start(sweep, { kind })).result(),
    );
    expect(result).toEqual({ rows, failed: [], positions: {} });
  });

  test('continues a sweep that takes long, and runs the others again when they are due', async ({ temporal }) => {
    const unfinished = { ...NOTHING_DUE, unfinished: ['readJobs'] } satisfies SweepRound;
    const reconcileRows = vi
      .fn(async (_task: SweepTask) => NOTHING_DUE)
      .mockResolvedValueOnce(unfinished)
      .mockResolvedValueOnce(unfinished)
      .mockRejectedValueOnce(ApplicationFailure.create({ nextRetryDelay: '61 seconds' }))
      .mockResolvedValueOnce(unfinished);
    const startUpkeep = vi.fn(async (_task: SweepTask) => NOTHING_DUE);
    await temporal.run({ ...quiet, reconcileRows, startUpkeep }, async (start) =>
      (await start(sweep, { kind: 'minute' })).result(),
    );
    const [all, rest] = [{ positions: {} }, { positions: {}, only: ['readJobs'] }];
    expect(reconcileRows.mock.calls).toEqual([[all], [rest], [rest], [rest], [all]]);
    expect(startUpkeep.mock.calls).toEqual([[all], [all]]);
  });

  test('a sweep that fails for good ends no other one of its Schedule', async ({ temporal }) => {
    const slow = gate();
    const startUpkeep = vi.fn(async () => {
      await slow.opened;
      return NOTHING_DUE;
    });
    const reconcileRows = vi.fn(async () => Promise.reject(failure('Unexpected')));
    await temporal.run({ ...quiet, reconcileRows, startUpkeep }, async (start) => {
      const run = await start(sweep, { kind: 'minute' });
      await until(() => startUpkeep.mock.calls.length > 0);
      // Until the run has heard of the failure, it goes on in any case.
      await until(async () => {
        const { events } = await run.fetchHistory();
        const failedAt = events?.findIndex((event) => event.activityTaskFailedEventAttributes) ?? -1;
        const later = failedAt < 0 ? [] : (events?.slice(failedAt) ?? []);
        return later.some((event) => event.workflowTaskCompletedEventAttributes);
      });
      const { status } = await run.describe();
      slow.open();
      expect(status.name).toBe('RUNNING');
      await expect(run.result()).rejects.toThrow();
    });
    expect(startUpkeep).toHaveBeenCalledOnce();
  });

  test('a kind that this build does not know fails once, and says so', async ({ temporal }) => {
    await temporal.run(quiet, async (start) => {
      const run = await start(sweep, { kind: 'weekly' as never });
      await expect(run.result()).rejects.toMatchObject({
        cause: { type: 'UnknownSweep', message: 'This build knows no sweep "weekly".' },
      });
      const { events } = await run.fetchHistory();
      expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    });
  });

  test('continues at once the steps that ran out of time, after the rows already handled', async ({ temporal }) => {
    const position = { dueAt: '2026-01-01T00:00:00.000Z', id: newId<JobId>() };
    const rounds: SweepRound[] = [
      {
        rows: { oldPosts: 5, oldReadJobs: 1 },
        failed: ['oldUsage'],
        positions: { oldPosts: position, oldUsage: null },
        unfinished: ['oldPosts'],
      },
      { rows: { oldPosts: 2 }, failed: [], positions: {}, unfinished: [] },
    ];
    const tasks: SweepTask[] = [];
    const steps: string[] = [];
    let ask: (() => Promise<Progress>) | undefined;
    const applyRetention = async (task: SweepTask) => {
      tasks.push(task);
      await until(() => ask !== undefined);
      if (tasks.length > 1) steps.push((await ask?.())?.step ?? '');
      return rounds[tasks.length - 1] ?? NOTHING_DUE;
    };
    await temporal.run({ ...quiet, applyRetention }, async (start) => {
      const run = await start(sweep, { kind: 'retention' });
      ask = () => run.query<Progress>('progress');
      expect(await run.result()).toEqual({
        rows: { oldPosts: 7, oldReadJobs: 1 },
        failed: ['oldUsage'],
        positions: { oldUsage: null },
      });
      expect(await currentDetails(run)).toBe("oldPosts: 7, oldReadJobs: 1. Failed: oldUsage; see the worker's log.");
    });
    expect(steps).toEqual(['SWEEP']);
    expect(tasks).toEqual([
      { positions: {} },
      { positions: { oldPosts: position, oldUsage: null }, only: ['oldPosts'] },
    ]);
  });

  test('leaves a failed round to the next run', async ({ temporal }) => {
    let tries = 0;
    const applyRetention = async () => {
      tries += 1;
      throw new Error('There is no database.');
    };
    await temporal.run({ ...quiet, applyRetention }, async (start) => {
      await expect((await start(sweep, { kind: 'retention' })).result()).rejects.toThrow();
    });
    expect(tries).toBe(3);
  });
});
