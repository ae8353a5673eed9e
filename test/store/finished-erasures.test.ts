import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  type AttemptId,
  type ConnectionId,
  type ErasureId,
  type GrantId,
  type JobId,
  newId,
  type ScopeId,
} from '../../src/basics/ids.ts';
import { connectAttempts } from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { completeErasures, insertErasure } from '../../src/store/erasures/erasures.ts';
import { insertGrant } from '../../src/store/grants/grants.ts';
import { discardKeptTokens } from '../../src/store/grants/kept-tokens.ts';
import { moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { listFinishedErasures } from '../../src/store/overdue.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

describe('an erasure', () => {
  /** The erasure of a new subject, of which `prepare` makes rows first. */
  async function erase(
    sql: Database,
    prepare: (seeded: SeededApp, scopeId: ScopeId) => Promise<unknown>,
    connectionIds: readonly ConnectionId[] = [],
  ) {
    const seeded = await seedApp(sql);
    const scopeId = await seedScope(sql, seeded, seeded.newScope());
    await prepare(seeded, scopeId);
    const scopeMac = randomBytes(32);
    const subject = { appId: seeded.app.appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds };
    const begun = await inTransaction(sql, (tx) => insertErasure(tx, subject));
    return begun?.erasureId ?? expect.fail('Nobody was erased.');
  }
  const isFinished = async (sql: Database, id: ErasureId, instant?: Date, ms = 0) =>
    await at(sql, instant ?? (await businessNow(sql)), ms, async () =>
      (await listFinishedErasures(asWorker(sql), { after: null, limit: 1_000 })).some((due) => due.id === id),
    );

  test('that leaves nothing is finished until it is marked complete, independent of others', async ({ sql }) => {
    const erasureId = await erase(sql, async () => undefined);
    await erase(sql, (seeded, scopeId) => seedDisconnectJob(sql, seeded, { scopeId }));
    expect(await isFinished(sql, erasureId)).toBe(true);
    await completeErasures(sql, [erasureId]);
    expect(await isFinished(sql, erasureId)).toBe(false);
  });

  test('is not finished while a job of it is open, or keeps tokens', async ({ sql }) => {
    let jobId: JobId | undefined;
    const erasureId = await erase(sql, async (seeded, scopeId) => {
      jobId = await seedDisconnectJob(sql, seeded, { scopeId });
    });
    const job = jobId ?? expect.fail('There is no job.');
    expect(await isFinished(sql, erasureId)).toBe(false);
    await moveDisconnectJobToRunning(sql, job);
    expect(await isFinished(sql, erasureId)).toBe(false);
    await sql`
      update disconnect_job set status = 'FAILED', sealed_tokens = 'kept', finished_at = business_now() where job_id = ${job}
    `;
    expect(await isFinished(sql, erasureId)).toBe(false);
    expect(await discardKeptTokens(asWorker(sql), job)).toBe(true);
    expect(await isFinished(sql, erasureId)).toBe(true);
  });

  test('is not finished while a connection of it exists', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), status: 'DELETING' });
    const erasureId = await erase(sql, async () => undefined, [connectionId]);
    expect(await isFinished(sql, erasureId)).toBe(false);
    await sql`delete from connection where connection_id = ${connectionId}`;
    expect(await isFinished(sql, erasureId)).toBe(true);
  });

  test('is not finished while an exchange of its subject may still yield a grant', async ({ sql }) => {
    let attemptId: AttemptId | undefined;
    let claimedAt = new Date();
    const erasureId = await erase(sql, async (seeded, scopeId) => {
      ({ attemptId } = await seedAttempt(sql, seeded, { scopeId }, answerAttempt));
      const other = await seedAttempt(sql, seeded, {}, answerAttempt);
      claimedAt = await businessNow(sql);
      await at(sql, claimedAt, 0, () => connectAttempts.claimExchange(sql, attemptId as AttemptId));
      await connectAttempts.claimExchange(sql, other.attemptId);
    });
    const finishedAt = (ms: number) => isFinished(sql, erasureId, claimedAt, ms);
    expect([await finishedAt(90 * SECOND_MS - 1), await finishedAt(90 * SECOND_MS)]).toEqual([false, true]);
    // Its grant has come, and waits for its revoke.
    const attempt = await connectAttempts.find(sql, attemptId as AttemptId);
    const { scopeId, registrationId } = attempt ?? expect.fail('The attempt is gone.');
    await insertGrant(sql, {
      grantId: newId<GrantId>(),
      attemptId: attemptId as AttemptId,
      scopeId,
      provider: 'PROVIDER_B',
      registrationId,
      principalMacs: [],
      permissions: [],
      sealedTokens: 'sealed',
      accessExpiresAt: null,
      refreshExpiresAt: null,
    });
    expect(await finishedAt(90 * SECOND_MS)).toBe(false);
    await sql`update account_grant set status = 'DEAD', sealed_tokens = null where attempt_id = ${attemptId ?? null}`;
    expect(await finishedAt(0)).toBe(true);
  });
});
