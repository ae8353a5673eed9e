import { describe, expect } from 'vitest';
import type { AppId } from '../../src/basics/ids.ts';
import { replanConnections, updateRefreshPolicy } from '../../src/store/connections/automatic-refresh.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

const HOURLY = { everyMinutes: 60, windowDays: 7, newestPosts: 50 };

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
