import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { endReadJob } from '../../src/domain/reading/end-read-job.ts';
import { deleteTenant } from '../../src/store/apps/tenants.ts';
import { type Attempt, connectAttempts } from '../../src/store/attempts/attempts.ts';
import { updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import { findConnection, moveConnection } from '../../src/store/connections/connections.ts';
import { findGrantOfAttempt, findGrantOfConnection } from '../../src/store/grants/grants.ts';
import type { ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { moveSyncToEnd, moveSyncToRunning } from '../../src/store/jobs/scans.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { call } from '../kit/fake-platform.ts';
import { newTokens } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { proves } from '../kit/proofs.ts';
import { setEnabled } from '../kit/seed.ts';

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
  test('creates a connection with its profile and grant, and starts the first scan', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt();
    expect(await complete(stage, attempt)).toEqual({ status: 'COMPLETED', resultCode: null });
    const connection = await connectionOf(stage, attempt);
    expect(connection).toMatchObject({
      status: 'CONNECTED',
      syncStatus: 'PENDING',
      providerAccountId: 'account-1',
      scopeId: attempt.scopeId,
      profile: { handle: 'harbour' },
    });
    expect(connection.capabilities.map(({ capability }) => capability)).toEqual(['PROFILE', 'CONTENT_LIST']);
    expect(await findGrantOfConnection(sql, connection.connectionId)).toMatchObject({
      status: 'LIVE',
      attemptId: attempt.attemptId,
      profile: null,
    });
    const jobs = await sql`select * from read_job where connection_id = ${connection.connectionId}`;
    expect(jobs).toEqual([expect.objectContaining({ kind: 'SCAN', requestedBy: 'SERVICE', windowOmitted: true })]);
    expect(await sql`select from outbox where workflow_id = ${`scan/${jobs[0]?.jobId}`}`).toHaveLength(1);
  });

  test('plans the first automatic refresh, if the app has them', async ({ sql }) => {
    const stage = await openStage(sql);
    await updateRefreshPolicy(sql, stage.seeded.app.appId, 'PROVIDER_B', {
      everyMinutes: 60,
      windowDays: 7,
      newestPosts: 20,
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

  test('ends with PARTIAL_PERMISSION and keeps the granted capabilities if some were refused', async ({ sql }) => {
    const stage = await openStage(sql);
    const tokens = newTokens({ permissions: ['user.info.basic', 'user.info.profile'] });
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens, principal: randomUUID() });
    const attempt = await stage.newExchangedAttempt();
    expect(await complete(stage, attempt)).toEqual({ status: 'COMPLETED', resultCode: 'PARTIAL_PERMISSION' });
    expect((await connectionOf(stage, attempt)).capabilities).toEqual([
      { capability: 'PROFILE', availability: 'AVAILABLE', reason: null },
    ]);
  });

  test('revokes a grant that covers none of the requested capabilities', async ({ sql }) => {
    const stage = await openStage(sql);
    stage.provider.exchangeCode.mockResolvedValueOnce({
      tokens: newTokens({ permissions: [] }),
      principal: randomUUID(),
    });
    const attempt = await stage.newExchangedAttempt();
    await expectRevoked(stage, attempt, { status: 'FAILED', resultCode: 'MISSING_PERMISSION' });
  });

  const changes = {
    'the app is disabled': (stage: Stage) => setEnabled(stage.sql, stage.seeded.app.appId, false),
    'the tenant is removed': (stage: Stage) => deleteTenant(stage.sql, stage.seeded.app.appId, stage.seeded.tenantKey),
    'the policy no longer names the provider': (stage: Stage) =>
      stage.sql`delete from app_policy where app_id = ${stage.seeded.app.appId}`,
    'the policy no longer allows a capability': (stage: Stage) =>
      stage.sql`update app_policy set capabilities = ${['PROFILE']} where app_id = ${stage.seeded.app.appId}`,
    'the registration no longer serves the app': (stage: Stage) =>
      stage.sql`delete from registration_app where registration_id = ${stage.seeded.registrations.PROVIDER_B}`,
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`revokes the grant if ${what}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const attempt = await stage.newExchangedAttempt();
      await change(stage);
      await expectRevoked(stage, attempt, { status: 'FAILED', resultCode: 'POLICY_CHANGED' });
    });
  }

  test('revokes the grant if the registration is paused', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt();
    await updatePaused(sql, attempt.registrationId, true);
    await expectRevoked(stage, attempt, { status: 'FAILED', resultCode: 'REGISTRATION_PAUSED' });
  });

  test('revokes the grant if the deadline has passed', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt();
    await moveClock(sql, attempt.expiresAt.getTime() - attempt.createdAt.getTime());
    await expectRevoked(stage, attempt, { status: 'EXPIRED', resultCode: 'EXPIRED' });
  });

  test('completes just before the deadline', async ({ sql }) => {
    const stage = await openStage(sql);
    const attempt = await stage.newExchangedAttempt();
    await moveClock(sql, 10 * MINUTE_MS - 5_000);
    expect(await complete(stage, attempt)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('an account that is already connected', () => {
  test('keeps its connection id, and its old tokens are discarded', async ({ sql }) => {
    const stage = await openStage(sql);
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal: 'before' });
    const first = await stage.newExchangedAttempt();
    await complete(stage, first);
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal: 'after' });
    const second = await stage.newExchangedAttempt({ scopeId: first.scopeId });
    await complete(stage, second);
    const connection = await connectionOf(stage, second);
    expect(connection.connectionId).toBe((await connectionOf(stage, first)).connectionId);
    expect(await findGrantOfAttempt(sql, second.attemptId)).toMatchObject({ status: 'LIVE' });
    const old = await findGrantOfAttempt(sql, first.attemptId);
    expect(old).toMatchObject({ status: 'DEAD' });
    expect(await sql`select kind from disconnect_job where grant_id = ${old?.grantId ?? null}`).toEqual([]);
  });

  test('keeps the new grant of the same principal: the old tokens are discarded, not revoked', async ({ sql }) => {
    const stage = await openStage(sql);
    const first = await stage.newExchangedAttempt();
    await complete(stage, first);
    const second = await stage.newExchangedAttempt({ scopeId: first.scopeId });
    await complete(stage, second);
    expect(await findGrantOfAttempt(sql, first.attemptId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
    expect(
      await sql`select from disconnect_job where provider = 'PROVIDER_B' and scope_id = ${first.scopeId}`,
    ).toHaveLength(0);
    expect((await connectionOf(stage, second)).status).toBe('CONNECTED');
  });

  test('gets another connection in another scope', async ({ sql }) => {
    const stage = await openStage(sql);
    const [one, two] = [await stage.newExchangedAttempt(), await stage.newExchangedAttempt()];
    await complete(stage, one);
    await complete(stage, two);
    expect((await connectionOf(stage, one)).connectionId).not.toBe((await connectionOf(stage, two)).connectionId);
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

  test('moves a connection from RECONNECT_REQUIRED to CONNECTED', async ({ sql }) => {
    const stage = await openStage(sql);
    const { target, again } = await reconnecting(stage);
    await moveConnection(sql, target.connectionId, 'RECONNECT_REQUIRED');
    const attempt = await again();
    expect(await complete(stage, attempt)).toEqual({ status: 'COMPLETED', resultCode: null });
    expect(await connectionOf(stage, attempt)).toMatchObject({
      connectionId: target.connectionId,
      status: 'CONNECTED',
    });
  });

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

  test('fails and revokes its grant if the person chose another account', async ({ sql }) => {
    const stage = await openStage(sql);
    const { again } = await reconnecting(stage);
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal: 'somebody else' });
    const account = await stage.provider.readAccount({ accessToken: newTokens().accessToken, permissions: [] }, call());
    stage.provider.readAccount.mockResolvedValueOnce({ ...account, providerAccountId: 'account-2' });
    await expectRevoked(stage, await again(), { status: 'FAILED', resultCode: 'ACCOUNT_MISMATCH' });
  });

  test('is CANCELED and revokes its grant if the connection was disconnected meanwhile', async ({ sql }) => {
    const stage = await openStage(sql);
    const { target, again } = await reconnecting(stage);
    stage.provider.exchangeCode.mockResolvedValueOnce({ tokens: newTokens(), principal: 'another consent' });
    const attempt = await again();
    await stage.disconnect(target);
    await expectRevoked(stage, attempt, { status: 'CANCELED', resultCode: 'CANCELED' });
    expect(await stage.connectionStatus(target.connectionId)).toBe('DISCONNECTED');
  });

  test('cancels the other attempts for the same connection when it completes', async ({ sql }) => {
    const stage = await openStage(sql);
    const { target, again } = await reconnecting(stage);
    const other = await stage.newAttempt({ scopeId: target.scopeId, reconnectConnectionId: target.connectionId });
    await complete(stage, await again());
    expect(await connectAttempts.find(sql, other.attemptId)).toMatchObject({
      status: 'CANCELED',
      resultCode: 'CANCELED',
    });
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
  test('never leaves a connection half disconnected in 20 races', async ({ sql }) => {
    const stage = await openStage(sql);
    for (let round = 0; round < 20; round += 1) {
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
