import { describe, expect } from 'vitest';
import { ProviderError } from '../../src/providers/provider.ts';
import {
  type Attempt,
  cancelReconnects,
  connectAttempts,
  moveAttemptToEnd,
} from '../../src/store/attempts/attempts.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { callerOf, createDeps } from '../kit/caller.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';

const EXPIRED = { status: 'EXPIRED', resultCode: 'EXPIRED', connectionId: null };
const REMOVE = { creatorAction: 'REMOVE_APP_AT_PROVIDER' };
const failed = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;

/** The fields of the attempt that its caller reads. */
async function readAsCaller(stage: Stage, { attemptId, scopeId }: Attempt) {
  const [scope] = await stage.sql`select tenant_key, external_subject_id from scope where scope_id = ${scopeId}`;
  const call = callerOf(await createDeps(stage.sql), stage.seeded);
  return await call('connectSessionResult', { scope, id: attemptId });
}

const end = (stage: Stage, { attemptId }: Attempt, how: Parameters<Stage['activities']['endAttempt']>[0]['end']) =>
  runActivity(stage.activities.endAttempt, { attemptId, end: how });

describe('an attempt past its deadline', () => {
  for (const how of [failed, { status: 'CANCELED', resultCode: 'CANCELED' } as const]) {
    test(`ends EXPIRED, as callers were shown, instead of ${how.status}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const attempt = await stage.newAttempt();
      await moveClock(sql, 10 * MINUTE_MS);
      expect(await readAsCaller(stage, attempt)).toMatchObject({ ...EXPIRED, creatorAction: null });
      expect(await end(stage, attempt, how)).toEqual({ status: 'EXPIRED', resultCode: 'EXPIRED' });
      expect(await readAsCaller(stage, attempt)).toMatchObject({ ...EXPIRED, creatorAction: null });
      expect(await connectAttempts.find(sql, attempt.attemptId)).toMatchObject({ ...EXPIRED, sealedCode: null });
    });
  }

  test('asks the person to remove the app if the code was sent and no answer came', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newAttempt();
    stage.provider.exchangeCode.mockImplementationOnce(async () => {
      await moveClock(sql, 10 * MINUTE_MS);
      throw new ProviderError('RetryLater', 'No answer.', { outcomeUnknown: true });
    });
    await failureOf(runActivity(stage.activities.exchangeCode, { attemptId: attempt.attemptId }));
    expect(await readAsCaller(stage, attempt)).toMatchObject({ ...EXPIRED, creatorAction: null });
    await end(stage, attempt, {
      status: 'FAILED',
      resultCode: 'EXCHANGE_FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
    expect(await readAsCaller(stage, attempt)).toMatchObject({ ...EXPIRED, ...REMOVE });
  });

  test('ends EXPIRED even if a disconnect would cancel it', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    const attempt = await stage.newAttempt({
      scopeId: connection.scopeId,
      reconnectConnectionId: connection.connectionId,
    });
    await moveClock(sql, 10 * MINUTE_MS);
    expect(await readAsCaller(stage, attempt)).toMatchObject(EXPIRED);
    await inTransaction(sql, (tx) => cancelReconnects(tx, connection.connectionId, null));
    expect(await readAsCaller(stage, attempt)).toMatchObject(EXPIRED);
  });

  test('asks the person to remove a late grant at a platform without revoke, and changes nothing more', async ({
    sql,
  }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt({ provider: 'PROVIDER_C' });
    await moveClock(sql, 10 * MINUTE_MS);
    // Reconciliation ended the attempt first; the grant is found when the exchange returns.
    await sql`
      update connect_attempt set status = 'EXPIRED', result_code = 'EXPIRED', finished_at = business_now(),
        sealed_code = null, sealed_code_verifier = null
      where attempt_id = ${attempt.attemptId}
    `;
    await end(stage, attempt, failed);
    expect(await readAsCaller(stage, attempt)).toMatchObject({ ...EXPIRED, ...REMOVE });
    expect(await findGrantOfAttempt(sql, attempt.attemptId)).toMatchObject({ status: 'REVOKING' });
    await end(stage, attempt, failed);
    expect(await readAsCaller(stage, attempt)).toMatchObject({ ...EXPIRED, ...REMOVE });
  });
});

describe('an attempt canceled during its exchange', () => {
  test('tells the person about a grant that may still be live', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newAttempt();
    stage.provider.exchangeCode.mockImplementationOnce(async () => {
      await moveAttemptToEnd(sql, attempt.attemptId, { status: 'CANCELED', resultCode: 'CANCELED' }); // By an admin.
      throw new ProviderError('RetryLater', 'No answer.', { outcomeUnknown: true });
    });
    await failureOf(runActivity(stage.activities.exchangeCode, { attemptId: attempt.attemptId }));
    await end(stage, attempt, {
      status: 'FAILED',
      resultCode: 'EXCHANGE_FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
    expect(await readAsCaller(stage, attempt)).toMatchObject({ status: 'CANCELED', resultCode: 'CANCELED', ...REMOVE });
  });
});

describe('an attempt with a lost exchange', () => {
  test('reports it, for every reason to stop waiting for the answer', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newAttempt();
    stage.provider.exchangeCode.mockRejectedValueOnce(new Error('The worker dies here.'));
    await failureOf(runActivity(stage.activities.exchangeCode, { attemptId: attempt.attemptId }));
    await end(stage, attempt, failed);
    expect(await readAsCaller(stage, attempt)).toMatchObject({ ...failed, ...REMOVE });
  });
});
