import { describe, expect, vi } from 'vitest';
import { attemptEnded, callbackArrived } from '../../src/workflows/connect-attempt.ts';
import { identityAttempt } from '../../src/workflows/identity-attempt.ts';
import { test, tookMs } from '../kit/temporal.ts';
import { failure, gate, MINUTE_MS, newSignIn, quiet } from './fakes.ts';

describe('identityAttempt', () => {
  test('trades the code, and forgets claims nobody has redeemed when their 20 minutes are over', async ({
    temporal,
  }) => {
    const forgetClaims = vi.fn(quiet.forgetClaims);
    const redeemIdentityCode = vi.fn(quiet.redeemIdentityCode);
    await temporal.run({ ...quiet, forgetClaims, redeemIdentityCode }, async (start) => {
      const input = newSignIn(await temporal.now());
      const run = await start(identityAttempt, input, { signal: callbackArrived });
      expect(await run.result()).toBe('COMPLETED');
      expect(await tookMs(run)).toBeGreaterThan(19 * MINUTE_MS);
      const { attemptId } = input;
      expect(redeemIdentityCode.mock.calls).toEqual([[{ attemptId }]]);
      expect(forgetClaims.mock.calls).toEqual([[{ attemptId }]]);
    });
  });

  test('expires at its deadline when nobody comes back', async ({ temporal }) => {
    const endIdentityAttempt = vi.fn(async () => 'EXPIRED' as const);
    const redeemIdentityCode = vi.fn(quiet.redeemIdentityCode);
    await temporal.run({ ...quiet, endIdentityAttempt, redeemIdentityCode }, async (start) => {
      const input = newSignIn(await temporal.now());
      const run = await start(identityAttempt, input);
      expect(await run.result()).toBe('EXPIRED');
      expect(await tookMs(run)).toBeGreaterThan(9 * MINUTE_MS);
      expect(endIdentityAttempt.mock.calls).toEqual([[{ attemptId: input.attemptId, status: 'EXPIRED' }]]);
    });
    expect(redeemIdentityCode).not.toHaveBeenCalled();
  });

  test('ends without an exchange once its row has ended, such as by a denial', async ({ temporal }) => {
    const redeemIdentityCode = vi.fn(quiet.redeemIdentityCode);
    const endIdentityAttempt = vi.fn(async () => 'DENIED' as const);
    const result = await temporal.run({ ...quiet, redeemIdentityCode, endIdentityAttempt }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()), { signal: attemptEnded })).result(),
    );
    expect(result).toBe('DENIED');
    expect(redeemIdentityCode).not.toHaveBeenCalled();
  });

  test('leaves it to the row whether claims came too late', async ({ temporal }) => {
    const endIdentityAttempt = vi.fn(async () => 'EXPIRED' as const);
    const forgetClaims = vi.fn(quiet.forgetClaims);
    const result = await temporal.run({ ...quiet, endIdentityAttempt, forgetClaims }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()), { signal: callbackArrived })).result(),
    );
    expect(result).toBe('EXPIRED');
    expect(forgetClaims).not.toHaveBeenCalled();
  });

  for (const [type, known] of [
    ['ContractBroken', {}],
    ['ClientRejected', {}],
    ['RetryLater', { outcomeUnknown: true }],
    ['RetryLater', { retryAfterSeconds: 3_600 }],
  ] as const) {
    test(`fails with ${type} ${JSON.stringify(known)}, after one try`, async ({ temporal }) => {
      const redeemIdentityCode = vi.fn(async () => Promise.reject(failure(type, known)));
      const endIdentityAttempt = vi.fn(async () => 'FAILED' as const);
      const input = newSignIn(await temporal.now());
      const result = await temporal.run({ ...quiet, redeemIdentityCode, endIdentityAttempt }, async (start) =>
        (await start(identityAttempt, input, { signal: callbackArrived })).result(),
      );
      expect(result).toBe('FAILED');
      expect(redeemIdentityCode).toHaveBeenCalledOnce();
      expect(endIdentityAttempt.mock.calls).toEqual([[{ attemptId: input.attemptId, status: 'FAILED' }]]);
    });
  }

  test('tries an issuer that is away again', async ({ temporal }) => {
    const redeemIdentityCode = vi.fn(quiet.redeemIdentityCode).mockRejectedValueOnce(failure('RetryLater'));
    const result = await temporal.run({ ...quiet, redeemIdentityCode }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()), { signal: callbackArrived })).result(),
    );
    expect(result).toBe('COMPLETED');
    expect(redeemIdentityCode).toHaveBeenCalledTimes(2);
  });

  test('is seen through once a code has come, cancelled or not: claims do not stay', async ({ temporal }) => {
    const redeeming = gate();
    const cancelled = gate();
    const redeemIdentityCode = async () => {
      redeeming.open();
      await cancelled.opened;
    };
    const forgetClaims = vi.fn(quiet.forgetClaims);
    const result = await temporal.run({ ...quiet, redeemIdentityCode, forgetClaims }, async (start) => {
      const run = await start(identityAttempt, newSignIn(await temporal.now()), { signal: callbackArrived });
      await redeeming.opened;
      await run.cancel();
      cancelled.open();
      return await run.result();
    });
    expect(result).toBe('COMPLETED');
    expect(forgetClaims).toHaveBeenCalledOnce();
  });
});
