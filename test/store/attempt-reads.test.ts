import { describe, expect } from 'vitest';
import type { AttemptId } from '../../src/basics/ids.ts';
import {
  type AttemptFilter,
  countAdminAttempts,
  findAdminAttempt,
  listAdminAttempts,
} from '../../src/store/attempts/admin-attempts.ts';
import { countRecentAttempts, countUnfinishedAttempts } from '../../src/store/attempts/attempt-counts.ts';
import {
  type AttemptEnd,
  connectAttempts,
  findAttemptResult,
  moveAttemptToEnd,
} from '../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

const end = (sql: Database, { attemptId }: { attemptId: AttemptId }, how: AttemptEnd) =>
  inTransaction(sql, (tx) => moveAttemptToEnd(tx, attemptId, how));

test('an ended attempt is shown to its caller, with the connection', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const scopeId = await seedScope(sql, seeded, scope);
  const [attempt, other] = [await seedAttempt(sql, seeded, { scopeId }, answerAttempt), await seedAttempt(sql, seeded)];
  await end(sql, attempt, { status: 'COMPLETED', resultCode: 'PARTIAL_PERMISSION', connectionId });
  const find = async (id: AttemptId) => await findAttemptResult(sql, { appId: seeded.app.appId, scope, id });
  expect(await find(attempt.attemptId)).toEqual({
    tenantRegistered: true,
    attempt: {
      attemptId: attempt.attemptId,
      provider: 'PROVIDER_B',
      status: 'COMPLETED',
      expired: false,
      resultCode: 'PARTIAL_PERMISSION',
      connectionId,
      creatorAction: null,
      expiresAt: attempt.expiresAt,
      resultExpiresAt: attempt.resultExpiresAt,
    },
  });
  expect(await find(other.attemptId)).toEqual({ tenantRegistered: true, attempt: undefined });
});

test('an attempt is shown to its caller for a day, EXPIRED from its deadline on', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const scopeId = await seedScope(sql, seeded, scope);
  const [open, ended] = [await seedAttempt(sql, seeded, { scopeId }), await seedAttempt(sql, seeded, { scopeId })];
  await end(sql, ended, { status: 'CANCELED', resultCode: 'CANCELED' });
  const shown = (of: typeof open, instant: Date, ms: number) =>
    at(sql, instant, ms, async () => {
      const asked = { appId: seeded.app.appId, scope, id: of.attemptId };
      const { attempt } = await findAttemptResult(sql, asked);
      const known = await connectAttempts.find(sql, of.attemptId);
      expect(attempt?.expired ?? known?.expired).toBe(known?.expired);
      return attempt && [attempt.status, attempt.expired];
    });
  expect(await shown(open, open.expiresAt, -1)).toEqual(['CREATED', false]);
  expect(await shown(open, open.expiresAt, 0)).toEqual(['CREATED', true]);
  expect(await shown(ended, ended.expiresAt, 0)).toEqual(['CANCELED', false]);
  for (const attempt of [open, ended]) {
    expect(await shown(attempt, attempt.resultExpiresAt, -1)).toBeDefined();
    expect(await shown(attempt, attempt.resultExpiresAt, 0)).toBeUndefined();
  }
});

test('unfinished attempts of a person at a platform are counted, and when the first of them expires', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  const now = await businessNow(sql);
  const make = (ms: number, changes = {}) => at(sql, now, ms, () => seedAttempt(sql, seeded, { scopeId, ...changes }));
  const count = (ms: number) =>
    at(sql, now, ms, () => inTransaction(sql, (tx) => countUnfinishedAttempts(tx, scopeId, 'PROVIDER_B')));
  await make(0, { provider: 'PROVIDER_A' });
  await make(0, { returnUrl: '' }); // As an import has it.
  await seedAttempt(sql, seeded);
  expect(await count(0)).toEqual({ count: 0, oldestExpiresInSeconds: 0 });
  await make(0);
  await make(MINUTE_MS);
  await end(sql, await make(MINUTE_MS), { status: 'CANCELED', resultCode: 'CANCELED' });
  expect(await count(MINUTE_MS)).toEqual({ count: 2, oldestExpiresInSeconds: 540 });
  expect(await count(10 * MINUTE_MS - 1)).toEqual({ count: 2, oldestExpiresInSeconds: 1 });
  expect(await count(10 * MINUTE_MS)).toEqual({ count: 1, oldestExpiresInSeconds: 60 });
});

