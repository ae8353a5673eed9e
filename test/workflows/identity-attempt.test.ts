import { describe, expect, vi } from 'vitest';
import { identityAttempt } from '../../src/workflows/identity-attempt.ts';
import { failure, gate, MINUTE_MS, newSignIn, quiet } from '../kit/fake-activities.ts';
import { test, tookMs } from '../kit/temporal.ts';

describe('identityAttempt', () => {
  test('exchanges the code, and ends', async ({ temporal }) => {
    const exchangeIdentityCode = vi.fn(quiet.exchangeIdentityCode);
    await temporal.run({ ...quiet, exchangeIdentityCode }, async (start) => {
      const input = newSignIn(await temporal.now());
      const run = await start(identityAttempt, input);
      expect(await run.result()).toBe('COMPLETED');
      expect(await tookMs(run)).toBeLessThan(MINUTE_MS);
      expect(exchangeIdentityCode.mock.calls).toEqual([[{ attemptId: input.attemptId }]]);
    });
  });

  test('lets the row decide whether claims arrived too late', async ({ temporal }) => {
    const endIdentityAttempt = vi.fn(async () => 'EXPIRED' as const);
    const result = await temporal.run({ ...quiet, endIdentityAttempt }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()))).result(),
    );
    expect(result).toBe('EXPIRED');
  });

  for (const [type, known] of [
    ['ContractBroken', {}],
    ['ClientRejected', {}],
    ['RetryLater', { outcomeUnknown: true }],
    ['RetryLater', { retryAfterSeconds: 3_600 }],
  ] as const) {
    test(`fails with ${type} ${JSON.stringify(known)}, after one try`, async ({ temporal }) => {
      const exchangeIdentityCode = vi.fn(async () => Promise.reject(failure(type, known)));
      const endIdentityAttempt = vi.fn(async () => 'FAILED' as const);
      const input = newSignIn(await temporal.now());
      const result = await temporal.run({ ...quiet, exchangeIdentityCode, endIdentityAttempt }, async (start) =>
        (await start(identityAttempt, input)).result(),
      );
      expect(result).toBe('FAILED');
      expect(exchangeIdentityCode).toHaveBeenCalledOnce();
      expect(endIdentityAttempt.mock.calls).toEqual([[{ attemptId: input.attemptId, status: 'FAILED' }]]);
    });
  }

  test('retries an unreachable issuer', async ({ temporal }) => {
    const exchangeIdentityCode = vi.fn(quiet.exchangeIdentityCode).mockRejectedValueOnce(failure('RetryLater'));
    const result = await temporal.run({ ...quiet, exchangeIdentityCode }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()))).result(),
    );
    expect(result).toBe('COMPLETED');
    expect(exchangeIdentityCode).toHaveBeenCalledTimes(2);
  });

  test('completes once a code has arrived, even if canceled', async ({ temporal }) => {
    const redeeming = gate();
    const cancelled = gate();
    const exchangeIdentityCode = async () => {
      redeeming.open();
      await cancelled.opened;
    };
    const result = await temporal.run({ ...quiet, exchangeIdentityCode }, async (start) => {
      const run = await start(identityAttempt, newSignIn(await temporal.now()));
      await redeeming.opened;
      await run.cancel();
      cancelled.open();
      return await run.result();
    });
    expect(result).toBe('COMPLETED');
  });
});
