import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { sweepActivities } from '../../src/activities/sweep.ts';
import type { AppId, ConnectionId, ErasureId, GrantId, JobId, ScopeId } from '../../src/ids.ts';
import { beginErasure, findErasure, listErasureJobs } from '../../src/store/admin/erasures.ts';
import { findScope } from '../../src/store/scopes.ts';
import { type Database, inTransaction } from '../../src/store/sql.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { openStage } from './stage.ts';

/** Nothing is overdue here, so that Temporal is not asked for any workflow. */
async function open(sql: Database, ship = async () => {}) {
  const stage = await openStage(sql);
  const sweep = sweepActivities({
    ...stage.deps,
    journal: { ...stage.deps.journal, ship },
    temporal: {} as Client,
    taskQueue: 'nobody',
    dispatcher: { deliverDue: async () => ({ delivered: 0, failed: 0 }) },
  });
  return {
    stage,
    reconcile: () =>
      runActivity(sweep.reconcile as (input: undefined) => ReturnType<typeof sweep.reconcile>, undefined),
  };
}

/** Begins the erasure of a person whose scope it is. */
async function erase(sql: Database, appId: AppId, scopeId: ScopeId): Promise<ErasureId> {
  const scopeMac = randomBytes(32);
  const subject = { appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds: [] };
  const begun = await inTransaction(sql, (tx) => beginErasure(tx, subject));
  if (!begun) throw new Error('There is no such person.');
  return begun.erasureId;
}

/** As an api of the version before did: neither scope nor jobs know of it. */
async function eraseAsBefore(
  sql: Database,
  appId: AppId,
  { connectionId, scopeId }: { connectionId: ConnectionId; scopeId: ScopeId },
): Promise<ErasureId> {
  await sql`update scope set external_subject_id = 'erased-' || gen_random_uuid() where scope_id = ${scopeId}`;
  const [row] = await sql`
    insert into erasure (erasure_id, app_id, scope_mac, connection_ids)
    values (gen_random_uuid(), ${appId}, 'mac', ${[connectionId]}::uuid[]) returning erasure_id
  `;
  return row?.erasureId as ErasureId;
}

const isErased = async (sql: Database, id: ErasureId) => ((await findErasure(sql, id))?.completedAt ?? null) !== null;

describe('the sweep of erasures', () => {
  test('ends one once what it did is in the journal, and none that was accepted meanwhile', async ({
    database: { sql },
  }) => {
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

  test('ends none while a grant that has come to nothing is still to be given back', async ({ database: { sql } }) => {
    const { stage, reconcile } = await open(sql);
    const { attemptId, scopeId } = await stage.newExchangedAttempt();
    const erasureId = await erase(sql, stage.seeded.app.appId, scopeId);
    await reconcile();
    expect(await isErased(sql, erasureId)).toBe(false);
    await runActivity(stage.activities.endAttempt, { attemptId, end: { status: 'CANCELED', resultCode: 'CANCELED' } });
    const [jobId] = await listErasureJobs(sql, erasureId);
    if (jobId === undefined) throw new Error('Nobody gives the grant back.');
    await reconcile();
    expect(await isErased(sql, erasureId)).toBe(false);
    await runActivity(stage.activities.revoke, { jobId });
    await reconcile();
    expect(await isErased(sql, erasureId)).toBe(true);
  });

  test('has one that an api of the version before began reach its scope, jobs and what comes of it later', async ({
    database: { sql },
  }) => {
    const { stage, reconcile } = await open(sql);
    const erased = await stage.newConnection();
    const { attemptId } = await stage.newExchangedAttempt({ scopeId: erased.scopeId });
    const { revokeJobId, eraseJobId } = await stage.disconnect(erased);
    const erasureId = await eraseAsBefore(sql, stage.seeded.app.appId, erased);
    // The scope does not say yet that it is forgotten.
    await runActivity(stage.activities.endAttempt, { attemptId, end: { status: 'CANCELED', resultCode: 'CANCELED' } });
    const [compensation] = await sql`select job_id, erasure_id from release_job where attempt_id = ${attemptId}`;
    expect(compensation?.erasureId).toBeNull();
    const other = await stage.newConnection({
      scope: { ...stage.seeded.newScope(), externalSubjectId: 'erased-by-name' },
    });
    const others = await stage.disconnect(other);

    await reconcile();
    expect(new Set(await listErasureJobs(sql, erasureId))).toEqual(
      new Set([revokeJobId, eraseJobId, compensation?.jobId]),
    );
    expect(await findScope(sql, erased.scopeId)).toMatchObject({ forgotten: true });
    expect(await findScope(sql, other.scopeId)).toMatchObject({ forgotten: false });
    expect(await stage.job('release_job', others.revokeJobId)).toMatchObject({ erasureId: null });
    expect(await isErased(sql, erasureId)).toBe(false);
  });

  test('destroys what a worker of the version before has kept for a person who is to be forgotten, and ends theirs', async ({
    database: { sql },
  }) => {
    const { stage, reconcile } = await open(sql);
    const keptBy = async (scopeId: ScopeId) => {
      const { attemptId } = await stage.newExchangedAttempt({ scopeId });
      const end = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
      await runActivity(stage.activities.endAttempt, { attemptId, end });
      const [job] = await sql`
        update release_job set status = 'FAILED', sealed_tokens = 'sealed', finished_at = business_now()
        where attempt_id = ${attemptId} returning job_id, grant_id
      `;
      return { jobId: job?.jobId as JobId, grantId: job?.grantId as GrantId };
    };
    const scopeId = await stage.newScopeId();
    const erasureId = await erase(sql, stage.seeded.app.appId, scopeId);
    const [kept, others] = [await keptBy(scopeId), await keptBy(await stage.newScopeId())];

    await reconcile();
    expect(await stage.job('release_job', kept.jobId)).toMatchObject({ erasureId, sealedTokens: null });
    expect(await stage.grant(kept.grantId)).toMatchObject({ status: 'DEAD', sealedTokens: null });
    expect(await isErased(sql, erasureId)).toBe(true);
    expect(await stage.job('release_job', others.jobId)).toMatchObject({ erasureId: null, sealedTokens: 'sealed' });
    const lines = await sql`
      select id from journal_entry where kind = 'KEPT_TOKENS' and id = any(${[kept.jobId, others.jobId]}::uuid[])
    `;
    expect(lines).toEqual([{ id: kept.jobId }]);
  });
});
