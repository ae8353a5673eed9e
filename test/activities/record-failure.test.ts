import { describe, expect } from 'vitest';
import { createRefusal } from '../../src/activities/failures.ts';
import type { JobId } from '../../src/basics/ids.ts';
import { failureOf, openStage, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { businessNow, HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { inTransaction } from '../kit/postgres.ts';
import { findGrantOfConnection, seedContent } from '../kit/seed.ts';
import { adoptScan, insertJob, moveReadJobToRunning } from '../kit/seed-jobs.ts';

async function runningScan(stage: Stage, requestedBy: 'CALLER' | 'SERVICE' = 'CALLER') {
  const { connectionId, grantId } = await stage.newConnection();
  const { jobId } = await stage.newScan(connectionId, { requestedBy });
  await moveReadJobToRunning(stage.sql, jobId);
  await stage.sql`update connection set sync_status = 'RUNNING' where connection_id = ${connectionId}`;
  return { connectionId, grantId, jobId };
}
const noteRead = (stage: Stage, jobId: JobId, type: string, retryAfterSeconds: number | null = null) =>
  runActivity(stage.activities.recordReadFailure, { jobId, failedTry: { type, retryAfterSeconds } });

describe('a waiting read', () => {
  test('leaves a log line of its failed try, with the call, the answer and the next try', async ({ stage }) => {
    const { jobId, connectionId } = await runningScan(stage);
    const failedTry = { type: 'RetryLater', retryAfterSeconds: null, answer: 'HTTP_503', call: 'refresh' };
    await runActivity(stage.activities.recordReadFailure, { jobId, failedTry });
    expect(stage.deps.lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        ...{ level: 'warn', message: 'A scan failed and is tried again', code: 'PROVIDER_UNAVAILABLE', tries: 1 },
        ...{ jobId, connectionId, provider: 'PROVIDER_B', correlationId: expect.any(String) },
        ...{ call: 'refresh', lastAnswer: 'HTTP_503', nextRetryAt: expect.any(String) },
      },
    ]);
  });

  test('counts only failures of one kind in a row', async ({ stage }) => {
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

  test('counts anew after a step that succeeded', async ({ sql, stage }) => {
    const { connectionId } = await stage.newConnection();
    const { jobId } = await stage.newScan(connectionId);
    const publishedAt = new Date(Date.now() - HOUR_MS);
    await seedContent(sql, connectionId, { providerContentId: 'unseen', publishedAt }); // A further step looks for it.
    await runActivity(stage.activities.runScanStep, { jobId });
    const failTwice = async () => {
      for (const tries of [1, 2])
        expect(await noteRead(stage, jobId, 'ContractBroken')).toMatchObject({ ended: false, tries });
    };
    await failTwice();
    await runActivity(stage.activities.runScanStep, { jobId });
    await failTwice();
  });

  test('that a caller took over gives up an hour after that, not after its start', async ({ sql, stage }) => {
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
    test(`${type} of a grant that a reconnect replaced waits, and continues with the new grant`, async ({ sql }) => {
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

  test('ends if it was erased with its connection', async ({ sql, stage }) => {
    const { jobId } = await runningScan(stage);
    await sql`delete from read_job where job_id = ${jobId}`;
    expect(await noteRead(stage, jobId, 'NotWanted')).toEqual({ ended: true, code: 'CONNECTION_DISCONNECTED' });
  });
});

test('an operator’s try that fails postpones the planned one only if the platform asks for it, and lengthens no pause', async ({
  sql,
}) => {
  const stage = await openStage(sql);
  const { connectionId } = await stage.newConnection();
  const failing = { status: 'RUNNING', tries: 7, lastFailure: 'PROVIDER_UNAVAILABLE' };
  const revoke = await insertJob(sql, stage.seeded, failing);
  const read = await insertJob(sql, stage.seeded, { ...failing, kind: 'LOOKUP', connectionId });
  const now = (await businessNow(sql)).getTime();
  const at = (seconds: number) => new Date(now + seconds * SECOND_MS).toISOString();
  const waitsOf = async (plannedAt?: string, retryAfterSeconds: number | null = null, early = 0) => {
    const failedTry = { type: 'RetryLater', retryAfterSeconds, early, ...(plannedAt && { plannedAt }) };
    const waits: number[] = [];
    for (const [table, jobId] of [
      ['disconnect_job', revoke],
      ['read_job', read],
    ] as const) {
      await sql`update ${sql(table)} set tries = 7 where job_id = ${jobId}`;
      const { recordDisconnectFailure, recordReadFailure } = stage.activities;
      const record = table === 'read_job' ? recordReadFailure : recordDisconnectFailure;
      const verdict = await runActivity(record, { jobId, failedTry });
      waits.push(verdict.ended ? Number.NaN : verdict.waitSeconds);
      const { nextRetryAt } = await stage.job(table, jobId);
      expect(verdict).toMatchObject({ nextRetryAt: nextRetryAt.toISOString() });
    }
    return waits;
  };
  expect(await waitsOf()).toEqual([640, 640]);
  for (const wait of await waitsOf(at(100))) expect(wait).toBeGreaterThan(80);
  for (const wait of await waitsOf(at(100))) expect(wait).toBeLessThanOrEqual(100);
  expect(await waitsOf(at(5_000))).toEqual([640, 640]);
  expect(await waitsOf(at(100), 300)).toEqual([300, 300]);
  expect(await waitsOf(undefined, null, 4)).toEqual([40, 40]); // Four of the eight were an operator's.
  expect(await waitsOf(at(-1))).toEqual([640, 640]); // Its time has come during the operator's try.
});
