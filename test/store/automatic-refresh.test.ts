import { describe, expect } from 'vitest';
import type { AppId } from '../../src/basics/ids.ts';
import {
  replanConnections,
  scheduleRefreshes,
  takeDueRefreshes,
  updateRefreshPolicy,
} from '../../src/store/connections/automatic-refresh.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { HOUR_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';

const HOURLY = { refreshMinutes: 60, refreshDays: 7, refreshPosts: 50 };

async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const connect = (provider: 'PROVIDER_A' | 'PROVIDER_B') =>
    seedConnection(sql, seeded, { scope: seeded.newScope(), provider });
  return { appId: seeded.app.appId, here: await connect('PROVIDER_B'), elsewhere: await connect('PROVIDER_A') };
}

const replan = (sql: Database, appId: AppId) => inTransaction(sql, (tx) => replanConnections(tx, appId, 'PROVIDER_B'));

const isPlanned = async (sql: Database, connectionId: string) => {
  const [row] =
    await sql`select refresh_due_at is not null as is_planned from connection where connection_id = ${connectionId}`;
  return row?.isPlanned;
};

describe('a changed policy', () => {
  test('plans the connections of its app at its provider, and no others', async ({ sql }) => {
    const [own, other] = [await openApp(sql), await openApp(sql)];
    for (const { appId } of [own, other]) await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    await updateRefreshPolicy(sql, own.appId, 'PROVIDER_A', HOURLY);
    expect(await replan(sql, own.appId)).toBe(2); // It passes over the one at the other provider.
    const planned = [own.here, own.elsewhere, other.here].map((id) => isPlanned(sql, id));
    expect(await Promise.all(planned)).toEqual([true, false, false]);
    expect(await replan(sql, own.appId)).toBe(0);
    expect(await replan(sql, other.appId)).toBe(2);
    expect(await isPlanned(sql, other.here)).toBe(true);
  });
});

const dueAt = async (sql: Database, connectionId: string): Promise<Date | null> => {
  const [row] = await sql`select refresh_due_at from connection where connection_id = ${connectionId}`;
  return (row?.refreshDueAt as Date | null | undefined) ?? null;
};
const isAfter = (date: Date | null, other: Date | null) => Number(date) - Number(other);

describe('a refresh that is due', () => {
  test('is taken by the policy of its provider, once in an interval', async ({ sql }) => {
    const { appId, here, elsewhere } = await openApp(sql);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_A', { refreshMinutes: 60, refreshDays: 3, refreshPosts: 9 });
    await scheduleRefreshes(sql, [here, elsewhere]);
    const due = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
    const take = (ms: number) =>
      at(sql, due, ms, () => inTransaction(asWorker(sql), (tx) => takeDueRefreshes(tx, [{ id: here, dueAt: due }])));
    expect(await take(-1)).toEqual([]);
    await moveConnection(sql, here, 'SUSPENDED');
    expect(await take(0)).toEqual([]);
    await moveConnection(sql, here, 'CONNECTED');
    expect(await take(0)).toEqual([
      { connectionId: here, appId, provider: 'PROVIDER_B', refreshDays: 7, refreshPosts: 50 },
    ]);
    expect(isAfter(await dueAt(sql, here), due)).toBe(HOUR_MS);
    expect(await take(HOUR_MS - 1)).toEqual([]);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', { ...HOURLY, refreshMinutes: null });
    expect(await take(HOUR_MS)).toEqual([]);
    expect(await dueAt(sql, here)).toBeNull();
  });
});
