import { describe, expect } from 'vitest';
import type { MetricName } from '../../src/basics/codes.ts';
import type { AppId } from '../../src/basics/ids.ts';
import type { PostDetails } from '../../src/basics/post-details.ts';
import { createMetric } from '../../src/providers/metric.ts';
import {
  compareRefresh,
  replanConnections,
  scheduleRefreshes,
  takeDueRefreshes,
  updateRefreshPolicy,
} from '../../src/store/connections/automatic-refresh.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { insertContent } from '../../src/store/content/stored-content.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { post as postAt } from '../kit/fake-provider.ts';
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

  test('comes ever later while nothing changes, at most half a day', async ({ sql }) => {
    const { appId, here } = await openApp(sql);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    await scheduleRefreshes(sql, [here]);
    const start = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
    const publishedAfter = new Date(start.getTime() - DAY_MS);
    const post = (id: string, names: readonly MetricName[]) =>
      postAt(id, start, { metrics: names.map((name) => createMetric(name, 'count', '1')) });
    let posts = [post('a', ['VIEWS', 'LIKES']), post('b', ['VIEWS']), post('c', [])];
    /** One that begins when it is due, and reads the same posts and metrics in another order. */
    const refresh = async () => {
      const due = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
      const run = (work: (tx: Transaction) => Promise<unknown>) => at(sql, due, 0, () => inTransaction(sql, work));
      await run((tx) => takeDueRefreshes(tx, [{ id: here, dueAt: due }]));
      posts = posts.map((item) => ({ ...item, metrics: item.metrics.toReversed() })).reverse();
      for (const item of posts) await run((tx) => insertContent(tx, here, [item], { withMetrics: true }));
      await run(async (tx) => {
        // Without an index, whose order could hide that of the query.
        await tx`set local enable_indexscan = off`;
        await tx`set local enable_bitmapscan = off`;
        await compareRefresh(tx, { connectionId: here, publishedAfter });
      });
      const [row] = await sql`select refresh_unchanged from connection where connection_id = ${here}`;
      return { unchanged: row?.refreshUnchanged, hours: isAfter(await dueAt(sql, here), due) / HOUR_MS };
    };
    expect(await refresh()).toEqual({ unchanged: 0, hours: 1 });
    for (const unchanged of [1, 2, 3, 4, 5]) expect(await refresh()).toMatchObject({ unchanged });
    expect(await refresh()).toEqual({ unchanged: 6, hours: 12 });
    const change = (details: Partial<PostDetails>) => {
      posts = posts.map((item) => (item.providerContentId === 'c' ? { ...item, ...details } : item));
    };
    change({ thumbnailUrl: 'https://platform.example/signed-anew.jpg' });
    expect(await refresh()).toMatchObject({ unchanged: 7 });
    change({ description: 'Another.' });
    expect(await refresh()).toMatchObject({ unchanged: 0 });
  });
});
