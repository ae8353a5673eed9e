import { describe, expect, vi } from 'vitest';
import { attemptEnded, callbackArrived } from '../../src/workflows/connect-attempt.ts';
import type { Progress } from '../../src/workflows/contract.ts';
import { identityAttempt } from '../../src/workflows/identity-attempt.ts';
import { failure, gate, MINUTE_MS, newSignIn, quiet, until } from '../kit/fake-activities.ts';
import { test, tookMs } from '../kit/temporal.ts';

describe('identityAttempt', () => {
  test('exchanges the code, and deletes unredeemed claims after 20 minutes', async ({ temporal }) => {
    const deleteClaims = vi.fn(quiet.deleteClaims);
    const exchangeIdentityCode = vi.fn(quiet.exchangeIdentityCode);
    await temporal.run({ ...quiet, deleteClaims, exchangeIdentityCode }, async (start) => {
      const input = newSignIn(await temporal.now());
      const run = await start(identityAttempt, input, { signal: callbackArrived });
      const ask = () => run.query<Progress>('progress');
      await until(async () => (await ask()).step === 'KEEP_CLAIMS');
      const waitingUntil = new Date(Date.parse(input.resultExpiresAt) + 1_000).toISOString();
      expect(await ask()).toMatchObject({ waitingFor: 'CLAIMS_EXPIRY', waitingUntil });
      expect(await run.result()).toBe('COMPLETED');
      expect(await tookMs(run)).toBeGreaterThan(19 * MINUTE_MS);
      const { attemptId } = input;
      expect(exchangeIdentityCode.mock.calls).toEqual([[{ attemptId }]]);
      expect(deleteClaims.mock.calls).toEqual([[{ attemptId }]]);
    });
  });

  test('expires at its deadline without a callback', async ({ temporal }) => {
    const endIdentityAttempt = vi.fn(async () => 'EXPIRED' as const);
    const exchangeIdentityCode = vi.fn(quiet.exchangeIdentityCode);
    await temporal.run({ ...quiet, endIdentityAttempt, exchangeIdentityCode }, async (start) => {
      const input = newSignIn(await temporal.now());
      const run = await start(identityAttempt, input);
      expect(await run.result()).toBe('EXPIRED');
      expect(await tookMs(run)).toBeGreaterThan(9 * MINUTE_MS);
      expect(endIdentityAttempt.mock.calls).toEqual([[{ attemptId: input.attemptId, status: 'EXPIRED' }]]);
    });
    expect(exchangeIdentityCode).not.toHaveBeenCalled();
  });

  test('ends without an exchange if its row has ended, such as by a denial', async ({ temporal }) => {
    const exchangeIdentityCode = vi.fn(quiet.exchangeIdentityCode);
    const endIdentityAttempt = vi.fn(async () => 'DENIED' as const);
    const result = await temporal.run({ ...quiet, exchangeIdentityCode, endIdentityAttempt }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()), { signal: attemptEnded })).result(),
    );
    expect(result).toBe('DENIED');
    expect(exchangeIdentityCode).not.toHaveBeenCalled();
  });

  test('lets the row decide whether claims arrived too late', async ({ temporal }) => {
    const endIdentityAttempt = vi.fn(async () => 'EXPIRED' as const);
    const deleteClaims = vi.fn(quiet.deleteClaims);
    const result = await temporal.run({ ...quiet, endIdentityAttempt, deleteClaims }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()), { signal: callbackArrived })).result(),
    );
    expect(result).toBe('EXPIRED');
    expect(deleteClaims).not.toHaveBeenCalled();
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
        (await start(identityAttempt, input, { signal: callbackArrived })).result(),
      );
      expect(result).toBe('FAILED');
      expect(exchangeIdentityCode).toHaveBeenCalledOnce();
      expect(endIdentityAttempt.mock.calls).toEqual([[{ attemptId: input.attemptId, status: 'FAILED' }]]);
    });
  }

  test('retries an unreachable issuer', async ({ temporal }) => {
    const exchangeIdentityCode = vi.fn(quiet.exchangeIdentityCode).mockRejectedValueOnce(failure('RetryLater'));
    const result = await temporal.run({ ...quiet, exchangeIdentityCode }, async (start) =>
      (await start(identityAttempt, newSignIn(await temporal.now()), { signal: callbackArrived })).result(),
    );
    expect(result).toBe('COMPLETED');
    expect(exchangeIdentityCode).toHaveBeenCalledTimes(2);
  });

  test('completes once a code has arrived, even if canceled, and deletes the claims', async ({ temporal }) => {
    const redeeming = gate();
    const cancelled = gate();
    const exchangeIdentityCode = async () => {
      redeeming.open();
      await cancelled.opened;
    };
    const deleteClaims = vi.fn(quiet.deleteClaims);
    const result = await temporal.run({ ...quiet, exchangeIdentityCode, deleteClaims }, async (start) => {
      const run = await start(identityAttempt, newSignIn(await temporal.now()), { signal: callbackArrived });
      await redeeming.opened;
      await run.cancel();
      cancelled.open();
      return await run.result();
    });
    expect(result).toBe('COMPLETED');
    expect(deleteClaims).toHaveBeenCalledOnce();
  });
});
