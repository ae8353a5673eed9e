import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  type AttemptId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
} from '../../src/basics/ids.ts';
import { connectAttempts } from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import type { Due, DuePage } from '../../src/store/due.ts';
import { completeErasures, insertErasure } from '../../src/store/erasures/erasures.ts';
import { findGrantOfAttempt, insertGrant } from '../../src/store/grants/grants.ts';
import {
  insertDisconnectJob,
  moveDisconnectJobToEnd,
  moveDisconnectJobToRunning,
} from '../../src/store/jobs/disconnect-jobs.ts';
import {
  listFinishedErasures,
  listOrphanedGrants,
  listOverdueAttempts,
  listOverdueDisconnectJobs,
  listOverdueHolds,
  listOverdueIdentityAttempts,
  postponeDisconnectJobCheck,
} from '../../src/store/overdue.ts';
import { businessNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { answerSignIn, seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';

const ALL: DuePage = { after: null, limit: 1_000 };
const GRACE_MS = 90 * SECOND_MS;

/** Whose rows a list has at an instant, in its order, of those that the test made. */
async function listed(
  sql: Database,
  [instant, ms]: [Date, number],
  list: (sql: Database, page: DuePage) => Promise<Due[]>,
  of: readonly string[],
): Promise<string[]> {
  const rows = await at(sql, instant, ms, () => list(asWorker(sql), ALL));
  return rows.map(({ id }) => id).filter((id) => of.includes(id));
}

async function answer(tx: Transaction, attemptId: AttemptId) {
  await connectAttempts.moveToAuthorizing(tx, attemptId, {
    stateSha256: randomBytes(32),
    browserSha256: randomBytes(32),
    sealedCodeVerifier: 'verifier',
  });
  await connectAttempts.moveToExchanging(tx, attemptId, 'code');
}

describe('an attempt', () => {
  test('to connect is overdue 90 seconds after its deadline, if its code has arrived', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, {}, answer);
    const { attemptId: unanswered } = await seedAttempt(sql, seeded);
    const list = (ms: number) =>
      listed(sql, [attempt.expiresAt, ms], listOverdueAttempts, [attempt.attemptId, unanswered]);
    expect([await list(GRACE_MS - 1), await list(GRACE_MS)]).toEqual([[], [attempt.attemptId]]);
  });

  test('to sign in is overdue then as well', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedSignIn(sql, seeded, {}, answerSignIn);
    const { attemptId: unanswered } = await seedSignIn(sql, seeded);
    const list = (ms: number) =>
      listed(sql, [attempt.expiresAt, ms], listOverdueIdentityAttempts, [attempt.attemptId, unanswered]);
    expect([await list(GRACE_MS - 1), await list(GRACE_MS)]).toEqual([[], [attempt.attemptId]]);
    const rows = await at(sql, attempt.expiresAt, HOUR_MS, () => listOverdueIdentityAttempts(asWorker(sql), ALL));
    expect(rows.find(({ id }) => id === attempt.attemptId)?.dueAt).toEqual(attempt.expiresAt);
  });
});

describe('a grant that no connection uses', () => {
  const store = async (
    sql: Database,
    attemptId: AttemptId,
    scopeId: Parameters<typeof insertGrant>[1]['scopeId'],
    { registrations }: SeededApp,
  ) => {
    await insertGrant(asWorker(sql), {
      grantId: newId<GrantId>(),
      attemptId,
      scopeId,
      provider: 'PROVIDER_B',
      registrationId: registrations.PROVIDER_B,
      principalMacs: [],
      permissions: [],
      sealedTokens: 'sealed',
      accessExpiresAt: null,
      refreshExpiresAt: null,
    });
    return (await findGrantOfAttempt(sql, attemptId)) ?? expect.fail('There is no grant.');
  };

  test('is overdue 90 seconds after it was stored and after the deadline of its attempt', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, {}, answer);
    const late = await seedAttempt(sql, seeded, {}, answer);
    const { grantId: early } = await store(sql, attempt.attemptId, attempt.scopeId, seeded);
    expect(early).toBeDefined();
    const { obtainedAt } = await at(sql, late.expiresAt, MINUTE_MS, () =>
      store(sql, late.attemptId, late.scopeId, seeded),
    );
    const of = [attempt.attemptId, late.attemptId];
    const list = (instant: Date, ms: number) => listed(sql, [instant, ms], listOrphanedGrants, of);
    expect(await list(attempt.expiresAt, GRACE_MS - 1)).toEqual([]);
    expect(await list(attempt.expiresAt, GRACE_MS)).toEqual([attempt.attemptId]);
    expect(await list(obtainedAt, GRACE_MS - 1)).toEqual([attempt.attemptId]);
    expect(await list(obtainedAt, GRACE_MS)).toEqual([attempt.attemptId, late.attemptId]);
    const rows = await at(sql, obtainedAt, HOUR_MS, () => listOrphanedGrants(asWorker(sql), ALL));
    expect(rows.find(({ id }) => id === late.attemptId)).toEqual({ id: late.attemptId, dueAt: obtainedAt });
  });
});

