import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import type { AppId, ErasureId, GrantId, JobId, ScopeId } from '../../src/basics/ids.ts';
import { openStage } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { runActivity } from '../kit/deps.ts';
import { type Database, inTransaction, test } from '../kit/postgres.ts';
import { findErasure, findGrantOfAttempt, insertErasure, listErasureJobs } from '../kit/seed.ts';
import { sweepOnce } from '../kit/sweeping.ts';

/** Nothing is overdue here, so Temporal is not asked for any workflow. */
async function open(sql: Database, ship = async () => {}) {
  actsOnOthers(sql, 'ended_work', 'ended_work_count');
  const stage = await openStage(sql);
  const sweep = createSweepActivities({
    ...stage.deps,
    journal: { ...stage.deps.journal, ship },
    temporal: {} as Client,
    taskQueue: 'nobody',
  });
  return {
    stage,
    reconcile: () => sweepOnce(sweep.reconcileRows),
  };
}

/** Begins the erasure of the person behind a scope. */
async function erase(sql: Database, appId: AppId, scopeId: ScopeId): Promise<ErasureId> {
  const scopeMac = randomBytes(32);
  const subject = { appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds: [] };
  const begun = await inTransaction(sql, (tx) => insertErasure(tx, subject));
  if (!begun) throw new Error('There is no such person.');
  return begun.erasureId;
}

const isErased = async (sql: Database, id: ErasureId) => ((await findErasure(sql, id))?.completedAt ?? null) !== null;

describe('the sweep of erasures', () => {
  test('ends an erasure once its facts are in the journal, and none accepted meanwhile', async ({ sql }) => {
    const { seeded, newScopeId } = await openStage(sql);
    const accept = async () => erase(sql, seeded.app.appId, await newScopeId());
    const shipping = vi.fn<() => Promise<void>>();
    const { reconcile } = await open(sql, shipping);
    const earlier = await accept();
    const isOver = (id: ErasureId) => isErased(sql, id);
    shipping.mockRejectedValueOnce(new Error('no space'));
    await expect(reconcile()).rejects.toThrow();
    expect(await isOver(earlier)).toBe(false);
    const accepted: ErasureId[] = [];
    shipping.mockImplementationOnce(async () => void accepted.push(await accept()));
    await reconcile();
    expect(await isOver(earlier)).toBe(true);
    expect(await Promise.all(accepted.map(isOver))).toEqual([false]);
  });

  test('keeps an erasure open until an unused grant is revoked', async ({ sql }) => {
    const { stage, reconcile } = await open(sql);
    const { attemptId, scopeId } = await stage.newExchangedAttempt();
    const erasureId = await erase(sql, stage.seeded.app.appId, scopeId);
    expect(await findGrantOfAttempt(sql, attemptId)).toMatchObject({ profile: null, providerAccountId: null });
    await reconcile();
    expect(await isErased(sql, erasureId)).toBe(false);
    await runActivity(stage.activities.endAttempt, { attemptId, end: { status: 'CANCELED', resultCode: 'CANCELED' } });
    const [jobId] = await listErasureJobs(sql, erasureId);
    if (jobId === undefined) throw new Error('Nobody gives the grant back.');
    await reconcile();
    expect(await isErased(sql, erasureId)).toBe(false);
    await runActivity(stage.activities.tryRevoke, { jobId });
    await reconcile();
    expect(await isErased(sql, erasureId)).toBe(true);
  });

  test('discards tokens that a slow worker kept for an erased person, and ends the erasure', async ({ sql }) => {
    const { stage, reconcile } = await open(sql);
    const keptBy = async (scopeId: ScopeId) => {
      const { attemptId } = await stage.newExchangedAttempt({ scopeId });
      const end = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
      await runActivity(stage.activities.endAttempt, { attemptId, end });
      const [job] = await sql`
        update disconnect_job set status = 'FAILED', sealed_tokens = 'sealed', finished_at = business_now()
        where attempt_id = ${attemptId} returning job_id, grant_id
      `;
      return { jobId: job?.jobId as JobId, grantId: job?.grantId as GrantId };
    };
    const scopeId = await stage.newScopeId();
    const erasureId = await erase(sql, stage.seeded.app.appId, scopeId);
    const [kept, others] = [await keptBy(scopeId), await keptBy(await stage.newScopeId())];

    await reconcile();
    expect(await stage.job('disconnect_job', kept.jobId)).toMatchObject({ erasureId, sealedTokens: null });
    expect(await stage.grant(kept.grantId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
    expect(await isErased(sql, erasureId)).toBe(true);
    expect(await stage.job('disconnect_job', others.jobId)).toMatchObject({ erasureId: null, sealedTokens: 'sealed' });
    const lines = await sql`
      select id from journal_entry where kind = 'KEPT_TOKENS' and id = any(${[kept.jobId, others.jobId]}::uuid[])
    `;
    expect(lines).toEqual([{ id: kept.jobId }]);
  });
});
