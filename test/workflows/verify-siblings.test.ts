import { describe, expect, vi } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { connectionUpkeep } from '../../src/workflows/connection-upkeep.ts';
import type { Progress } from '../../src/workflows/contract.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { verifySiblings } from '../../src/workflows/verify-siblings.ts';
import { failure, gate, MINUTE_MS, newReadJob, newUpkeep, quiet, until } from '../kit/fake-activities.ts';
import { proves } from '../kit/proofs.ts';
import { currentDetails, test, tookMs } from '../kit/temporal.ts';

const HOUR_SECONDS = 3_600;

describe('verifySiblings', () => {
  proves('All connections of the principal are verified after every revoke');
  test('verifies each sibling at the provider and resumes the live ones', async ({ temporal }) => {
    const [alive, dead, refusing] = [newId<ConnectionId>(), newId<ConnectionId>(), newId<ConnectionId>()];
    const checkGrant = vi.fn(async ({ connectionId }: { connectionId: ConnectionId }) => {
      if (connectionId === dead) throw failure('GrantDead');
      if (connectionId === refusing) throw failure('PermissionMissing');
    });
    const resumeSibling = vi.fn(quiet.resumeSibling);
    const input = newReadJob();
    const listSiblings = vi.fn(async () => [alive, dead, refusing]);
    await temporal.run({ ...quiet, listSiblings, checkGrant, resumeSibling }, async (start) => {
      const run = await start(verifySiblings, input);
      await run.result();
      expect(await currentDetails(run)).toBe('0 of 3 connection(s) not verified yet.');
    });
    expect(listSiblings.mock.calls).toEqual([[{ jobId: input.jobId }]]);
    const resumed = resumeSibling.mock.calls.map(([{ connectionId }]) => connectionId);
    expect(new Set(resumed)).toEqual(new Set([alive, refusing]));
    expect(checkGrant).toHaveBeenCalledTimes(3);
  });

  test('waits for an unreachable sibling without delaying the others', async ({ temporal }) => {
    const [near, far] = [newId<ConnectionId>(), newId<ConnectionId>()];
    let providerCalls = 0;
    const checkGrant = async ({ connectionId }: { connectionId: ConnectionId }) => {
      if (connectionId === near) return;
      providerCalls += 1;
      if (providerCalls < 3) throw failure('RetryLater');
    };
    const order: ConnectionId[] = [];
    const resumeSibling = async ({ connectionId }: { connectionId: ConnectionId }) => {
      order.push(connectionId);
      return true;
    };
    const listSiblings = async () => [far, near];
    await temporal.run({ ...quiet, listSiblings, checkGrant, resumeSibling }, async (start) => {
      const run = await start(verifySiblings, newReadJob());
      await run.result();
      expect(await tookMs(run)).toBeGreaterThanOrEqual(3 * MINUTE_MS);
    });
    expect(order).toEqual([near, far]);
  });

  test('a signal during a try cuts the next wait short', async ({ temporal }) => {
    const asking = gate();
    const signaled = gate();
    const checkGrant = vi.fn(quiet.checkGrant).mockImplementationOnce(async () => {
      asking.open();
      await signaled.opened;
      throw failure('RetryLater', { retryAfterSeconds: 5 * HOUR_SECONDS });
    });
    const listSiblings = async () => [newId<ConnectionId>()];
    await temporal.run({ ...quiet, listSiblings, checkGrant }, async (start) => {
      const run = await start(verifySiblings, newReadJob());
      await asking.opened;
      await run.signal(retryNow);
      signaled.open();
      await until(() => checkGrant.mock.calls.length === 2);
      await run.result();
      expect(await tookMs(run)).toBeLessThan(MINUTE_MS);
    });
  });
});