/** A revoke as a disconnect makes it. */
async function insertRevoke(sql: Database, { app, registrations }: SeededApp, scopeId: string): Promise<JobId> {
  const jobId = newId<JobId>();
  await inTransaction(sql, (tx) =>
    insertDisconnectJob(tx, {
      jobId,
      kind: 'REVOKE',
      connectionId: newId<ConnectionId>(),
      grantId: null,
      run: 0,
      attemptId: null,
      appId: app.appId,
      provider: 'PROVIDER_B',
      registrationId: registrations.PROVIDER_B,
      scopeId: scopeId as never,
      principalMac: null,
      scopeMac: null,
      correlationId: newId<CorrelationId>(),
    }),
  );
  return jobId;
}

test('the check of a revoke whose workflow runs is postponed by half of its age, a minute at least, 10 at most', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  const now = await businessNow(sql);
  const insert = () => at(sql, now, 0, () => insertRevoke(sql, seeded, scopeId));
  const [jobId, other] = [await insert(), await insert()];
  const isListed = async (ms: number) => await listed(sql, [now, ms], listOverdueDisconnectJobs, [jobId, other]);
  expect(new Set(await isListed(GRACE_MS))).toEqual(new Set([jobId, other]));
  const postpone = (ms: number) => at(sql, now, ms, () => postponeDisconnectJobCheck(asWorker(sql), jobId));
  await postpone(0);
  expect(await isListed(MINUTE_MS + GRACE_MS - 1)).toEqual([other]);
  expect(await isListed(MINUTE_MS + GRACE_MS)).toEqual([other, jobId]);
  await at(sql, now, 0, () => moveDisconnectJobToRunning(sql, jobId));
  await postpone(10 * MINUTE_MS);
  expect(await isListed(15 * MINUTE_MS + GRACE_MS - 1)).toEqual([other]);
  expect(await isListed(15 * MINUTE_MS + GRACE_MS)).toEqual([other, jobId]);
  await postpone(60 * MINUTE_MS);
  expect(await isListed(70 * MINUTE_MS + GRACE_MS - 1)).toEqual([other]);
  expect(await isListed(70 * MINUTE_MS + GRACE_MS)).toEqual([other, jobId]);
});

