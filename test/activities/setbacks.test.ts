import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createRefusal } from '../../src/activities/failures.ts';
import { type ConnectionId, type CorrelationId, type GrantId, type JobId, newId } from '../../src/basics/ids.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { adoptScan, insertLookup } from '../../src/store/jobs/new-reads.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { businessNow, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { proves } from '../kit/proofs.ts';
import { seedContent } from '../kit/seed.ts';

const FINAL = {
  GrantDead: 'RECONNECT_REQUIRED',
  PermissionMissing: 'CAPABILITY_UNAVAILABLE',
  AccountUnusable: 'ACCOUNT_UNUSABLE',
  NotAllowed: 'CAPABILITY_UNAVAILABLE',
  NotFound: 'CONTENT_NOT_FOUND',
  UnsupportedUrl: 'UNSUPPORTED_URL',
  NotWanted: 'CONNECTION_DISCONNECTED',
} as const;
const WAITING = {
  RetryLater: 'PROVIDER_UNAVAILABLE',
  QuotaSpent: 'PROVIDER_RATE_LIMITED',
  Paused: 'AUTHORIZATION_SUSPENDED',
  ContractBroken: 'PROVIDER_CONTRACT',
  ClientRejected: 'PROVIDER_UNAVAILABLE',
  Unexpected: 'INTERNAL',
  AnythingElse: 'INTERNAL',
} as const;

async function runningScan(stage: Stage, requestedBy: 'CALLER' | 'SERVICE' = 'CALLER') {
  const { connectionId, grantId } = await stage.newConnection();
  const { jobId } = await stage.newScan(connectionId, { requestedBy });
  await moveReadJobToRunning(stage.sql, jobId);
  await stage.sql`update connection set sync_status = 'RUNNING' where connection_id = ${connectionId}`;
  return { connectionId, grantId, jobId };
}
const endGrant = (stage: Stage, grantId: GrantId) => inTransaction(stage.sql, (tx) => moveGrantToDead(tx, grantId));
const noteRead = (stage: Stage, jobId: JobId, type: string, retryAfterSeconds: number | null = null) =>
  runActivity(stage.activities.recordReadSetback, { jobId, setback: { type, retryAfterSeconds } });
const syncOf = async (stage: Stage, connectionId: ConnectionId) => {
  const [row] = await stage.sql`
    select last_successful_sync_at from connection where connection_id = ${connectionId}
  `;
  return { ...(await findConnection(stage.sql, connectionId)), ...row };
};

describe('a read after', () => {
  for (const requestedBy of ['CALLER', 'SERVICE'] as const) {
    for (const [type, code] of Object.entries(FINAL)) {
      test(`${type} ends FAILED with ${code}, for ${requestedBy}`, async ({ sql }) => {
        const stage = await openStage(sql);
        const { connectionId, grantId, jobId } = await runningScan(stage, requestedBy);
        if (type === 'GrantDead' || type === 'NotWanted') await endGrant(stage, grantId);
        expect(await noteRead(stage, jobId, type)).toEqual({ ended: true, code });
        expect(await stage.job('read_job', jobId)).toMatchObject({
          status: 'FAILED',
          errorCode: code,
          nextRetryAt: null,
        });
        expect(await syncOf(stage, connectionId)).toMatchObject({ syncStatus: 'FAILED', nextRetryAt: null });
      });
    }

    for (const [type, code] of Object.entries(WAITING)) {
      test(`${type} waits 5 s as ${code}, for ${requestedBy}`, async ({ sql }) => {
        const stage = await openStage(sql);
        const { connectionId, jobId } = await runningScan(stage, requestedBy);
        const verdict = await noteRead(stage, jobId, type);
        expect(verdict).toMatchObject({ ended: false, code, tries: 1, waitSeconds: 5 });
        const job = await stage.job('read_job', jobId);
        expect(job).toMatchObject({ status: 'RUNNING', tries: 1, lastFailure: code });
        expect(verdict).toMatchObject({ nextTryAt: job.nextRetryAt.toISOString() });
        expect(job.nextRetryAt.getTime() - (await businessNow(sql)).getTime()).toBeLessThanOrEqual(5_000);
        expect(await syncOf(stage, connectionId)).toMatchObject({ nextRetryAt: job.nextRetryAt });
      });
    }
  }
});

describe('a waiting read', () => {
  proves('Callers and operators see the time of the next attempt');
  test('waits twice as long each time, at most 15 minutes', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage, 'SERVICE');
    const waits: number[] = [];
    for (let tries = 0; tries < 10; tries += 1) {
      const verdict = await noteRead(stage, jobId, 'RetryLater');
      if (!verdict.ended) waits.push(verdict.waitSeconds);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  test('waits as long as the provider asks, but never less than its own back-off', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage, 'SERVICE');
    expect(await noteRead(stage, jobId, 'RetryLater', 90)).toMatchObject({ waitSeconds: 90 });
    expect(await noteRead(stage, jobId, 'RetryLater', 1)).toMatchObject({ waitSeconds: 10 });
  });

  for (const [seconds, ended] of [
    [900, false],
    [901, true],
  ] as const) {
    test(`of a caller ${ended ? 'ends as rate limited' : 'continues'} if the provider asks for ${seconds} s`, async ({
      sql,
    }) => {
      const stage = await openStage(sql);
      const { jobId } = await runningScan(stage);
      const verdict = await noteRead(stage, jobId, 'QuotaSpent', seconds);
      expect(verdict).toMatchObject(ended ? { ended, code: 'PROVIDER_RATE_LIMITED' } : { ended, waitSeconds: seconds });
    });
  }

  test('of the service itself has no limit of an hour', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage, 'SERVICE');
    await moveClock(sql, 20 * HOUR_MS);
    expect(await noteRead(stage, jobId, 'QuotaSpent', 40_000)).toMatchObject({ ended: false, waitSeconds: 40_000 });
  });

  for (const [type, code] of [
    ['RetryLater', 'PROVIDER_UNAVAILABLE'],
    ['Paused', 'AUTHORIZATION_SUSPENDED'],
  ] as const) {
    test(`of a caller times out after an hour, with ${code} for ${type}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { jobId } = await runningScan(stage);
      await moveClock(sql, HOUR_MS - MINUTE_MS);
      expect(await noteRead(stage, jobId, type)).toMatchObject({ ended: false });
      await moveClock(sql, MINUTE_MS);
      expect(await noteRead(stage, jobId, type)).toEqual({ ended: true, code });
    });
  }

  for (const [type, code, tries] of [
    ['ContractBroken', 'PROVIDER_CONTRACT', 3],
    ['Unexpected', 'INTERNAL', 5],
  ] as const) {
    test(`ends at its ${tries}th ${type} in a row, also the service’s own`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { jobId } = await runningScan(stage, 'SERVICE');
      for (let so = 1; so < tries; so += 1) expect(await noteRead(stage, jobId, type)).toMatchObject({ ended: false });
      expect(await noteRead(stage, jobId, type)).toEqual({ ended: true, code });
    });
  }

  test('counts only failures of one kind in a row', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage, 'SERVICE');
    const notes = [
      'RetryLater',
      'Paused',
      'ContractBroken',
      'ContractBroken',
      'RetryLater',
      'ContractBroken',
      'ContractBroken',
    ];
    for (const type of notes) expect(await noteRead(stage, jobId, type)).toMatchObject({ ended: false });
    expect(await noteRead(stage, jobId, 'OwnRateLimit', 1)).toMatchObject({ ended: false });
    expect(await noteRead(stage, jobId, 'ContractBroken')).toEqual({ ended: true, code: 'PROVIDER_CONTRACT' });
  });

  test('counts anew after a step of a lookup, or of the recheck of a scan', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId } = await stage.newConnection();
    const twice = async (jobId: JobId) => {
      for (const tries of [1, 2])
        expect(await noteRead(stage, jobId, 'ContractBroken')).toMatchObject({ ended: false, tries });
    };
    const lookup = await insertLookup(sql, {
      connectionId,
      appId: stage.seeded.app.appId,
      provider: 'PROVIDER_B',
      requestedBy: 'CALLER',
      correlationId: newId<CorrelationId>(),
      url: 'https://platform.example/v/1',
      urlSha256: randomBytes(32),
    });
    await moveReadJobToRunning(sql, lookup.jobId);
    await twice(lookup.jobId);
    stage.provider.lookUp.mockResolvedValueOnce({ kind: 'searching', cursor: 'next' });
    await runActivity(stage.activities.runLookupStep, { jobId: lookup.jobId });
    await twice(lookup.jobId);

    const scan = await stage.newScan(connectionId);
    await seedContent(sql, connectionId, { providerContentId: 'unseen', publishedAt: new Date(Date.now() - HOUR_MS) });
    await runActivity(stage.activities.runScanStep, { jobId: scan.jobId });
    expect(await stage.job('read_job', scan.jobId)).toMatchObject({ reachedEnd: true, status: 'RUNNING' });
    await twice(scan.jobId);
    await runActivity(stage.activities.runScanStep, { jobId: scan.jobId });
    await twice(scan.jobId);
  });

  test('succeeds as incomplete after a broken contract, too, if it has stored posts', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage);
    stage.provider.listContent.mockResolvedValueOnce({
      items: [post('a', new Date())],
      cursor: 'next',
      reachedEnd: false,
    });
    await runActivity(stage.activities.runScanStep, { jobId });
    for (let tries = 1; tries <= 3; tries += 1) await noteRead(stage, jobId, 'ContractBroken');
    expect(await stage.job('read_job', jobId)).toMatchObject({
      status: 'SUCCEEDED',
      incompleteReason: 'PROVIDER_UNAVAILABLE',
    });
  });

  test('that a caller took over gives up an hour after that, not after its start', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage, 'SERVICE');
    const other = await runningScan(stage);
    await moveClock(sql, 3 * HOUR_MS);
    await inTransaction(sql, (tx) => adoptScan(tx, jobId, 100));
    expect(await noteRead(stage, jobId, 'RetryLater')).toMatchObject({ ended: false });
    expect(await noteRead(stage, other.jobId, 'RetryLater')).toMatchObject({ ended: true });
    await moveClock(sql, HOUR_MS);
    expect(await noteRead(stage, jobId, 'RetryLater')).toEqual({ ended: true, code: 'PROVIDER_UNAVAILABLE' });
  });

  test('succeeds as incomplete and continuable if it has stored posts', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, jobId } = await runningScan(stage);
    const item = { ...post('a', new Date()), publishedAt: null };
    stage.provider.listContent.mockResolvedValueOnce({ items: [item], cursor: 'next', reachedEnd: false });
    await runActivity(stage.activities.runScanStep, { jobId });
    expect(await noteRead(stage, jobId, 'QuotaSpent', 3600)).toEqual({ ended: true, code: 'PROVIDER_RATE_LIMITED' });
    expect(await stage.job('read_job', jobId)).toMatchObject({
      status: 'SUCCEEDED',
      incompleteReason: 'PROVIDER_UNAVAILABLE',
      errorCode: null,
    });
    expect(await syncOf(stage, connectionId)).toMatchObject({ syncStatus: 'PARTIAL', lastSuccessfulSyncAt: null });
  });

  for (const type of ['GrantDead', 'NotWanted']) {
    test(`${type} of a grant that a reconnect has replaced waits, and goes on with the new grant`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { connectionId, scopeId, grantId } = await stage.newConnection();
      const { jobId } = await stage.newScan(connectionId);
      const other = await runningScan(stage);
      stage.provider.listContent.mockImplementationOnce(async () => {
        const { attemptId } = await stage.newExchangedAttempt({ scopeId, reconnectConnectionId: connectionId });
        await runActivity(stage.activities.completeAttempt, { attemptId });
        throw createRefusal(type as 'GrantDead', 'Of the old grant.');
      });
      expect(await failureOf(runActivity(stage.activities.runScanStep, { jobId }))).toMatchObject({ type });
      expect((await findGrantOfConnection(sql, connectionId))?.grantId).not.toBe(grantId);
      expect(await noteRead(stage, jobId, type)).toMatchObject({
        ended: false,
        code: 'PROVIDER_UNAVAILABLE',
        waitSeconds: 5,
      });
      while (!(await runActivity(stage.activities.runScanStep, { jobId })).done);
      expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED', errorCode: null });
      expect(await stage.job('read_job', other.jobId)).toMatchObject({ status: 'RUNNING', tries: 0 });
    });
  }

  test('stays canceled after a disconnect canceled it', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    const { jobId } = await stage.newScan(connection.connectionId);
    await moveReadJobToRunning(sql, jobId);
    await stage.disconnect(connection);
    expect(await noteRead(stage, jobId, 'NotWanted')).toEqual({ ended: true, code: 'CONNECTION_DISCONNECTED' });
    expect(await stage.job('read_job', jobId)).toMatchObject({
      status: 'CANCELED',
      errorCode: 'CONNECTION_DISCONNECTED',
    });
  });

  test('ends if it was erased with its connection', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage);
    await sql`delete from read_job where job_id = ${jobId}`;
    expect(await noteRead(stage, jobId, 'NotWanted')).toEqual({ ended: true, code: 'CONNECTION_DISCONNECTED' });
  });
});

describe('a revoke after', () => {
  proves('Callers and operators see the time of the next attempt');
  for (const [type, code] of Object.entries({ ...WAITING, PermissionMissing: 'CAPABILITY_UNAVAILABLE' })) {
    test(`${type} is retried, as ${code}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
      const setback = { type, retryAfterSeconds: null };
      const verdict = await runActivity(stage.activities.recordDisconnectSetback, { jobId, setback });
      expect(verdict).toMatchObject({ ended: false, code, tries: 1, waitSeconds: 5 });
      expect(await stage.job('disconnect_job', jobId)).toMatchObject({ tries: 1, lastFailure: code });
    });
  }

  test('repeated failures reports the first one’s time', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const setback = { type: 'RetryLater', retryAfterSeconds: null };
    await runActivity(stage.activities.recordDisconnectSetback, { jobId, setback });
    const { firstFailedAt } = await stage.job('disconnect_job', jobId);
    await moveClock(sql, HOUR_MS);
    const verdict = await runActivity(stage.activities.recordDisconnectSetback, { jobId, setback });
    expect(verdict).toMatchObject({ tries: 2, failingSince: firstFailedAt.toISOString() });
  });

  test('repeated failures waits twice as long each time, at most an hour', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const waits: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const setback = { type: 'RetryLater', retryAfterSeconds: null };
      const verdict = await runActivity(stage.activities.recordDisconnectSetback, { jobId, setback });
      if (!verdict.ended) waits.push(verdict.waitSeconds);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  });

  test('a requested wait of decades is retried within the hour, and a last time after 72 hours', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const note = (retryAfterSeconds: number) =>
      runActivity(stage.activities.recordDisconnectSetback, {
        jobId,
        setback: { type: 'RetryLater', retryAfterSeconds },
      });
    expect(await note(90)).toMatchObject({ ended: false, waitSeconds: 90 });
    for (const asked of [3_601, 86_400, 999_999_999, Number.MAX_VALUE]) {
      expect(await note(asked)).toMatchObject({ ended: false, waitSeconds: 3_600 });
    }
    await moveClock(sql, 72 * HOUR_MS - 10 * MINUTE_MS);
    const last = await note(999_999_999);
    expect(last).toMatchObject({ ended: false });
    const waitSeconds = last.ended ? 0 : last.waitSeconds;
    expect(waitSeconds).toBeLessThanOrEqual(600);
    expect(waitSeconds).toBeGreaterThan(540);
    await moveClock(sql, 10 * MINUTE_MS);
    expect(await note(999_999_999)).toMatchObject({ ended: true, revoke: { status: 'FAILED' } });
  });
});