describe('connectionUpkeep', () => {
  proves('Upkeep: before anything expires, spread out, with a pause after failures');
  test('waits for our own rate limit and is not postponed by it', async ({ temporal }) => {
    const checkGrant = vi.fn(quiet.checkGrant);
    for (let waits = 0; waits < 3; waits += 1)
      checkGrant.mockRejectedValueOnce(failure('OwnRateLimit', { retryAfterSeconds: 6 }));
    const postponeUpkeep = vi.fn(quiet.postponeUpkeep);
    await temporal.run({ ...quiet, checkGrant, postponeUpkeep }, async (start) => {
      const run = await start(connectionUpkeep, newUpkeep());
      await run.result();
      expect(await tookMs(run)).toBeGreaterThanOrEqual(18_000);
    });
    expect(checkGrant).toHaveBeenCalledTimes(4);
    expect(postponeUpkeep).not.toHaveBeenCalled();
  });

  test('shows that it waits for our own rate limit, and then that it tries again', async ({ temporal }) => {
    const trying = gate();
    const checkGrant = vi
      .fn(quiet.checkGrant)
      .mockRejectedValueOnce(failure('OwnRateLimit', { retryAfterSeconds: 60 }))
      .mockImplementationOnce(() => trying.opened);
    await temporal.run({ ...quiet, checkGrant }, async (start) => {
      const run = await start(connectionUpkeep, newUpkeep());
      const ask = () => run.query<Progress>('progress');
      await until(async () => (await ask()).waitingFor !== null);
      expect(await ask()).toMatchObject({ step: 'UPKEEP', waitingFor: 'RATE_LIMIT', waitingUntil: expect.any(String) });
      await temporal.env.sleep(MINUTE_MS);
      await until(() => checkGrant.mock.calls.length === 2);
      expect(await ask()).toMatchObject({ step: 'UPKEEP', waitingFor: null, waitingUntil: null });
      trying.open();
      await run.result();
    });
  });

  test('checks a connection once', async ({ temporal }) => {
    const checkGrant = vi.fn(quiet.checkGrant);
    const postponeUpkeep = vi.fn(quiet.postponeUpkeep);
    const input = newUpkeep();
    await temporal.run({ ...quiet, checkGrant, postponeUpkeep }, async (start) =>
      (await start(connectionUpkeep, input)).result(),
    );
    expect(checkGrant.mock.calls).toEqual([[{ connectionId: input.connectionId }]]);
    expect(postponeUpkeep).not.toHaveBeenCalled();
  });

  const failedTries = [
    ['RetryLater', {}, 6 * HOUR_SECONDS],
    ['QuotaSpent', { retryAfterSeconds: 10 * HOUR_SECONDS }, 10 * HOUR_SECONDS],
    ['ContractBroken', {}, 24 * HOUR_SECONDS],
    ['ClientRejected', {}, 24 * HOUR_SECONDS],
    ['PermissionMissing', {}, 24 * HOUR_SECONDS],
  ] as const;
  for (const [type, known, seconds] of failedTries) {
    test(`retries ${seconds / HOUR_SECONDS} h after ${type} ${JSON.stringify(known)}`, async ({ temporal }) => {
      const postponeUpkeep = vi.fn(quiet.postponeUpkeep);
      const checkGrant = async () => Promise.reject(failure(type, known));
      const input = newUpkeep();
      await temporal.run({ ...quiet, checkGrant, postponeUpkeep }, async (start) =>
        (await start(connectionUpkeep, input)).result(),
      );
      // A person who has withdrawn a permission is no failure that an operator could repair.
      const hasFailed = type !== 'PermissionMissing';
      expect(postponeUpkeep.mock.calls).toEqual([[{ connectionId: input.connectionId, seconds, hasFailed }]]);
    });
  }

  test('ends without a retry if the grant is dead', async ({ temporal }) => {
    const postponeUpkeep = vi.fn(quiet.postponeUpkeep);
    const checkGrant = async () => Promise.reject(failure('GrantDead'));
    await temporal.run({ ...quiet, checkGrant, postponeUpkeep }, async (start) =>
      (await start(connectionUpkeep, newUpkeep())).result(),
    );
    expect(postponeUpkeep).not.toHaveBeenCalled();
  });
});
