import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';
import { describe, expect, test as plainTest, vi } from 'vitest';
import { connectAttempt } from '../../src/workflows/connect-attempt.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { readFailure } from '../../src/workflows/read-failure.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { failure, newAttempt, newDisconnect, quiet, until, wait } from '../kit/fake-activities.ts';
import { currentDetails, test } from '../kit/temporal.ts';

describe('a Temporal time-out', () => {
  for (const kind of ['START_TO_CLOSE', 'HEARTBEAT', 'SCHEDULE_TO_CLOSE'] as const) {
    plainTest(`(${kind}) is an interruption of ours, a known failure`, () => {
      const cause = new TimeoutFailure('activity timed out', undefined, kind);
      const error = new ActivityFailure('Activity task timed out', 'runScanStep', '1', 'TIMEOUT', undefined, cause);
      expect(readFailure(error)).toEqual({
        type: 'Interrupted',
        retryAfterSeconds: null,
        outcomeUnknown: false,
        isRepeatable: false,
        answer: null,
      });
    });
  }
});

plainTest('a failure that no activity has classified is Unexpected, and a cancellation is none', () => {
  const unexpected = {
    type: 'Unexpected',
    retryAfterSeconds: null,
    outcomeUnknown: false,
    isRepeatable: false,
    answer: null,
  };
  expect(readFailure(ApplicationFailure.create({ message: 'Without a type or details.' }))).toEqual(unexpected);
  expect(() => readFailure(new CancelledFailure('Canceled.'))).toThrow(CancelledFailure);
  expect(() => readFailure(new TypeError('x is not a function'))).toThrow(TypeError); // A defect of ours.
});

describe('a refusal by Postgres', () => {
  test('ends an attempt at once, and its grant is revoked', async ({ temporal }) => {
    const completeAttempt = vi.fn(async () => Promise.reject(failure('DataRefused')));
    const endAttempt = vi.fn(quiet.endAttempt);
    const result = await temporal.run({ ...quiet, completeAttempt, endAttempt }, async (start) => {
      const run = await start(connectAttempt, newAttempt(await temporal.now()));
      return await run.result();
    });
    expect(result).toEqual({ status: 'FAILED', resultCode: 'INTERNAL' });
    expect(completeAttempt).toHaveBeenCalledOnce();
  });

  test('does not block the revoke after a refused purge; the erase waits for repair or retryNow', async ({
    temporal,
  }) => {
    const calls: string[] = [];
    const refused = failure('DataRefused');
    const purgeContent = vi.fn(async () => Promise.reject(refused));
    const eraseConnection = vi.fn(async () => void calls.push('erase'));
    eraseConnection.mockRejectedValueOnce(refused);
    const recordDisconnectFailure = vi.fn(async () => wait(3_600));
    const input = newDisconnect();
    await temporal.run(
      {
        ...quiet,
        purgeContent,
        tryRevoke: async () => {
          calls.push('revoke');
          return { status: 'SUCCEEDED', creatorAction: null };
        },
        eraseConnection,
        recordDisconnectFailure,
      },
      async (start) => {
        const run = await start(disconnect, input);
        await until(async () => (await currentDetails(run)).includes('erase: failing'));
        expect(calls).toEqual(['revoke']);
        await run.signal(retryNow);
        await run.result();
      },
    );
    expect(calls).toEqual(['revoke', 'erase']);
    expect(purgeContent).toHaveBeenCalledOnce();
    expect(eraseConnection).toHaveBeenCalledTimes(2);
    const failedTry = { type: 'DataRefused', retryAfterSeconds: null, answer: null };
    expect(recordDisconnectFailure.mock.calls).toEqual([[{ jobId: input.eraseJobId, failedTry }]]);
  });
});
