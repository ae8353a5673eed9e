import { describe, expect, vi } from 'vitest';
import { type BulkDisconnectId, newId } from '../../src/basics/ids.ts';
import { connectAttempt } from '../../src/workflows/connect-attempt.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { disconnectAll } from '../../src/workflows/disconnect-all.ts';
import { identityAttempt } from '../../src/workflows/identity-attempt.ts';
import type { scan } from '../../src/workflows/read-job.ts';
import { revokeGrant } from '../../src/workflows/revoke-grant.ts';
import { failure, newAttempt, newDisconnect, newReadJob, newSignIn, quiet } from '../kit/fake-activities.ts';
import { test } from '../kit/temporal.ts';

const lose = async () => Promise.reject(failure('RowLost'));
const FAILED = { name: 'WorkflowFailedError', cause: { cause: { type: 'RowLost' } } };

describe('a disconnect whose rows a fail-over loses on the way', () => {
  for (const step of ['tryRevoke', 'eraseConnection'] as const) {
    test(`begins anew: ${step}`, async ({ temporal }) => {
      const calls: string[] = [];
      const note = (name: string) => async () => void calls.push(name);
      const activities = {
        ...quiet,
        purgeContent: note('purge'),
        tryRevoke: note('revoke'),
        eraseConnection: note('erase'),
      };
      const losing = vi.fn(activities[step]).mockImplementationOnce(lose);
      await temporal.run({ ...activities, [step]: losing }, async (start) =>
        (await start(disconnect, newDisconnect())).result(),
      );
      const before = step === 'tryRevoke' ? ['purge'] : ['purge', 'revoke'];
      expect(calls).toEqual([...before, 'purge', 'revoke', 'erase']);
    });
  }

  test('fails if its first step cannot make them anew', async ({ temporal }) => {
    const purgeContent = vi.fn(lose);
    await temporal.run({ ...quiet, purgeContent }, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await expect(run.result()).rejects.toMatchObject({ cause: { type: 'RowLost' } });
    });
    expect(purgeContent).toHaveBeenCalledOnce();
  });
});

describe('work whose row a fail-over has lost never ends COMPLETED', () => {
  test('a read job', async ({ temporal }) => {
    const recordReadFailure = vi.fn(quiet.recordReadFailure);
    await temporal.run({ ...quiet, runScanStep: lose, recordReadFailure }, async (start) => {
      await expect((await start<typeof scan>('scan', newReadJob())).result()).rejects.toMatchObject(FAILED);
    });
    expect(recordReadFailure).not.toHaveBeenCalled();
  });

  test('a compensating revoke', async ({ temporal }) => {
    await temporal.run({ ...quiet, tryRevoke: lose }, async (start) => {
      await expect((await start(revokeGrant, newReadJob())).result()).rejects.toMatchObject(FAILED);
    });
  });

  test('an attempt', async ({ temporal }) => {
    const obtainGrant = async () => Promise.reject(failure('NotWanted'));
    await temporal.run({ ...quiet, obtainGrant, endAttempt: lose }, async (start) => {
      const run = await start(connectAttempt, newAttempt(await temporal.now()));
      await expect(run.result()).rejects.toMatchObject({ cause: { type: 'RowLost' } });
    });
  });

  test('a sign-in', async ({ temporal }) => {
    await temporal.run({ ...quiet, endIdentityAttempt: lose }, async (start) => {
      const run = await start(identityAttempt, newSignIn(await temporal.now()));
      await expect(run.result()).rejects.toMatchObject({ cause: { type: 'RowLost' } });
    });
  });

  test('a bulk disconnect', async ({ temporal }) => {
    await temporal.run({ ...quiet, disconnectBatch: lose }, async (start) => {
      const run = await start(disconnectAll, { bulkDisconnectId: newId<BulkDisconnectId>() });
      await expect(run.result()).rejects.toMatchObject(FAILED);
    });
  });
});
