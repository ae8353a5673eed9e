import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import { type Attempt, connectAttempts } from '../../src/store/attempts/attempts.ts';
import { updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import { findGrantOfAttempt } from '../../src/store/grants/grants.ts';
import type { ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { moveSyncToEnd, moveSyncToRunning } from '../../src/store/jobs/scans.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { proves } from '../kit/proofs.ts';

const complete = (stage: Stage, { attemptId }: Attempt) => runActivity(stage.activities.completeAttempt, { attemptId });

/** The attempt ends with `end` and without a connection; a compensating revoke gets its grant. */
async function expectRevoked(stage: Stage, attempt: Attempt, end: object): Promise<void> {
  const whose = `attempt ${attempt.attemptId} of scope ${attempt.scopeId}; seeded accounts have hashes of the previous key`;
  expect(await complete(stage, attempt), whose).toEqual(end);
  expect(await connectAttempts.find(stage.sql, attempt.attemptId)).toMatchObject({ ...end, connectionId: null });
  expect(await findGrantOfAttempt(stage.sql, attempt.attemptId)).toMatchObject({ status: 'REVOKING' });
  expect(await stage.sql`select from disconnect_job where attempt_id = ${attempt.attemptId}`).toHaveLength(1);
}

const connectionOf = async (stage: Stage, { attemptId }: Attempt) => {
  const attempt = await connectAttempts.find(stage.sql, attemptId);
  const connection = attempt?.connectionId && (await findConnection(stage.sql, attempt.connectionId));
  if (!connection) throw new Error('The attempt has no connection.');
  return connection;
};

describe('completeAttempt', () => {
  test('plans the first automatic refresh, if the app has them', async ({ sql }) => {
    const stage = await openStage(sql);
    await updateRefreshPolicy(sql, stage.seeded.app.appId, 'PROVIDER_B', {
      refreshMinutes: 60,
      refreshDays: 7,
      refreshPosts: 20,
    });
    const attempt = await stage.newExchangedAttempt();
    await complete(stage, attempt);
    const { connectionId } = await connectionOf(stage, attempt);
    const [row] = await sql`
      select refresh_due_at between business_now() and business_now() + interval '1 hour' as planned
      from connection where connection_id = ${connectionId}
    `;
    expect(row).toEqual({ planned: true });
  });

  test('returns the same answer and changes nothing when repeated', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt();
    await complete(stage, attempt);
    expect(await complete(stage, attempt)).toEqual({ status: 'COMPLETED', resultCode: null });
    expect(await sql`select from connection where scope_id = ${attempt.scopeId}`).toHaveLength(1);
  });

  test('stores no profile and starts no scan if neither was requested', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt({ capabilities: ['CONTENT_LOOKUP'] });
    await complete(stage, attempt);
    const connection = await connectionOf(stage, attempt);
    expect(connection.profile).toBeNull();
    expect(await sql`select from read_job where connection_id = ${connection.connectionId}`).toHaveLength(0);
  });
});

describe('a reconnect', () => {
  async function reconnecting(stage: Stage) {
    const first = await stage.newExchangedAttempt();
    await complete(stage, first);
    const target = await connectionOf(stage, first);
    const { connectionId, scopeId } = target;
    return { target, again: () => stage.newExchangedAttempt({ scopeId, reconnectConnectionId: connectionId }) };
  }

  test('shows that a scan is about to start, not the failure of the last one; other results stay', async ({ sql }) => {
    const stage = await openStage(sql);
    for (const [before, after] of [
      ['FAILED', 'PENDING'],
      ['PARTIAL', 'PARTIAL'],
      ['READY', 'READY'],
    ] as const) {
      const { target, again } = await reconnecting(stage);
      const { target: other } = await reconnecting(stage);
      for (const { connectionId } of [target, other]) {
        await moveSyncToRunning(sql, { connectionId } as ReadJob);
        await moveSyncToEnd(sql, { connectionId, chainStartedAt: new Date() }, before);
        const [scan] = await sql`select job_id from read_job where connection_id = ${connectionId}`;
        await endReadJob(sql, scan?.jobId, { status: 'CANCELED' });
      }
      await complete(stage, await again());
      expect(await findConnection(sql, target.connectionId)).toMatchObject({ status: 'CONNECTED', syncStatus: after });
      expect(await findConnection(sql, other.connectionId)).toMatchObject({ syncStatus: before });
    }
  });
});

describe('while a disconnect holds its siblings', () => {
  proves('A grant that arrives late does not outlive a revoke');
  test('no attempt of the scope and provider completes until the revoke settles', async ({ sql }) => {
    const stage = await openStage(sql, { suspendSiblings: true });
    const connection = await stage.newConnection();
    await stage.disconnect(connection);
    const held = await stage.newExchangedAttempt({ scopeId: connection.scopeId });
    await expectRevoked(stage, held, { status: 'FAILED', resultCode: 'ACCOUNT_DISCONNECTING' });
    const free = await stage.newExchangedAttempt();
    expect(await complete(stage, free)).toMatchObject({ status: 'COMPLETED' });
  });

  test('no attempt of the same principal completes in any other scope', async ({ sql }) => {
    const stage = await openStage(sql, { suspendSiblings: true });
    const principal = randomUUID();
    await stage.disconnect(await stage.newConnection({ principal }));
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal });
    const held = await stage.newExchangedAttempt();
    await expectRevoked(stage, held, { status: 'FAILED', resultCode: 'ACCOUNT_DISCONNECTING' });
  });
});

describe('completeAttempt against a disconnect of the same account', () => {
  test('never leaves a connection half disconnected in 8 races', async ({ sql }) => {
    const stage = await openStage(sql);
    for (let round = 0; round < 8; round += 1) {
      const account = randomUUID();
      stage.provider.readAccount.mockImplementation(async () => ({
        providerAccountId: account,
        aliasIds: [],
        profile: { displayName: null, handle: null, avatarUrl: null, profileUrl: null, description: null },
      }));
      stage.provider.exchangeCode.mockImplementation(async () => ({ tokens: newTokens(), principal: randomUUID() }));
      const first = await stage.newExchangedAttempt();
      await complete(stage, first);
      const target = await connectionOf(stage, first);
      const attempt = await stage.newExchangedAttempt({ scopeId: target.scopeId });
      const [settled, cut] = await Promise.all([complete(stage, attempt), stage.disconnect(target)]);
      expect(settled.status).toBe('COMPLETED');
      const [old] = await sql`select status from account_grant where attempt_id = ${first.attemptId}`;
      const now = await connectionOf(stage, attempt);
      expect(old?.status).toBe(now.connectionId === target.connectionId ? 'DEAD' : 'REVOKING');
      if (now.connectionId === target.connectionId) {
        // Completed, then disconnected: the new grant is revoked.
        expect(now.status).toBe('DISCONNECTED');
        const revoke = await stage.job('disconnect_job', cut.revokeJobId);
        expect(revoke.grantId).toBe((await findGrantOfAttempt(sql, attempt.attemptId))?.grantId);
      } else {
        // Disconnected, then completed: the account has a new connection.
        expect(now.status).toBe('CONNECTED');
        expect(await stage.connectionStatus(target.connectionId)).toBe('DISCONNECTED');
      }
    }
  });
});
