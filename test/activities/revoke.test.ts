import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { failureOf, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { until } from '../kit/fake-activities.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { gate } from '../kit/gate.ts';
import { connectAttempts } from '../kit/seed-attempts.ts';

const SUCCEEDED = { status: 'SUCCEEDED', creatorAction: null, errorCode: null, sealedTokens: null };

/** A connection in DISCONNECTING, and its revoke job. */
async function createDisconnectDeps(stage: Stage, changes: Parameters<Stage['newConnection']>[0] = {}) {
  const connection = await stage.newConnection(changes);
  const { revokeJobId, eraseJobId } = await stage.disconnect(connection);
  return { ...connection, revokeJobId, eraseJobId };
}

describe('revoke', () => {
  test('waits for an exchange in flight on the same scope and provider, and for no other', async ({ sql, stage }) => {
    const { revokeJobId, scopeId } = await createDisconnectDeps(stage);
    const elsewhere = await stage.newAttempt();
    await connectAttempts.claimExchange(sql, elsewhere.attemptId);
    const { attemptId } = await stage.newAttempt({ scopeId });
    await connectAttempts.claimExchange(sql, attemptId);
    const failure = await failureOf(runActivity(stage.activities.tryRevoke, { jobId: revokeJobId }));
    expect(failure).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 5 });
    expect(stage.provider.revoke).not.toHaveBeenCalled();
    const end = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' } as const;
    await runActivity(stage.activities.endAttempt, { attemptId, end });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
  });

  test('waits for the exchange in flight of an attempt that it canceled', async ({ sql, stage }) => {
    const { connectionId, scopeId, provider } = await stage.newConnection();
    const { attemptId } = await stage.newAttempt({ scopeId, reconnectConnectionId: connectionId });
    const answer = gate();
    const answered = { tokens: newTokens(), principal: randomUUID() };
    stage.provider.exchangeCode.mockImplementationOnce(async () => {
      await answer.opened;
      return answered;
    });
    const exchanging = runActivity(stage.activities.exchangeCode, { attemptId });
    await until(() => stage.provider.exchangeCode.mock.calls.length > 0);
    const { revokeJobId } = await stage.disconnect({ connectionId, scopeId });
    const [attempt] = await sql`select status from connect_attempt where attempt_id = ${attemptId}`;
    expect(attempt?.status).toBe('CANCELED');
    const failure = await failureOf(runActivity(stage.activities.tryRevoke, { jobId: revokeJobId }));
    expect(failure).toMatchObject({ type: 'RetryLater', retryAfterSeconds: 5 });
    expect(stage.providers[provider].revoke).not.toHaveBeenCalled();
    answer.open();
    await exchanging;
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
  });

  test('waits for a refresh in flight, at most until its answer is too late', async ({ sql, stage }) => {
    const { revokeJobId, grantId } = await createDisconnectDeps(stage);
    await sql`
      update account_grant set refresh_claim = gen_random_uuid(), refresh_claimed_at = business_now() where grant_id = ${grantId}
    `;
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId: revokeJobId }))).toMatchObject({
      type: 'RetryLater',
    });
    expect(stage.provider.revoke).not.toHaveBeenCalled();
    await moveClock(sql, 91 * SECOND_MS);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
  });
});
