import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { gate, until } from '../kit/fake-activities.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { connectAttempts } from '../kit/seed-attempts.ts';

const SUCCEEDED = { status: 'SUCCEEDED', creatorAction: null, errorCode: null, sealedTokens: null };

/** A connection in DISCONNECTING, and its revoke job. */
async function createDisconnectDeps(stage: Stage, changes: Parameters<Stage['newConnection']>[0] = {}) {
  const connection = await stage.newConnection(changes);
  const { revokeJobId, eraseJobId } = await stage.disconnect(connection);
  return { ...connection, revokeJobId, eraseJobId };
}

describe('revoke', () => {
  test('waits for an exchange in flight on the same scope and provider, and for no other', async ({ sql }) => {
    const stage = await openStage(sql);
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

  test('waits for the exchange in flight of an attempt that it canceled', async ({ sql }) => {
    const stage = await openStage(sql);
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

  test('stops waiting once the code of such an attempt was refused', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, scopeId } = await stage.newConnection();
    const { attemptId } = await stage.newAttempt({ scopeId, reconnectConnectionId: connectionId });
    const answer = gate();
    stage.provider.exchangeCode.mockImplementationOnce(async () => {
      await answer.opened;
      throw new ProviderError('GrantDead', 'No such code.');
    });
    const exchanging = failureOf(runActivity(stage.activities.exchangeCode, { attemptId }));
    await until(() => stage.provider.exchangeCode.mock.calls.length > 0);
    const { revokeJobId } = await stage.disconnect({ connectionId, scopeId });
    answer.open();
    expect(await exchanging).toMatchObject({ type: 'GrantDead' });
    const end = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' } as const;
    await runActivity(stage.activities.endAttempt, { attemptId, end });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
    const [attempt] = await sql`select status, creator_action from connect_attempt where attempt_id = ${attemptId}`;
    expect(attempt).toEqual({ status: 'CANCELED', creatorAction: null });
  });

  test('waits for a refresh in flight, at most until its answer is too late', async ({ sql }) => {
    const stage = await openStage(sql);
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

describe('a compensating revoke', () => {
  test('does not block a disconnect that revokes the same principal', async ({ sql }) => {
    const stage = await openStage(sql);
    const principal = randomUUID();
    await stage.newConnection({ principal });
    const { revokeJobId } = await createDisconnectDeps(stage, { principal });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(stage.provider.revoke).toHaveBeenCalledOnce();
  });
});
