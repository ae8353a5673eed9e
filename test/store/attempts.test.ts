import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AttemptId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import {
  type AttemptEnd,
  cancelReconnects,
  connectAttempts,
  insertImportedAttempt,
  isNoticedDuringExchange,
  moveAttemptToEnd,
  noteDuringExchange,
  unclaimExchange,
  updateCreatorAction,
} from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { listen } from '../../src/store/notifications.ts';
import { businessNow, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { answerAttempt, launchAttempt, seedAttempt } from '../kit/seed-attempts.ts';

const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const FAILED = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' } as const;
const EXPIRED = { status: 'EXPIRED', resultCode: 'EXPIRED' } as const;

const read = async (sql: Database, { attemptId }: { attemptId: AttemptId }) => {
  const [row] = await sql`
    select status, result_code, connection_id, creator_action, sealed_code, sealed_code_verifier, finished_at,
      exchange_claimed_at
    from connect_attempt where attempt_id = ${attemptId}
  `;
  return row ?? expect.fail('There is no such attempt.');
};
const EXCHANGING = {
  status: 'EXCHANGING',
  resultCode: null,
  connectionId: null,
  creatorAction: null,
  sealedCode: 'code',
  sealedCodeVerifier: 'verifier',
  finishedAt: null,
  exchangeClaimedAt: null,
};
const end = (sql: Database, { attemptId }: { attemptId: AttemptId }, how: AttemptEnd) =>
  inTransaction(sql, (tx) => moveAttemptToEnd(tx, attemptId, how));

/** Does `work` so much later. */
async function later<T>(sql: Database, ms: number, work: () => Promise<T>): Promise<T> {
  await moveClock(sql, ms);
  try {
    return await work();
  } finally {
    await moveClock(sql, -ms);
  }
}

describe('the end of an attempt', () => {
  test('has its result, forgets code and verifier, and is no other’s', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const other = await seedAttempt(sql, seeded, {}, answerAttempt);
    const ends: [AttemptEnd, object][] = [
      [
        { status: 'COMPLETED', resultCode: null, connectionId },
        { status: 'COMPLETED', connectionId },
      ],
      [
        { status: 'COMPLETED', resultCode: 'PARTIAL_PERMISSION', connectionId },
        { status: 'COMPLETED', resultCode: 'PARTIAL_PERMISSION', connectionId },
      ],
      [FAILED, FAILED],
      [CANCELED, CANCELED],
    ];
    for (const [how, expected] of ends) {
      const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
      const before = await businessNow(sql);
      expect(await end(sql, attempt, how)).toBe(true);
      const row = await read(sql, attempt);
      expect(row).toEqual({
        ...EXCHANGING,
        sealedCode: null,
        sealedCodeVerifier: null,
        ...expected,
        finishedAt: row.finishedAt,
      });
      expect(row.finishedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(await end(sql, attempt, CANCELED), 'a second end').toBe(false);
      expect(await read(sql, attempt)).toEqual(row);
    }
    expect(await read(sql, other)).toEqual(EXCHANGING);
  });

  test('is EXPIRED after the deadline, whatever is asked for, and never before', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const attempts = await Promise.all([1, 2, 3].map(() => seedAttempt(sql, seeded, {}, answerAttempt)));
    const [completing, failing, expiring] = attempts as [
      (typeof attempts)[0],
      (typeof attempts)[0],
      (typeof attempts)[0],
    ];
    expect(await end(sql, expiring, EXPIRED)).toBe(false);
    expect(await read(sql, expiring)).toEqual(EXCHANGING);
    await later(sql, 11 * MINUTE_MS, async () => {
      expect(await end(sql, completing, { status: 'COMPLETED', resultCode: null, connectionId })).toBe(false);
      expect(await read(sql, completing)).toEqual(EXCHANGING);
      expect(await end(sql, failing, FAILED)).toBe(false);
      expect(await end(sql, expiring, EXPIRED)).toBe(true);
      for (const attempt of [failing, expiring]) expect(await read(sql, attempt)).toMatchObject(EXPIRED);
    });
  });

  test('is EXPIRED at the deadline, and not a millisecond before', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
    const failing = await seedAttempt(sql, seeded, { scopeId: attempt.scopeId }, answerAttempt);
    const launched = await seedAttempt(sql, seeded, { scopeId: attempt.scopeId }, launchAttempt);
    const accept = (ms: number, { attemptId, expiresAt } = launched) =>
      at(sql, expiresAt, ms, () => inTransaction(sql, (tx) => connectAttempts.moveToExchanging(tx, attemptId, 'code')));
    expect([await accept(0), await accept(-1)]).toEqual([false, true]);
    const endAt = (one: typeof attempt, how: AttemptEnd, ms: number) =>
      at(sql, one.expiresAt, ms, () => end(sql, one, how));
    expect(await endAt(attempt, EXPIRED, -1)).toBe(false);
    expect(await endAt(failing, FAILED, 0)).toBe(false);
    expect(await read(sql, failing)).toMatchObject(EXPIRED);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const completed = { status: 'COMPLETED', resultCode: null, connectionId } as const;
    expect([await endAt(attempt, completed, 0), await endAt(attempt, completed, -1)]).toEqual([false, true]);
  });

  test('is told to the browser that waits for it, and to nobody before a callback', async ({ database }) => {
    const { sql, urls } = database;
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const heard: string[] = [];
    let listenings = 0;
    const subscription = listen(
      new Secret(urls.api),
      { channel: 'attempt_ended', applicationName: 'ends-under-test' },
      { notified: (id) => void heard.push(id), listening: () => void listenings++, lost: () => undefined },
    );
    await expect.poll(() => listenings).toBe(1);
    try {
      const [ended, replaced] = [
        await seedAttempt(sql, seeded, {}, answerAttempt),
        await seedAttempt(sql, seeded, { reconnectConnectionId: connectionId }, answerAttempt),
      ];
      const unanswered = await seedAttempt(sql, seeded, {}, launchAttempt);
      for (const attempt of [unanswered, ended]) await end(sql, attempt, CANCELED);
      await inTransaction(sql, (tx) => cancelReconnects(tx, connectionId, null));
      await expect.poll(() => heard).toEqual([ended.attemptId, replaced.attemptId]);
    } finally {
      await subscription.close();
    }
  });
});

