import { describe, expect } from 'vitest';
import type { AttemptId } from '../../src/basics/ids.ts';
import { Secret } from '../../src/basics/secret.ts';
import {
  type AttemptEnd,
  cancelReconnects,
  connectAttempts,
  moveAttemptToEnd,
  unclaimExchange,
} from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { listen } from '../../src/store/notifications.ts';
import { businessNow } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, launchAttempt, seedAttempt } from '../kit/seed-attempts.ts';

const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const FAILED = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED', creatorAction: 'REMOVE_APP_AT_PROVIDER' } as const;

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

  test('notifies the waiting browser, and no one before a callback', async ({ database }) => {
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
