import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AttemptId, type GrantId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import type { Due, DuePage } from '../../src/store/due.ts';
import { moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import { findGrantOfAttempt, insertGrant } from '../../src/store/grants/grants.ts';
import { moveDisconnectJobToEnd, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import {
  listOrphanedGrants,
  listOverdueAttempts,
  listOverdueDisconnectJobs,
  listOverdueHolds,
  listOverdueIdentityAttempts,
  postponeDisconnectJobCheck,
} from '../../src/store/overdue.ts';
import { businessNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { PERMIT } from '../kit/permit.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { answerAttempt, answerSignIn, seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

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

describe('an attempt', () => {
  test('to connect is overdue 90 seconds after its deadline, if its code has arrived', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
    const { attemptId: unanswered } = await seedAttempt(sql, seeded);
    const list = (ms: number) =>
      listed(sql, [attempt.expiresAt, ms], listOverdueAttempts, [attempt.attemptId, unanswered]);
    expect([await list(GRACE_MS - 1), await list(GRACE_MS)]).toEqual([[], [attempt.attemptId]]);
    expect(await list(HOUR_MS)).toEqual([attempt.attemptId]);
  });

  test('to sign in is overdue then as well', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedSignIn(sql, seeded, {}, answerSignIn);
    const { attemptId: unanswered } = await seedSignIn(sql, seeded);
    const list = (ms: number) =>
      listed(sql, [attempt.expiresAt, ms], listOverdueIdentityAttempts, [attempt.attemptId, unanswered]);
    expect([await list(GRACE_MS - 1), await list(GRACE_MS)]).toEqual([[], [attempt.attemptId]]);
    expect(await list(HOUR_MS)).toEqual([attempt.attemptId]);
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
    const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
    const late = await seedAttempt(sql, seeded, {}, answerAttempt);
    const { grantId: early } = await store(sql, attempt.attemptId, attempt.scopeId, seeded);
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
    await inTransaction(sql, (tx) => moveGrantToRevoking(tx, early, PERMIT));
    expect(await list(obtainedAt, GRACE_MS)).toEqual([late.attemptId]);
  });
});

test('the check of a revoke whose workflow runs is postponed by half of its age, a minute at least, 10 at most', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  const now = await businessNow(sql);
  const insert = () => at(sql, now, 0, () => seedDisconnectJob(sql, seeded, { scopeId, kind: 'REVOKE' }));
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
  const ended = await insert();
  await moveDisconnectJobToRunning(sql, ended);
  await moveDisconnectJobToEnd(sql, ended, { status: 'SUCCEEDED', creatorAction: null });
  const erase = await at(sql, now, 0, () => seedDisconnectJob(sql, seeded, { scopeId, kind: 'ERASE' })); // It waits for its revoke.
  expect(await listed(sql, [now, 9 * HOUR_MS], listOverdueDisconnectJobs, [ended, erase])).toEqual([]);
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
    for (let revokes = 0; revokes < 2; revokes += 1) await connect({ scope: one, status: 'DISCONNECTED' });
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