test('an exchange can be claimed once, until it is given back', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const [attempt, other] = [
    await seedAttempt(sql, seeded, {}, answerAttempt),
    await seedAttempt(sql, seeded, {}, answerAttempt),
  ];
  const claim = ({ attemptId }: { attemptId: AttemptId }) => connectAttempts.claimExchange(sql, attemptId);
  expect(await claim(attempt)).toBe(true);
  expect(await claim(attempt)).toBe(false);
  expect(await claim(other)).toBe(true);
  await unclaimExchange(sql, attempt.attemptId);
  expect(await claim(other)).toBe(false);
  expect(await claim(attempt)).toBe(true);
});

describe('attempts to renew a connection are canceled', () => {
  test('all that have not ended or expired, of this connection alone', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    const [connectionId, other] = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    ];
    const expired = await seedAttempt(sql, seeded, { reconnectConnectionId: connectionId }, answerAttempt);
    await at(sql, expired.expiresAt, 0, async () => {
      const renewing = { reconnectConnectionId: connectionId };
      const answered = await seedAttempt(sql, seeded, renewing, answerAttempt);
      const created = await seedAttempt(sql, seeded, renewing);
      const failed = await seedAttempt(sql, seeded, renewing, answerAttempt);
      await end(sql, failed, FAILED);
      const untouched = [expired, failed];
      const [elsewhere, first] = [
        await seedAttempt(sql, seeded, { reconnectConnectionId: other }, answerAttempt),
        await seedAttempt(sql, seeded, {}, answerAttempt),
      ];
      const before = await Promise.all(untouched.map((attempt) => read(sql, attempt)));
      const canceled = await inTransaction(sql, (tx) => cancelReconnects(tx, connectionId, null));
      expect(canceled.toSorted()).toEqual([answered.attemptId, created.attemptId].toSorted());
      for (const attempt of [answered, created]) {
        const row = await read(sql, attempt);
        expect(row).toMatchObject({ ...CANCELED, sealedCode: null, sealedCodeVerifier: null });
        expect(row.finishedAt).toBeInstanceOf(Date);
      }
      expect(await Promise.all(untouched.map((attempt) => read(sql, attempt)))).toEqual(before);
      for (const attempt of [elsewhere, first]) expect(await read(sql, attempt)).toEqual(EXCHANGING);
    });
  });

  test('those that began before the one that has completed, not the later ones', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const reconnectConnectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const now = await businessNow(sql);
    const make = (ms: number) =>
      at(sql, now, ms, () => seedAttempt(sql, seeded, { reconnectConnectionId }, answerAttempt));
    const [older, same, completed, newer] = [await make(-1), await make(0), await make(0), await make(1)];
    const canceled = await inTransaction(sql, (tx) => cancelReconnects(tx, reconnectConnectionId, completed));
    expect(canceled.toSorted()).toEqual([older.attemptId, same.attemptId].toSorted());
    for (const attempt of [completed, newer]) expect(await read(sql, attempt)).toEqual(EXCHANGING);
  });
});

