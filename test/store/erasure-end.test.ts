import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ErasureId, type JobId, newId, type ScopeId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  completeErasures,
  discardLateTokens,
  findErasure,
  findRemainingData,
  insertErasure,
  listLateTokens,
} from '../../src/store/erasures/erasures.ts';
import { moveGrantToDead, moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import { findKeptTokens, keepTokens } from '../../src/store/grants/kept-tokens.ts';
import { moveDisconnectJobToEnd, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob, seedDisconnectJob } from '../kit/seed-jobs.ts';
import { seedGrant } from './seed-grants.ts';

async function erase(sql: Database, seeded: SeededApp, scopeId: ScopeId): Promise<ErasureId> {
  const scopeMac = randomBytes(32);
  const subject = { appId: seeded.app.appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds: [] };
  const begun = await inTransaction(asApi(sql), (tx) => insertErasure(tx, subject));
  return begun?.erasureId ?? expect.fail('Nobody was erased.');
}

/** Ends a revoke some milliseconds after an instant. */
const end = (sql: Database, instant: Date, ms: number, jobId: JobId, status: 'SUCCEEDED' | 'FAILED') =>
  at(sql, instant, ms, async () => {
    await moveDisconnectJobToRunning(asWorker(sql), jobId);
    if (status === 'FAILED') await keepTokens(asWorker(sql), jobId, 'kept', { grantId: newId(), refreshClaim: null });
    await moveDisconnectJobToEnd(
      asWorker(sql),
      jobId,
      status === 'FAILED'
        ? { status, creatorAction: null, errorCode: 'PROVIDER_UNAVAILABLE' }
        : { status, creatorAction: null },
    );
  });

describe('an erasure', () => {
  test('was complete when its last job ended, and not before it was requested', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const now = await businessNow(sql);
    const begin = async () => {
      const scopeId = await seedScope(sql, seeded, seeded.newScope());
      const [first, last] = [
        await seedDisconnectJob(sql, seeded, { scopeId }),
        await seedDisconnectJob(sql, seeded, { scopeId }),
      ];
      return { scopeId, first, last, erase: () => at(sql, now, 0, () => erase(sql, seeded, scopeId)) };
    };
    const [late, early, other] = [await begin(), await begin(), await begin()];
    for (const jobId of [early.first, early.last]) await end(sql, now, -SECOND_MS, jobId, 'FAILED');
    const ids = [await late.erase(), await early.erase(), await other.erase()];
    await end(sql, now, 3 * SECOND_MS, late.last, 'SUCCEEDED');
    await end(sql, now, SECOND_MS, late.first, 'SUCCEEDED');
    for (const jobId of [other.first, other.last]) await end(sql, now, 9 * SECOND_MS, jobId, 'SUCCEEDED');
    const complete = () => completeErasures(asWorker(sql), ids.slice(0, 2));
    const read = () =>
      Promise.all(ids.map(async (id) => (await findErasure(asApi(sql), id))?.completedAt?.getTime() ?? null));
    await complete();
    const expected = [now.getTime() + 3 * SECOND_MS, now.getTime(), null];
    expect(await read()).toEqual(expected);
    // A later revoke of the person does not change it.
    await end(sql, now, 9 * SECOND_MS, await seedDisconnectJob(sql, seeded, { scopeId: late.scopeId }), 'SUCCEEDED');
    await complete();
    expect(await read()).toEqual(expected);
  });

  test('discards tokens kept too late, of its own ended jobs only', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const erasureId = await erase(sql, seeded, await seedScope(sql, seeded, seeded.newScope()));
    const now = await businessNow(sql);
    const failed = { status: 'FAILED', finishedAt: now };
    const [late, another, own, running, plain] = [
      await insertJob(sql, seeded, { ...failed, erasureId, sealedTokens: 'kept' }),
      await insertJob(sql, seeded, { ...failed, erasureId, sealedTokens: 'kept' }),
      await insertJob(sql, seeded, { ...failed, sealedTokens: 'kept' }),
      await insertJob(sql, seeded, { status: 'RUNNING', erasureId, sealedTokens: 'kept' }),
      await insertJob(sql, seeded, { ...failed, erasureId }),
    ];
    const jobs: readonly string[] = [late, another, own, running, plain];
    const list = async () =>
      (await listLateTokens(asWorker(sql), { after: null, limit: 1_000 }))
        .map(({ id }) => id)
        .filter((id) => jobs.includes(id));
    expect((await list()).toSorted()).toEqual([late, another].toSorted());
    expect(await inTransaction(asWorker(sql), (tx) => discardLateTokens(tx, [late, own, running]))).toBe(1);
    const kept = await Promise.all([late, another, own, running].map((id) => findKeptTokens(asWorker(sql), id)));
    expect(kept).toEqual([null, 'kept', 'kept', 'kept']);
    expect(await list()).toEqual([another]);
  });
});

describe('a person', () => {
  test('has remaining data of its own only: attempts with a result, and grants that wait for a revoke', async ({
    sql,
  }) => {
    const seeded = await seedApp(sql);
    const [scopeId, other] = [
      await seedScope(sql, seeded, seeded.newScope()),
      await seedScope(sql, seeded, seeded.newScope()),
    ];
    const find = () => findRemainingData(asApi(sql), scopeId);
    const now = await businessNow(sql);
    await seedGrant(sql, seeded, other);
    await at(sql, now, 5 * SECOND_MS, () => seedAttempt(sql, seeded, { scopeId: other }));
    const dead = await seedGrant(sql, seeded, scopeId);
    await inTransaction(sql, (tx) => moveGrantToDead(tx, dead));
    const nothing = { forgotten: false, otherConnections: false, resultsUntil: null, earlierGrants: false };
    expect(await find()).toEqual(nothing);
    const { resultExpiresAt } = await at(sql, now, 0, () => seedAttempt(sql, seeded, { scopeId }));
    expect(await find()).toEqual({ ...nothing, resultsUntil: resultExpiresAt });
    const waiting = await seedGrant(sql, seeded, scopeId);
    await inTransaction(sql, (tx) => moveGrantToRevoking(tx, waiting, PERMIT));
    expect(await find()).toEqual({ ...nothing, resultsUntil: resultExpiresAt, earlierGrants: true });
  });
});
