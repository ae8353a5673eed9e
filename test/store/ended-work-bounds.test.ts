import { expect, onTestFinished } from 'vitest';
import { type AttemptEnd, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import {
  getEndedWork,
  listRecentEnds,
  listUnsummedWork,
  type Period,
  sumEndedWork,
} from '../../src/store/ended-work.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asApi, asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';

/** In the hour that begins at 12:00. */
const INSTANT = new Date('2026-05-10T12:30:00.000Z');
const NOON = new Date('2026-05-10T12:00:00.000Z');
const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const EVERYBODY = { appId: null, provider: null } as const;

/** A database of its own: the ends of others would count too. */
async function createDatabase(): Promise<{ sql: Database; seeded: SeededApp; other: SeededApp }> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { sql, seeded: await seedApp(sql), other: await seedApp(sql) };
}

/** An attempt counts in the hour of its begin. */
async function endAttempt(
  sql: Database,
  seeded: SeededApp,
  ms = 0,
  { end = CANCELED, provider = 'PROVIDER_B' }: { end?: AttemptEnd; provider?: 'PROVIDER_A' | 'PROVIDER_B' } = {},
): Promise<void> {
  const { attemptId, expiresAt } = await at(sql, INSTANT, ms, () => seedAttempt(sql, seeded, { provider }));
  const instant = end.status === 'EXPIRED' ? expiresAt : new Date(INSTANT.getTime() + ms);
  await at(sql, instant, 0, () => moveAttemptToEnd(asWorker(sql), attemptId, end));
}

/** The result of `look` before the ends are added up; it must be the same afterwards. */
async function beforeAndAfter<T>(sql: Database, look: () => Promise<T>): Promise<T> {
  const before = await look();
  expect(await sumEndedWork(asWorker(sql), 1_000)).toBeGreaterThan(0);
  expect(await listUnsummedWork(asWorker(sql))).toEqual([]);
  expect(await look()).toEqual(before);
  return before;
}

test('a series has the ends of its first and last hour or day, and none before or after', async () => {
  const { sql, seeded } = await createDatabase();
  await endAttempt(sql, seeded);
  const count = async (period: Period, ms: number) => {
    const series = await at(sql, INSTANT, ms, () => getEndedWork(asApi(sql), period, EVERYBODY));
    return series.counts.reduce((sum, { count: ends }) => sum + ends, 0);
  };
  const counts = await beforeAndAfter(sql, async () => ({
    hours: [await count('DAY', -HOUR_MS), await count('DAY', 23 * HOUR_MS), await count('DAY', 24 * HOUR_MS)],
    days: [await count('MONTH', -DAY_MS), await count('MONTH', 29 * DAY_MS), await count('MONTH', 30 * DAY_MS)],
  }));
  expect(counts).toEqual({ hours: [0, 1, 0], days: [0, 1, 0] });
});

test('an end is recent until two hours after its hour began, and counts for a week then, of its provider', async () => {
  const { sql, seeded, other } = await createDatabase();
  await endAttempt(sql, seeded);
  await endAttempt(sql, other, 0, { provider: 'PROVIDER_A' });
  const list = async (hours: number) => {
    const { ends } = await at(sql, NOON, hours * HOUR_MS, () => listRecentEnds(asApi(sql)));
    return ends.map(({ kind, provider, outcome, isRecent, count }) => {
      expect({ kind, outcome, count }).toEqual({ kind: 'CONNECT', outcome: 'CANCELED', count: 1 });
      return `${provider} ${isRecent}`;
    });
  };
  const WEEK = 7 * 24;
  const [recent, old, oldest, gone] = await beforeAndAfter(sql, async () =>
    [await list(1), await list(2), await list(WEEK + 1), await list(WEEK + 2)].map((ends) => ends.sort()),
  );
  expect(recent).toEqual(['PROVIDER_A true', 'PROVIDER_B true']);
  expect(old).toEqual(['PROVIDER_A false', 'PROVIDER_B false']);
  expect(oldest).toEqual(old);
  expect(gone).toEqual([]);
});

test('the oldest ends are added up first, as many as asked for', async () => {
  const { sql, seeded } = await createDatabase();
  for (const hours of [3, 2, 1]) await endAttempt(sql, seeded, -hours * HOUR_MS + MINUTE_MS);
  expect(await sumEndedWork(asWorker(sql), 1)).toBe(1);
  await sql`vacuum ended_work`; // The next end takes its place in the table.
  await endAttempt(sql, seeded, MINUTE_MS);
  const hour = (hours: number) => new Date(NOON.getTime() - hours * HOUR_MS);
  const waiting = async () => (await listUnsummedWork(asWorker(sql))).map(({ dueAt }) => dueAt);
  expect(await waiting()).toEqual([hour(2)]);
  expect(await sumEndedWork(asWorker(sql), 1)).toBe(1);
  expect(await waiting()).toEqual([hour(1)]);
  expect(await sumEndedWork(asWorker(sql), 2)).toBe(2);
  expect(await waiting()).toEqual([]);
  expect(await sumEndedWork(asWorker(sql), 1)).toBe(0);
  const ofProvider = await at(sql, INSTANT, 0, () =>
    getEndedWork(asApi(sql), 'DAY', { appId: seeded.app.appId, provider: 'PROVIDER_B' }),
  );
  expect(ofProvider.counts.map(({ at: began }) => began)).toEqual([hour(3), hour(2), hour(1), hour(0)]);
});