test('attempts of the last ten minutes are counted, and when the first of them leaves', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  const now = await businessNow(sql);
  const make = (ms: number, changes = {}) => at(sql, now, ms, () => seedAttempt(sql, seeded, { scopeId, ...changes }));
  await make(0);
  await make(MINUTE_MS);
  await make(0, { provider: 'PROVIDER_A' });
  await make(0, { returnUrl: '' }); // As an import has it.
  await seedAttempt(sql, seeded);
  const count = (ms: number) =>
    at(sql, now, ms, () => inTransaction(sql, (tx) => countRecentAttempts(tx, scopeId, 'PROVIDER_B')));
  expect(await count(MINUTE_MS)).toEqual({ count: 2, oldestLeavesInSeconds: 540 });
  expect(await count(10 * MINUTE_MS - 1)).toEqual({ count: 2, oldestLeavesInSeconds: 1 });
  expect(await count(10 * MINUTE_MS)).toEqual({ count: 1, oldestLeavesInSeconds: 60 });
  expect(await count(11 * MINUTE_MS)).toEqual({ count: 0, oldestLeavesInSeconds: 0 });
});

describe('an attempt as an operator sees it', () => {
  const ANY: AttemptFilter = {
    appId: null,
    provider: null,
    registrationId: null,
    statuses: null,
    connectionId: null,
  };

  test('has its times and connections, and is found by the one that it renews or has made', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [connectionId, other] = [await connect(), await connect()];
    const now = await businessNow(sql);
    const make = (ms: number, changes = {}) => at(sql, now, ms, () => seedAttempt(sql, seeded, changes, answerAttempt));
    const made = await make(0);
    const renewing = await make(1, { reconnectConnectionId: connectionId });
    await make(2, { reconnectConnectionId: other });
    await at(sql, now, 3, () => end(sql, made, { status: 'COMPLETED', resultCode: null, connectionId }));
    const list = async (filter: Partial<AttemptFilter>) =>
      (await listAdminAttempts(sql, { ...ANY, ...filter }, { limit: 9, after: null })).map((one) => one.attemptId);
    expect(await list({ connectionId })).toEqual([renewing.attemptId, made.attemptId]);
    expect(await list({ connectionId, statuses: ['COMPLETED'] })).toEqual([made.attemptId]);
    const { appId } = seeded.app;
    const elsewhere = await make(4, { provider: 'PROVIDER_A' });
    expect(await list({ appId, provider: 'PROVIDER_A' })).toEqual([elsewhere.attemptId]);
    expect(await list({ appId, registrationId: elsewhere.registrationId })).toEqual([elsewhere.attemptId]);
    const late = await at(sql, made.expiresAt, MINUTE_MS, () => findAdminAttempt(sql, made.attemptId));
    expect(late?.status).toBe('COMPLETED'); // It had ended before its deadline.
    expect(await countAdminAttempts(sql, { ...ANY, connectionId })).toMatchObject({ count: 2 });
    expect(await findAdminAttempt(sql, made.attemptId)).toMatchObject({
      appName: 'Harbour Kitchen',
      registrationLabel: 'Test client',
      status: 'COMPLETED',
      connectionId,
      reconnectConnectionId: null,
      createdAt: now,
      codeArrivedAt: now,
      finishedAt: new Date(now.getTime() + 3),
    });
    const shown = (ms: number) =>
      at(sql, renewing.expiresAt, ms, async () => {
        const found = await findAdminAttempt(sql, renewing.attemptId);
        return [found?.status, found?.reconnectConnectionId, found?.finishedAt];
      });
    expect(await shown(-1)).toEqual(['EXCHANGING', connectionId, null]);
    expect(await shown(0)).toEqual(['EXPIRED', connectionId, null]);
  });
});