describe('our own rate limit', () => {
  const setback = { type: 'OwnRateLimit', retryAfterSeconds: 7 };

  test('is not a try of a read: it lengthens no back-off and reports no failure', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage);
    await noteRead(stage, jobId, 'RetryLater');
    const before = await stage.job('read_job', jobId);
    for (let waits = 0; waits < 5; waits += 1) {
      expect(await noteRead(stage, jobId, 'OwnRateLimit', 7)).toMatchObject({
        ended: false,
        tries: 1,
        waitSeconds: 7,
        failingSince: null,
      });
    }
    expect(await stage.job('read_job', jobId)).toEqual(before);
    expect(await noteRead(stage, jobId, 'RetryLater')).toMatchObject({ tries: 2, waitSeconds: 10 });
  });

  test('ends a caller’s read after an hour, like any other wait', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage);
    await moveClock(sql, HOUR_MS);
    expect(await noteRead(stage, jobId, 'OwnRateLimit', 7)).toEqual({ ended: true, code: 'PROVIDER_RATE_LIMITED' });
  });

  test('of our own database ends no read, however old: its next try says how it ends', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage);
    await moveClock(sql, HOUR_MS);
    expect(await noteRead(stage, jobId, 'DatabaseAway')).toMatchObject({ ended: false, tries: 0, waitSeconds: 1 });
    expect(await noteRead(stage, jobId, 'RetryLater')).toEqual({ ended: true, code: 'PROVIDER_UNAVAILABLE' });
    await moveClock(sql, -HOUR_MS);
  });

  test('is not a try of a revoke, and never fails it, even after 72 hours', async ({ sql }) => {
    const stage = await openStage(sql);
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const record = (type: string, retryAfterSeconds: number | null) =>
      runActivity(stage.activities.recordDisconnectSetback, { jobId, setback: { type, retryAfterSeconds } });
    await record('RetryLater', null);
    expect(await record('OwnRateLimit', 7)).toMatchObject({ ended: false, tries: 1, waitSeconds: 7 });
    expect(await record('RetryLater', null)).toMatchObject({ tries: 2, waitSeconds: 10 });
    await moveClock(sql, 73 * HOUR_MS);
    expect(await runActivity(stage.activities.recordDisconnectSetback, { jobId, setback })).toMatchObject({
      ended: false,
    });
    expect(await record('RetryLater', null)).toMatchObject({ ended: true });
  });
});

test('a read of the service waits a day at most', async ({ sql }) => {
  const stage = await openStage(sql);
  const { jobId } = await runningScan(stage, 'SERVICE');
  expect(await noteRead(stage, jobId, 'QuotaSpent', 999_999_999)).toMatchObject({ ended: false, waitSeconds: 86_400 });
});
