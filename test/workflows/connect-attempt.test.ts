import { describe, expect, vi } from 'vitest';
import { connectAttempt } from '../../src/workflows/connect-attempt.ts';
import { failure, gate, MINUTE_MS, newAttempt, quiet } from '../kit/fake-activities.ts';
import { currentDetails, test, tookMs } from '../kit/temporal.ts';

const EXPIRED = { status: 'EXPIRED', resultCode: 'EXPIRED' };
const COMPLETED = { status: 'COMPLETED', resultCode: null } as const;

describe('connectAttempt', () => {
  test('exchanges the code, reads the account, then creates the connection', async ({ temporal }) => {
    const calls: string[] = [];
    const activities = {
      ...quiet,
      obtainGrant: async () => void calls.push('obtain'),
      completeAttempt: async () => {
        calls.push('complete');
        return COMPLETED;
      },
    };
    const result = await temporal.run(activities, async (start) =>
      (await start(connectAttempt, newAttempt(await temporal.now()))).result(),
    );
    expect(result).toEqual(COMPLETED);
    expect(calls).toEqual(['obtain', 'complete']);
  });

  test('tells how its row has ended meanwhile, such as by an operator', async ({ temporal }) => {
    const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
    const obtainGrant = vi.fn(async () => Promise.reject(failure('NotWanted')));
    const endAttempt = vi.fn(async () => CANCELED);
    const result = await temporal.run({ ...quiet, obtainGrant, endAttempt }, async (start) =>
      (await start(connectAttempt, newAttempt(await temporal.now()))).result(),
    );
    expect(result).toEqual(CANCELED);
    expect(obtainGrant).toHaveBeenCalledOnce();
    expect(endAttempt).toHaveBeenCalledOnce();
  });

  test('lets the row decide whether a callback at the deadline counts', async ({ temporal }) => {
    const obtainGrant = vi.fn(async () => Promise.reject(failure('NotWanted')));
    const result = await temporal.run({ ...quiet, obtainGrant }, async (start) => {
      const expired = { ...newAttempt(await temporal.now()), expiresAt: new Date(await temporal.now()).toISOString() };
      const run = await start(connectAttempt, expired);
      return await run.result();
    });
    expect(result).toEqual(EXPIRED);
    expect(obtainGrant).toHaveBeenCalledOnce();
  });

  const endings = [
    ['GrantDead', {}, 'EXCHANGE_FAILED', null],
    ['ClientRejected', {}, 'CLIENT_REFUSED', null],
    ['ClientRejected', { outcomeUnknown: true }, 'CLIENT_REFUSED', 'REMOVE_APP_AT_PROVIDER'],
    ['AccountUnusable', { outcomeUnknown: true }, 'ACCOUNT_UNUSABLE', 'REMOVE_APP_AT_PROVIDER'],
    ['Interrupted', { outcomeUnknown: true }, 'INTERNAL', 'REMOVE_APP_AT_PROVIDER'],
    ['POLICY_CHANGED' as never, {}, 'POLICY_CHANGED', null],
    ['ContractBroken', {}, 'EXCHANGE_FAILED', null],
    ['ContractBroken', { outcomeUnknown: true }, 'EXCHANGE_FAILED', 'REMOVE_APP_AT_PROVIDER'],
    ['RetryLater', { outcomeUnknown: true }, 'EXCHANGE_FAILED', 'REMOVE_APP_AT_PROVIDER'],
    ['QuotaSpent', {}, 'PROVIDER_UNAVAILABLE', null],
    ['OwnRateLimit', { retryAfterSeconds: 3600 }, 'PROVIDER_UNAVAILABLE', null],
    ['RetryLater', { retryAfterSeconds: 3600 }, 'PROVIDER_UNAVAILABLE', null],
  ] as const;
  for (const [type, known, resultCode, creatorAction] of endings) {
    const how = Object.entries(known).map(([name, value]) => `, ${name} ${value}`);
    test(`an exchange that fails with ${type}${how} ends FAILED, ${resultCode}`, async ({ temporal }) => {
      const endAttempt = vi.fn(quiet.endAttempt);
      const obtainGrant = vi.fn(async () => Promise.reject(failure(type, known)));
      const input = newAttempt(await temporal.now());
      await temporal.run({ ...quiet, obtainGrant, endAttempt }, async (start) => {
        await (await start(connectAttempt, input)).result();
      });
      const end = { status: 'FAILED', resultCode, creatorAction };
      expect(endAttempt.mock.calls).toEqual([[{ attemptId: input.attemptId, end }]]);
      expect(obtainGrant).toHaveBeenCalledOnce();
    });
  }

  for (const [type, resultCode] of [
    ['PermissionMissing', 'MISSING_PERMISSION'],
    ['AccountUnusable', 'ACCOUNT_UNUSABLE'],
  ] as const) {
    test(`an unreadable account (${type}) ends the attempt, which revokes the grant`, async ({ temporal }) => {
      const endAttempt = vi.fn(quiet.endAttempt);
      const completeAttempt = vi.fn(quiet.completeAttempt);
      const obtainGrant = async () => Promise.reject(failure(type));
      const result = await temporal.run({ ...quiet, obtainGrant, endAttempt, completeAttempt }, async (start) => {
        const run = await start(connectAttempt, newAttempt(await temporal.now()));
        return await run.result();
      });
      expect(result).toEqual({ status: 'FAILED', resultCode });
      expect(endAttempt).toHaveBeenCalledWith(
        expect.objectContaining({ end: expect.objectContaining({ resultCode }) }),
      );
      expect(endAttempt).toHaveBeenCalledOnce();
      expect(completeAttempt).not.toHaveBeenCalled();
    });
  }

  test('retries temporary failures until the attempt’s deadline', async ({ temporal }) => {
    const obtainGrant = vi
      .fn(quiet.obtainGrant)
      .mockRejectedValueOnce(failure('RetryLater'))
      .mockRejectedValueOnce(failure('RetryLater', { retryAfterSeconds: 90 }));
    await temporal.run({ ...quiet, obtainGrant }, async (start) => {
      const run = await start(connectAttempt, newAttempt(await temporal.now()));
      expect(await run.result()).toEqual(COMPLETED);
      expect(await tookMs(run)).toBeGreaterThanOrEqual(92_000);
    });
    expect(obtainGrant).toHaveBeenCalledTimes(3);
  });

  test('waits for our own rate limit without a longer back-off', async ({ temporal }) => {
    const obtainGrant = vi.fn(quiet.obtainGrant);
    for (let waits = 0; waits < 20; waits += 1)
      obtainGrant.mockRejectedValueOnce(failure('OwnRateLimit', { retryAfterSeconds: 1 }));
    await temporal.run({ ...quiet, obtainGrant }, async (start) => {
      const run = await start(connectAttempt, newAttempt(await temporal.now()));
      expect(await run.result()).toEqual(COMPLETED);
      expect(await tookMs(run)).toBeLessThan(MINUTE_MS);
    });
    expect(obtainGrant).toHaveBeenCalledTimes(21);
  });

  test('times out if a temporary failure lasts beyond the deadline', async ({ temporal }) => {
    const obtainGrant = vi.fn(async () => Promise.reject(failure('RetryLater')));
    await temporal.run({ ...quiet, obtainGrant }, async (start) => {
      const run = await start(connectAttempt, newAttempt(await temporal.now()));
      expect(await run.result()).toEqual({ status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' });
      expect(await tookMs(run)).toBeLessThan(11 * MINUTE_MS);
    });
    expect(obtainGrant.mock.calls.length).toBeGreaterThan(10);
  });

  test('completes once a code has arrived, even if canceled', async ({ temporal }) => {
    const exchanging = gate();
    const cancelled = gate();
    const obtainGrant = async () => {
      exchanging.open();
      await cancelled.opened;
    };
    const result = await temporal.run({ ...quiet, obtainGrant }, async (start) => {
      const run = await start(connectAttempt, newAttempt(await temporal.now()));
      await exchanging.opened;
      await run.cancel();
      cancelled.open();
      return await run.result();
    });
    expect(result).toEqual(COMPLETED);
  });

  test('shows its state in plain words, with closed codes only', async ({ temporal }) => {
    const seen: string[] = [];
    const exchanging = gate();
    const obtainGrant = async () => {
      await exchanging.opened;
      throw failure('GrantDead', { status: 400 });
    };
    const input = newAttempt(await temporal.now());
    await temporal.run({ ...quiet, obtainGrant }, async (start) => {
      const run = await start(connectAttempt, input);
      seen.push(await currentDetails(run));
      exchanging.open();
      await run.result();
      seen.push(await currentDetails(run));
    });
    expect(seen).toEqual([
      'The person has consented: exchanging the code for tokens, then reading the account.',
      'Ended FAILED, EXCHANGE_FAILED. Cause: GrantDead, HTTP_400.',
    ]);
  });
});
