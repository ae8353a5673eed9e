import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { JobId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
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

/** The compensating revoke job of an unused grant. */
async function compensation(stage: Stage, principal: string): Promise<JobId> {
  stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal });
  const { attemptId } = await stage.newExchangedAttempt();
  const end = { status: 'FAILED', resultCode: 'POLICY_CHANGED' } as const;
  await runActivity(stage.activities.endAttempt, { attemptId, end });
  const [job] = await stage.sql`select job_id from disconnect_job where attempt_id = ${attemptId}`;
  return job?.jobId as JobId;
}

describe('revoke', () => {
  test('makes no call when repeated after it settled', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId } = await createDisconnectDeps(stage);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(stage.provider.revoke).toHaveBeenCalledOnce();
  });

  test('refreshes a stale access token first, stores the fresh one, and revokes with that', async ({ sql }) => {
    const stage = await openStage(sql);
    const fresh = newTokens();
    stage.provider.revoke.mockRejectedValueOnce(new ProviderError('TokenStale', 'Stale.'));
    stage.provider.refresh.mockResolvedValueOnce(fresh);
    const { revokeJobId } = await createDisconnectDeps(stage);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(stage.provider.revoke.mock.calls[1]?.[1].accessToken.reveal()).toBe(fresh.accessToken.reveal());
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
  });

  test('uses the fresh token on retry if it failed after a refresh', async ({ sql }) => {
    const stage = await openStage(sql);
    const fresh = newTokens();
    stage.provider.refresh.mockResolvedValueOnce(fresh);
    stage.provider.revoke
      .mockRejectedValueOnce(new ProviderError('TokenStale', 'Stale.'))
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'Away.'));
    const { revokeJobId } = await createDisconnectDeps(stage);
    expect(await failureOf(runActivity(stage.activities.tryRevoke, { jobId: revokeJobId }))).toMatchObject({
      type: 'RetryLater',
    });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(stage.provider.revoke.mock.calls[2]?.[1].accessToken.reveal()).toBe(fresh.accessToken.reveal());
    expect(stage.provider.refresh).toHaveBeenCalledOnce();
  });

  for (const type of ['GrantDead', 'TokenStale'] as const) {
    test(`treats a grant as ended if its refresh or fresh token is refused (${type})`, async ({ sql }) => {
      const stage = await openStage(sql);
      stage.provider.revoke.mockRejectedValueOnce(new ProviderError('TokenStale', 'Stale.'));
      if (type === 'GrantDead') stage.provider.refresh.mockRejectedValueOnce(new ProviderError(type, 'Dead.'));
      else stage.provider.revoke.mockRejectedValueOnce(new ProviderError(type, 'Stale.'));
      const { revokeJobId } = await createDisconnectDeps(stage);
      await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
      expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject(SUCCEEDED);
    });
  }

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

  test('ends FAILED after a lost refresh, and asks the person to remove the app', async ({ sql }) => {
    const stage = await openStage(sql);
    stage.provider.revoke.mockRejectedValue(new ProviderError('TokenStale', 'Stale.'));
    stage.provider.refresh
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true }))
      .mockRejectedValueOnce(new ProviderError('GrantDead', 'Spent.'));
    const { revokeJobId } = await createDisconnectDeps(stage);
    await failureOf(runActivity(stage.activities.tryRevoke, { jobId: revokeJobId }));
    await moveClock(sql, 91 * SECOND_MS);
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(await stage.job('disconnect_job', revokeJobId)).toMatchObject({
      status: 'FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
  });
});

describe('a disconnect of a connection that asks for a reconnect', () => {
  /** The grant as a read found it: the platform has refused its refresh token. */
  const leaveDead = async (stage: Stage, { lostFirst }: { lostFirst: boolean }) => {
    const { connectionId, ...connection } = await stage.newConnection();
    if (!lostFirst) await stage.refuseBefore(connection.grantId);
    const check = async (error: ProviderError) => {
      stage.provider.refresh.mockRejectedValueOnce(error);
      await failureOf(runActivity(stage.activities.checkGrant, { connectionId }));
      await moveClock(stage.sql, 91 * SECOND_MS);
    };
    if (lostFirst) await check(new ProviderError('RetryLater', 'Lost.', { outcomeUnknown: true }));
    await check(new ProviderError('RetryLater', 'Away.'));
    await check(new ProviderError('GrantDead', 'Spent.'));
    expect(await stage.connectionStatus(connectionId)).toBe('RECONNECT_REQUIRED');
    const { revokeJobId: jobId } = await stage.disconnect({ connectionId, ...connection });
    await runActivity(stage.activities.tryRevoke, { jobId });
    return await stage.job('disconnect_job', jobId);
  };

  test('asks the person to remove the app if a refresh was lost before, also with an outage in between', async ({
    sql,
  }) => {
    expect(await leaveDead(await openStage(sql), { lostFirst: true })).toMatchObject({
      status: 'FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
  });
});

describe('a compensating revoke', () => {
  test('is not sent if another grant of the same principal came into use', async ({ sql }) => {
    const stage = await openStage(sql);
    const principal = randomUUID();
    const jobId = await compensation(stage, principal);
    const other = await stage.newConnection({ principal });
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(stage.provider.revoke).not.toHaveBeenCalled();
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(SUCCEEDED);
    expect((await stage.grant(other.grantId)).status).toBe('LIVE');
  });

  test('does not block a disconnect that revokes the same principal', async ({ sql }) => {
    const stage = await openStage(sql);
    const principal = randomUUID();
    await stage.newConnection({ principal });
    const { revokeJobId } = await createDisconnectDeps(stage, { principal });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    expect(stage.provider.revoke).toHaveBeenCalledOnce();
  });
});

describe('giving up on a revoke', () => {
  /** A permanently failed compensating revoke that an operator reopened. */
  async function openedAgain(stage: Stage, principal: string): Promise<JobId> {
    const jobId = await compensation(stage, principal);
    await moveClock(stage.sql, 72 * HOUR_MS);
    const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
    await runActivity(stage.activities.recordDisconnectFailure, { jobId, failedTry });
    const [grant] = await stage.sql`
      select status, sealed_tokens from account_grant where grant_id = (select grant_id from disconnect_job where job_id = ${jobId})
    `;
    expect(grant).toEqual({ status: 'DEAD', sealedTokens: null });
    expect((await stage.job('disconnect_job', jobId)).sealedTokens).toEqual(expect.any(String));
    await stage.sql`update disconnect_job set status = 'QUEUED', finished_at = null where job_id = ${jobId}`;
    return jobId;
  }

  test('never leads to a late revoke of grants that the principal uses meanwhile', async ({ sql }) => {
    const stage = await openStage(sql);
    const principal = randomUUID();
    const jobId = await openedAgain(stage, principal);
    const other = await stage.newConnection({ principal });
    await runActivity(stage.activities.tryRevoke, { jobId });
    expect(stage.provider.revoke).not.toHaveBeenCalled();
    expect((await stage.grant(other.grantId)).status).toBe('LIVE');
    expect((await stage.job('disconnect_job', jobId)).sealedTokens).toBeNull();
  });
});