describe('a connection on hold', () => {
  test('is overdue after 90 seconds if no revoke holds it: of its scope and platform, or of its principal', async ({
    sql,
  }) => {
    const seeded = await seedApp(sql);
    const now = await businessNow(sql);
    const connect = (options: Partial<SeedConnection> = {}) =>
      at(sql, now, 0, () => seedConnection(sql, seeded, { scope: seeded.newScope(), ...options }));
    const hold = (options: Partial<SeedConnection> = {}) => connect({ status: 'SUSPENDED', ...options });
    const [one, two, three] = [seeded.newScope(), seeded.newScope(), seeded.newScope()];
    const principals = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
    const used = await connect();
    const held = await hold({ scope: one });
    await connect({ scope: one, status: 'DISCONNECTED' });
    const besideAnother = await hold({ scope: two, provider: 'PROVIDER_A' });
    await connect({ scope: two, status: 'DISCONNECTED' });
    const besideUsed = await hold({ scope: three });
    await connect({ scope: three });
    const heldByPrincipal = await hold({ principalMac: principals[0] });
    await connect({ status: 'DISCONNECTED', principalMac: principals[0] });
    const ofUsedPrincipal = await hold({ principalMac: principals[1] });
    await connect({ principalMac: principals[1] });
    const ofEndedPrincipal = await hold({ principalMac: principals[2] });
    const gone = await connect({ status: 'DISCONNECTED', principalMac: principals[2] });
    await sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${gone}`;
    const of = [used, held, besideAnother, besideUsed, heldByPrincipal, ofUsedPrincipal, ofEndedPrincipal];
    expect(await listed(sql, [now, GRACE_MS - 1], listOverdueHolds, of)).toEqual([]);
    expect(new Set(await listed(sql, [now, GRACE_MS], listOverdueHolds, of))).toEqual(
      new Set([besideAnother, besideUsed, ofUsedPrincipal, ofEndedPrincipal]),
    );
    const rows = await at(sql, now, GRACE_MS, () => listOverdueHolds(asWorker(sql), ALL));
    expect(rows.find(({ id }) => id === besideAnother)).toEqual({
      id: besideAnother,
      dueAt: now,
      connectionId: besideAnother,
      appId: seeded.app.appId,
      provider: 'PROVIDER_A',
    });
  });
});

describe('an erasure', () => {
  /** The erasure of a new subject, of which `prepare` makes rows first. */
  async function erase(
    sql: Database,
    prepare: (seeded: SeededApp, scope: ReturnType<SeededApp['newScope']>, scopeId: never) => Promise<unknown>,
    connectionIds: readonly ConnectionId[] = [],
  ) {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    const scopeId = await seedScope(sql, seeded, scope);
    await prepare(seeded, scope, scopeId as never);
    const scopeMac = randomBytes(32);
    const subject = { appId: seeded.app.appId, scopeId, scopeMac, scopeMacs: [scopeMac], connectionIds };
    const begun = await inTransaction(sql, (tx) => insertErasure(tx, subject));
    return begun?.erasureId ?? expect.fail('Nobody was erased.');
  }
  const isFinished = async (sql: Database, id: string, ms = 0) =>
    (await listed(sql, [await businessNow(sql), ms], listFinishedErasures, [id])).length === 1;

  test('that leaves nothing is finished until it is marked complete, whatever is left of others', async ({ sql }) => {
    const erasureId = await erase(sql, async () => undefined);
    await erase(sql, (seeded, _scope, scopeId) => insertRevoke(sql, seeded, scopeId));
    expect(await isFinished(sql, erasureId)).toBe(true);
    await completeErasures(sql, [erasureId]);
    expect(await isFinished(sql, erasureId)).toBe(false);
  });

  test('is not finished while a job of it is open', async ({ sql }) => {
    let jobId: JobId | undefined;
    const erasureId = await erase(sql, async (seeded, _scope, scopeId) => {
      jobId = await insertRevoke(sql, seeded, scopeId);
    });
    const job = jobId ?? expect.fail('There is no job.');
    expect(await isFinished(sql, erasureId)).toBe(false);
    await moveDisconnectJobToRunning(sql, job);
    expect(await isFinished(sql, erasureId)).toBe(false);
    await moveDisconnectJobToEnd(sql, job, { status: 'SUCCEEDED', creatorAction: null });
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
    const erasureId = await erase(sql, async (seeded, _scope, scopeId) => {
      ({ attemptId } = await seedAttempt(sql, seeded, { scopeId }, answer));
      const other = await seedAttempt(sql, seeded, {}, answer);
      claimedAt = await businessNow(sql);
      await at(sql, claimedAt, 0, () => connectAttempts.claimExchange(sql, attemptId as AttemptId));
      await connectAttempts.claimExchange(sql, other.attemptId);
    });
    const finishedAt = async (ms: number) =>
      (await listed(sql, [claimedAt, ms], listFinishedErasures, [erasureId])).length === 1;
    expect([await finishedAt(GRACE_MS - 1), await finishedAt(GRACE_MS)]).toEqual([false, true]);
    // Its grant has come, and waits for its revoke.
    const seeded =
      await sql`select scope_id, registration_id from connect_attempt where attempt_id = ${attemptId ?? null}`;
    await insertGrant(sql, {
      grantId: newId<GrantId>(),
      attemptId: attemptId as AttemptId,
      scopeId: seeded[0]?.scopeId,
      provider: 'PROVIDER_B',
      registrationId: seeded[0]?.registrationId,
      principalMacs: [],
      permissions: [],
      sealedTokens: 'sealed',
      accessExpiresAt: null,
      refreshExpiresAt: null,
    });
    expect(await finishedAt(GRACE_MS)).toBe(false);
    await sql`update account_grant set status = 'DEAD', sealed_tokens = null where attempt_id = ${attemptId ?? null}`;
    expect(await finishedAt(0)).toBe(true);
  });
});
