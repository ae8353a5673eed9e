import { describe, expect } from 'vitest';
import { keepTokensWithJob } from '../../src/activities/revoke-kept.ts';
import type { JobId } from '../../src/basics/ids.ts';
import { type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { inTransaction } from '../kit/postgres.ts';
import { insertErasure } from '../kit/seed.ts';
import { findDisconnectJob, requeueRevokes } from '../kit/seed-jobs.ts';

const FAILED = { status: 'FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER', sealedTokens: null };

const fail = async (stage: Stage, jobId: JobId) => {
  await moveClock(stage.sql, 72 * HOUR_MS);
  const failedTry = { type: 'RetryLater', retryAfterSeconds: null };
  return await runActivity(stage.activities.recordDisconnectFailure, { jobId, failedTry });
};

describe('during the erasure of a person', () => {
  /** An operator starts the erasure while the revoke is in progress or reopened. */
  async function forget(stage: Stage, jobId: JobId): Promise<void> {
    const { appId, scopeId, scopeMac } = await stage.job('disconnect_job', jobId);
    const subject = { appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds: [] };
    await inTransaction(stage.sql, (tx) => insertErasure(tx, subject));
  }

  test.for([
    ['', false],
    ['reopened ', true],
  ] as const)('a %srevoke that fails permanently keeps no tokens', async ([, isReopened], { sql, stage }) => {
    const connection = await stage.newConnection();
    const { revokeJobId: jobId } = await stage.disconnect(connection);
    if (isReopened) {
      await fail(stage, jobId);
      await inTransaction(sql, (tx) => requeueRevokes(tx, [jobId]));
      expect((await stage.job('disconnect_job', jobId)).sealedTokens).not.toBeNull();
    }
    await forget(stage, jobId);
    expect(await fail(stage, jobId)).toMatchObject({ ended: true, revoke: { status: 'FAILED', tokensKept: false } });
    expect(await stage.job('disconnect_job', jobId)).toMatchObject(FAILED);
    expect(await stage.grant(connection.grantId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
  });

  test('a slow worker that has not seen the erasure keeps no tokens', async ({ sql, stage }) => {
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const seen = await findDisconnectJob(sql, jobId);
    if (!seen) throw new Error('There is no such job.');
    await forget(stage, jobId);
    await keepTokensWithJob(stage.deps, seen);
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({
      erasureId: expect.any(String),
      sealedTokens: null,
    });
  });

  test('a worker keeps no tokens if its job has ended meanwhile', async ({ stage }) => {
    const { revokeJobId: jobId } = await stage.disconnect(await stage.newConnection());
    const { sealGrant } = stage.deps.vault;
    const vault = stage.deps.vault as { sealGrant: typeof sealGrant };
    vault.sealGrant = async (...sealing) => {
      vault.sealGrant = sealGrant;
      await runActivity(stage.activities.tryRevoke, { jobId });
      return await sealGrant(...sealing);
    };
    await fail(stage, jobId);
    expect(await stage.job('disconnect_job', jobId)).toMatchObject({ status: 'SUCCEEDED', sealedTokens: null });
  });
});
