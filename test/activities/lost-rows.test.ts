import { describe, expect } from 'vitest';
import { type AttemptId, type BulkDisconnectId, type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';

const LOST = { type: 'RowLost' };

/** Fails with the failure of a lost row, and the log names the row. */
async function expectLost(stage: Stage, work: Promise<unknown>, id: string): Promise<void> {
  expect(await failureOf(work)).toMatchObject(LOST);
  const lines = stage.deps.lines.map((line) => JSON.parse(line));
  expect(lines.filter((line) => line.level === 'error' && JSON.stringify(line).includes(id))).toHaveLength(1);
}

describe('work whose row a fail-over has lost', () => {
  for (const step of ['runScanStep', 'runMetricsStep', 'runLookupStep'] as const) {
    test(`fails: ${step}`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { connectionId } = await stage.newConnection();
      const lost = { jobId: newId<JobId>(), connectionId };
      await expectLost(stage, runActivity(stage.activities[step], lost), lost.jobId);
      const other = { jobId: newId<JobId>(), connectionId: newId<ConnectionId>() };
      await expectLost(stage, runActivity(stage.activities[step], other), other.jobId);
    });
  }

  test('is no job that a disconnect has erased', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    const { connectionId } = connection;
    const { jobId } = await stage.newScan(connectionId);
    const { revokeJobId, eraseJobId } = await stage.disconnect(connection);
    expect(await runActivity(stage.activities.runScanStep, { jobId, connectionId })).toMatchObject({ done: true });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    expect(await sql`select from read_job where job_id = ${jobId}`).toHaveLength(0);
    expect(await runActivity(stage.activities.runScanStep, { jobId, connectionId })).toMatchObject({ done: true });
  });

  test('fails: a revoke', async ({ sql }) => {
    const stage = await openStage(sql);
    const jobId = newId<JobId>();
    await expectLost(stage, runActivity(stage.activities.tryRevoke, { jobId }), jobId);
    expect(stage.provider.revoke).not.toHaveBeenCalled();
  });

  test('fails: the erase of a connection, and touches nothing of it', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId } = await stage.newConnection();
    const eraseJobId = newId<JobId>();
    await expectLost(stage, runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId }), eraseJobId);
    expect(await stage.connectionStatus(connectionId)).toBe('CONNECTED');
  });

  test('fails: an attempt, a sign-in and a bulk disconnect', async ({ sql }) => {
    const stage = await openStage(sql);
    const attemptId = newId<AttemptId>();
    await expectLost(stage, runActivity(stage.activities.completeAttempt, { attemptId }), attemptId);
    const other = newId<AttemptId>();
    const end = { status: 'EXPIRED', resultCode: 'EXPIRED' } as const;
    await expectLost(stage, runActivity(stage.activities.endAttempt, { attemptId: other, end }), other);
    const signIn = newId<AttemptId>();
    const ended = { attemptId: signIn, status: 'EXPIRED' } as const;
    await expectLost(stage, runActivity(stage.activities.endIdentityAttempt, ended), signIn);
    const bulkDisconnectId = newId<BulkDisconnectId>();
    await expectLost(stage, runActivity(stage.activities.disconnectBatch, { bulkDisconnectId }), bulkDisconnectId);
  });
});
