import { describe, expect, vi } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { verifyGrant } from '../../src/workflows/verify-grant.ts';
import { failure, MINUTE_MS, quiet, until } from '../kit/fake-activities.ts';
import { currentDetails, test, tookMs } from '../kit/temporal.ts';

const HOUR_MS = 60 * MINUTE_MS;
const newDoubt = () => ({ connectionId: newId<ConnectionId>(), provider: 'PROVIDER_B' as const });

const fakes = () => ({ checkGrant: vi.fn(async () => undefined), resumeSibling: vi.fn(async () => true) });

describe('verifyGrant', () => {
  test('asks the provider, and keeps a live grant in use', async ({ temporal }) => {
    const { checkGrant, resumeSibling } = fakes();
    const input = newDoubt();
    await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) =>
      (await start(verifyGrant, input)).result(),
    );
    const { connectionId } = input;
    expect(checkGrant.mock.calls).toEqual([[{ connectionId }]]);
    expect(resumeSibling.mock.calls).toEqual([[{ connectionId }]]);
  });

  test('ends if the grant is dead, which the activity has recorded', async ({ temporal }) => {
    const { checkGrant, resumeSibling } = fakes();
    checkGrant.mockRejectedValueOnce(failure('GrantDead'));
    await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) =>
      (await start(verifyGrant, newDoubt())).result(),
    );
    expect(checkGrant).toHaveBeenCalledOnce();
    expect(resumeSibling).not.toHaveBeenCalled();
  });

  for (const type of ['PermissionMissing', 'AccountUnusable'] as const) {
    test(`treats ${type} as the answer for a live grant`, async ({ temporal }) => {
      const { checkGrant, resumeSibling } = fakes();
      checkGrant.mockRejectedValueOnce(failure(type));
      await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) =>
        (await start(verifyGrant, newDoubt())).result(),
      );
      expect(checkGrant).toHaveBeenCalledOnce();
      expect(resumeSibling).toHaveBeenCalledOnce();
    });
  }

  test('asks again, hourly at most, until the provider answers', async ({ temporal }) => {
    const { checkGrant, resumeSibling } = fakes();
    for (let tries = 0; tries < 10; tries += 1) checkGrant.mockRejectedValueOnce(failure('RetryLater'));
    await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) => {
      const run = await start(verifyGrant, newDoubt());
      await run.result();
      const ms = await tookMs(run);
      expect(ms).toBeGreaterThan(4 * HOUR_MS);
      expect(ms).toBeLessThan(6 * HOUR_MS);
    });
    expect(checkGrant).toHaveBeenCalledTimes(11);
  });

  test('asks within the hour even if the provider asks for a longer wait', async ({ temporal }) => {
    const { checkGrant, resumeSibling } = fakes();
    checkGrant.mockRejectedValueOnce(failure('RetryLater', { retryAfterSeconds: 24 * 3_600 }));
    await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) => {
      const run = await start(verifyGrant, newDoubt());
      await run.result();
      const ms = await tookMs(run);
      expect(ms).toBeGreaterThanOrEqual(HOUR_MS);
      expect(ms).toBeLessThan(HOUR_MS + MINUTE_MS);
    });
    expect(checkGrant).toHaveBeenCalledTimes(2);
  });

  test('waits for our own rate limit without a longer back-off', async ({ temporal }) => {
    const { checkGrant, resumeSibling } = fakes();
    for (let waits = 0; waits < 5; waits += 1)
      checkGrant.mockRejectedValueOnce(failure('OwnRateLimit', { retryAfterSeconds: 6 }));
    await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) => {
      const run = await start(verifyGrant, newDoubt());
      await run.result();
      expect(await tookMs(run)).toBeLessThan(MINUTE_MS);
    });
    expect(checkGrant).toHaveBeenCalledTimes(6);
  });

  test('waits as long as the provider asks, an hour at most, or until a retry signal', async ({ temporal }) => {
    const { checkGrant, resumeSibling } = fakes();
    checkGrant.mockRejectedValueOnce(failure('QuotaSpent', { retryAfterSeconds: 50 * 60 }));
    await temporal.run({ ...quiet, checkGrant, resumeSibling }, async (start) => {
      const run = await start(verifyGrant, newDoubt());
      await until(async () => checkGrant.mock.calls.length === 1 && (await currentDetails(run)).includes('asking'));
      await run.signal(retryNow);
      await run.result();
      expect(await tookMs(run)).toBeLessThan(50 * MINUTE_MS);
    });
    expect(checkGrant).toHaveBeenCalledTimes(2);
  });
});
