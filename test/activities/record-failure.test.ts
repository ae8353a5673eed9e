import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createRefusal } from '../../src/activities/failures.ts';
import { type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { inTransaction, test } from '../kit/postgres.ts';
import { findGrantOfConnection, seedContent } from '../kit/seed.ts';
import { adoptScan, insertLookup, moveReadJobToRunning } from '../kit/seed-jobs.ts';

async function runningScan(stage: Stage, requestedBy: 'CALLER' | 'SERVICE' = 'CALLER') {
  const { connectionId, grantId } = await stage.newConnection();
  const { jobId } = await stage.newScan(connectionId, { requestedBy });
  await moveReadJobToRunning(stage.sql, jobId);
  await stage.sql`update connection set sync_status = 'RUNNING' where connection_id = ${connectionId}`;
  return { connectionId, grantId, jobId };
}
async function runningLookup(stage: Stage, connectionId: ConnectionId): Promise<JobId> {
  const lookup = await insertLookup(stage.sql, {
    connectionId,
    appId: stage.seeded.app.appId,
    provider: 'PROVIDER_B',
    requestedBy: 'CALLER',
    correlationId: newId<CorrelationId>(),
    url: 'https://platform.example/v/1',
    urlSha256: randomBytes(32),
  });
  await moveReadJobToRunning(stage.sql, lookup.jobId);
  return lookup.jobId;
}
const noteRead = (stage: Stage, jobId: JobId, type: string, retryAfterSeconds: number | null = null) =>
  runActivity(stage.activities.recordReadFailure, { jobId, failedTry: { type, retryAfterSeconds } });

describe('a waiting read', () => {
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
    const lookup = await runningLookup(stage, connectionId);
    await twice(lookup);
    stage.provider.lookUp.mockResolvedValueOnce({ kind: 'searching', cursor: 'next' });
    await runActivity(stage.activities.runLookupStep, { jobId: lookup });
    await twice(lookup);

    const scan = await stage.newScan(connectionId);
    await seedContent(sql, connectionId, { providerContentId: 'unseen', publishedAt: new Date(Date.now() - HOUR_MS) });
    await runActivity(stage.activities.runScanStep, { jobId: scan.jobId });
    expect(await stage.job('read_job', scan.jobId)).toMatchObject({ reachedEnd: true, status: 'RUNNING' });
    await twice(scan.jobId);
    await runActivity(stage.activities.runScanStep, { jobId: scan.jobId });
    await twice(scan.jobId);
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

  for (const type of ['GrantDead', 'NotWanted']) {
    test(`${type} of a grant that a reconnect has replaced waits, and continues with the new grant`, async ({
      sql,
    }) => {
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

  test('leaves one log line for each failure, with its cause and the next try, as a revoke does', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId, connectionId } = await runningScan(stage);
    const { revokeJobId } = await stage.disconnect(await stage.newConnection());
    const { lines } = stage.deps;
    const before = lines.length;
    const failedTry = { type: 'RetryLater', retryAfterSeconds: null, answer: 'HTTP_503' };
    await runActivity(stage.activities.recordReadFailure, { jobId, failedTry });
    await runActivity(stage.activities.recordDisconnectFailure, { jobId: revokeJobId, failedTry });
    await noteRead(stage, jobId, 'OwnRateLimit', 1);
    await noteRead(stage, jobId, 'ContractBroken', 4 * 3600);
    const next = {
      nextRetryAt: expect.stringMatching(/Z$/),
      lastAnswer: 'HTTP_503',
      code: 'PROVIDER_UNAVAILABLE',
      tries: 1,
    };
    const named = { level: 'warn', provider: 'PROVIDER_B', correlationId: expect.any(String) };
    expect(lines.slice(before).map((line) => JSON.parse(line))).toEqual(
      [
        { ...next, message: 'A scan failed and is tried again', jobId, connectionId },
        {
          ...next,
          message: 'A revoke failed and is tried again',
          jobId: revokeJobId,
          connectionId: expect.any(String),
        },
        { message: 'A scan failed and has ended', jobId, connectionId, code: 'PROVIDER_RATE_LIMITED', tries: 2 },
      ].map((line) => ({ time: expect.any(String), ...named, ...line })),
    );
  });

  test('leaves one log line when it succeeds after failed tries, as a revoke does, and else none', async ({ sql }) => {
    const stage = await openStage(sql);
    const { scan, revoke, lookup } = {
      scan: await runningScan(stage),
      revoke: await stage.disconnect(await stage.newConnection()),
      lookup: await runningLookup(stage, (await stage.newConnection()).connectionId),
    };
    const smooth = { scan: await runningScan(stage), revoke: await stage.disconnect(await stage.newConnection()) };
    await noteRead(stage, scan.jobId, 'RetryLater');
    for (const _ of [1, 2]) {
      await noteRead(stage, lookup, 'RetryLater');
      const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
      await runActivity(stage.activities.recordDisconnectFailure, { jobId: revoke.revokeJobId, failedTry });
    }
    const { lines } = stage.deps;
    const before = lines.length;
    stage.provider.lookUp.mockResolvedValueOnce({ kind: 'found', content: post('found', new Date()) });
    for (const { jobId } of [scan, smooth.scan])
      for (let isDone = false; !isDone; ) isDone = (await runActivity(stage.activities.runScanStep, { jobId })).done;
    await runActivity(stage.activities.runLookupStep, { jobId: lookup });
    for (const { revokeJobId: jobId } of [revoke, smooth.revoke])
      for (const _ of [1, 2]) await runActivity(stage.activities.tryRevoke, { jobId });
    await runActivity(stage.activities.runScanStep, { jobId: scan.jobId });
    const of = {
      time: expect.any(String),
      level: 'info',
      provider: 'PROVIDER_B',
      correlationId: expect.any(String),
      connectionId: expect.any(String),
      code: 'PROVIDER_UNAVAILABLE',
      failingSince: expect.stringMatching(/^20.*Z$/),
    };
    expect(lines.slice(before).map((line) => JSON.parse(line))).toEqual([
      { ...of, message: 'A scan succeeded after failed tries', jobId: scan.jobId, tries: 1 },
      { ...of, message: 'A lookup of a post succeeded after failed tries', jobId: lookup, tries: 2 },
      { ...of, message: 'A revoke succeeded after failed tries', jobId: revoke.revokeJobId, tries: 2 },
    ]);
  });

  test('ends if it was erased with its connection', async ({ sql }) => {
    const stage = await openStage(sql);
    const { jobId } = await runningScan(stage);
    await sql`delete from read_job where job_id = ${jobId}`;
    expect(await noteRead(stage, jobId, 'NotWanted')).toEqual({ ended: true, code: 'CONNECTION_DISCONNECTED' });
  });
});