test('a person is asked to remove the app after an attempt that ended during its exchange, and only then', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const make = async (how?: AttemptEnd) => {
    const attempt = await seedAttempt(sql, seeded, {}, answerAttempt);
    if (how) await end(sql, attempt, how);
    return attempt;
  };
  const [canceled, other] = [await make(CANCELED), await make(CANCELED)];
  const [unfinished, failed] = [await make(), await make({ ...FAILED, creatorAction: null })];
  const expired = await make();
  await later(sql, 11 * MINUTE_MS, () => end(sql, expired, EXPIRED));
  for (const { attemptId } of [canceled, expired, unfinished, failed])
    await inTransaction(sql, (tx) => updateCreatorAction(tx, attemptId));
  const asked = async (attempt: typeof canceled) => (await read(sql, attempt)).creatorAction;
  for (const attempt of [canceled, expired]) expect(await asked(attempt)).toBe('REMOVE_APP_AT_PROVIDER');
  for (const attempt of [other, unfinished, failed]) expect(await asked(attempt)).toBeNull();
});

test('a notice of a removed app is noted for each exchange of its registration, once', async ({ sql }) => {
  const [seeded, elsewhere] = [await seedApp(sql), await seedApp(sql)];
  const registrationId = seeded.registrations.PROVIDER_B;
  const expired = await seedAttempt(sql, seeded, {}, answerAttempt);
  await at(sql, expired.expiresAt, 0, async () => {
    const exchanging = [
      await seedAttempt(sql, seeded, {}, answerAttempt),
      await seedAttempt(sql, seeded, {}, answerAttempt),
    ];
    const others = [
      expired,
      await seedAttempt(sql, seeded, {}, launchAttempt),
      await seedAttempt(sql, seeded, { provider: 'PROVIDER_A' }, answerAttempt),
      await seedAttempt(sql, elsewhere, {}, answerAttempt),
    ];
    await inTransaction(sql, (tx) => noteDuringExchange(tx, registrationId));
    const isNoticed = ({ attemptId }: { attemptId: AttemptId }) =>
      inTransaction(sql, (tx) => isNoticedDuringExchange(tx, attemptId));
    for (const attempt of exchanging) expect(await isNoticed(attempt)).toBe(true);
    for (const attempt of others) expect(await isNoticed(attempt)).toBe(false);
  });
});

test('an imported attempt can be completed for a day, and no caller or browser finds it', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  const attemptId = newId<AttemptId>();
  const imported = {
    attemptId,
    scopeId,
    appId: seeded.app.appId,
    provider: 'PROVIDER_B',
    registrationId: seeded.registrations.PROVIDER_B,
    capabilities: ['PROFILE', 'CONTENT_LIST'],
    correlationId: newId<CorrelationId>(),
  } as const;
  const now = await businessNow(sql);
  await inTransaction(sql, (tx) => insertImportedAttempt(tx, { ...imported, launchTokenSha256: randomBytes(32) }));
  const found = (await connectAttempts.find(sql, attemptId)) ?? expect.fail('There is no such attempt.');
  expect(found).toMatchObject({
    ...imported,
    status: 'EXCHANGING',
    returnUrl: '',
    reconnectConnectionId: null,
    expired: false,
  });
  for (const instant of [found.expiresAt, found.resultExpiresAt]) {
    expect(Math.abs(instant.getTime() - now.getTime() - 24 * HOUR_MS)).toBeLessThan(5_000);
  }
  expect(await connectAttempts.claimExchange(sql, attemptId), 'its exchange is done').toBe(false);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await later(sql, 23 * HOUR_MS, async () => {
    expect(await end(sql, { attemptId }, { status: 'COMPLETED', resultCode: null, connectionId })).toBe(true);
  });
});
