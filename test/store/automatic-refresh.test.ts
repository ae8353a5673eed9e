import { describe, expect } from 'vitest';
import type { MetricName } from '../../src/basics/codes.ts';
import type { AppId } from '../../src/basics/ids.ts';
import { createMetric } from '../../src/providers/metric.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import {
  compareRefresh,
  listDueRefreshes,
  listPoliciesToReplan,
  replanConnections,
  scheduleRefreshes,
  takeDueRefreshes,
  updateRefreshPolicy,
} from '../../src/store/connections/automatic-refresh.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { insertContent } from '../../src/store/content/stored-content.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, seedContent } from '../kit/seed.ts';

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

  test('is listed at its provider until its connections are planned', async ({ sql }) => {
    const { appId } = await openApp(sql);
    const isListed = async (provider: 'PROVIDER_A' | 'PROVIDER_B') =>
      (await listPoliciesToReplan(asWorker(sql), provider, { after: null, limit: 100 })).some(({ id }) => id === appId);
    expect(await isListed('PROVIDER_B')).toBe(false);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    expect([await isListed('PROVIDER_A'), await isListed('PROVIDER_B')]).toEqual([false, true]);
    await replan(sql, appId);
    expect(await isListed('PROVIDER_B')).toBe(false);
  });

  test('plans nothing without an interval, and nothing once it is gone', async ({ sql }) => {
    const { appId, here } = await openApp(sql);
    await scheduleRefreshes(sql, [here]);
    expect(await isPlanned(sql, here)).toBe(false);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    await scheduleRefreshes(sql, [here]);
    expect(await isPlanned(sql, here)).toBe(true);
    await updatePolicy(sql, appId, 'PROVIDER_B', { capabilities: [] });
    await scheduleRefreshes(sql, [here]);
    expect(await isPlanned(sql, here)).toBe(false);
  });
});

const dueAt = async (sql: Database, connectionId: string): Promise<Date | null> => {
  const [row] = await sql`select refresh_due_at from connection where connection_id = ${connectionId}`;
  return (row?.refreshDueAt as Date | null | undefined) ?? null;
};
const isAfter = (date: Date | null, other: Date | null) => Number(date) - Number(other);

test('a changed policy plans many connections in rounds of 1,000, the oldest first, and each once', async ({ sql }) => {
  const { appId, here } = await openApp(sql);
  await sql`
    insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities,
      created_at)
    select gen_random_uuid(), scope_id, app_id, provider, registration_id, n::text, status, capabilities,
      -- In descending order, with instants that hundreds share.
      created_at - n / 400 * interval '1 minute'
    from connection, generate_series(1, 2001) as n where connection_id = ${here}
  `;
  for (const provider of ['PROVIDER_A', 'PROVIDER_B'] as const) await updateRefreshPolicy(sql, appId, provider, HOURLY);
  const countPlanned = async () => {
    const [row] = await sql`
      select count(*) filter (where refresh_due_at is not null)::int as planned,
        max(created_at) filter (where refresh_due_at is not null)
          <= min(created_at) filter (where refresh_due_at is null) as is_in_order
      from connection where app_id = ${appId} and provider = 'PROVIDER_B'
    `;
    return [row?.planned, row?.isInOrder];
  };
  expect([await replan(sql, appId), ...(await countPlanned())]).toEqual([1_000, 1_000, true]);
  expect([await replan(sql, appId), ...(await countPlanned())]).toEqual([1_000, 2_000, true]);
  expect([await replan(sql, appId), ...(await countPlanned())]).toEqual([3, 2_002, null]); // And the other provider's.
  expect(await replan(sql, appId)).toBe(0);
  const rows = await sql`
    select provider, replanned_to is null and replanned_id is null as is_planned from app_policy
    where app_id = ${appId} and provider in ('PROVIDER_A', 'PROVIDER_B') order by provider
  `;
  expect(rows.map((row) => [row.provider, row.isPlanned])).toEqual([
    ['PROVIDER_A', false],
    ['PROVIDER_B', true],
  ]);
});

describe('a refresh that is due', () => {
  test('is listed once, the longest due first, of every app of its registration', async ({ sql }) => {
    const [own, other] = [await seedApp(sql), await seedApp(sql)];
    const now = await businessNow(sql);
    const connect = async (of: typeof own, dueMs: number | null) => {
      // Of the other app, by the same registration.
      const seeded = { ...of, registrations: own.registrations };
      const connectionId = await seedConnection(sql, seeded, { scope: of.newScope() });
      const due = dueMs === null ? null : new Date(now.getTime() + dueMs);
      await sql`update connection set refresh_due_at = ${due} where connection_id = ${connectionId}`;
      return connectionId;
    };
    const first = await connect(own, -9);
    const second = await connect(own, -8);
    const others = await connect(other, 0);
    const [third, fourth] = [await connect(own, -7), await connect(own, -6)];
    await connect(own, 1);
    await connect(own, null);
    const list = (limit: number) =>
      at(sql, now, 0, () => listDueRefreshes(asWorker(sql), own.registrations.PROVIDER_B, limit));
    expect((await list(9)).map(({ id }) => id)).toEqual([first, second, third, fourth, others]);
    expect((await list(2)).map(({ id }) => id)).toEqual([first, second]);
  });

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

  test('moves the next one only if its result changes the interval', async ({ sql }) => {
    const { appId, here, elsewhere } = await openApp(sql);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    await scheduleRefreshes(sql, [here]);
    const due = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
    await at(sql, due, MINUTE_MS, () => inTransaction(sql, (tx) => takeDueRefreshes(tx, [{ id: here, dueAt: due }])));
    const publishedAfter = new Date(due.getTime() - HOUR_MS);
    const compare = (ms: number) =>
      at(sql, due, ms, () =>
        inTransaction(asWorker(sql), (tx) => compareRefresh(tx, { connectionId: here, publishedAfter })),
      );
    await compare(2 * MINUTE_MS);
    expect(isAfter(await dueAt(sql, here), due)).toBe(HOUR_MS);
    await seedContent(sql, elsewhere, { publishedAt: due });
    await seedContent(sql, here, { publishedAt: new Date(publishedAfter.getTime() - 1) });
    await compare(2 * MINUTE_MS); // The same again: every two hours from now on.
    const next = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
    expect(isAfter(next, due)).toBeGreaterThan(HOUR_MS);
    expect(isAfter(next, due)).toBeLessThanOrEqual(4 * HOUR_MS);
    const rows = [here, elsewhere].map((id) => ({ id, dueAt: next }));
    const taken = await at(sql, next, 0, () => inTransaction(sql, (tx) => takeDueRefreshes(tx, rows)));
    expect(taken.map(({ connectionId }) => connectionId)).toEqual([here]);
    expect(isAfter(await dueAt(sql, here), next)).toBe(2 * HOUR_MS);
    await seedContent(sql, here, { publishedAt: publishedAfter });
    await compare(isAfter(next, due) + MINUTE_MS); // Something new: every hour again.
    expect(isAfter(await dueAt(sql, here), next)).toBeLessThanOrEqual(2 * HOUR_MS);
    const [row] = await sql`select refresh_unchanged from connection where connection_id = ${here}`;
    expect(row?.refreshUnchanged).toBe(0);
    expect(await dueAt(sql, elsewhere)).toBeNull();
  });

  test('comes ever later while nothing changes, at most half a day', async ({ sql }) => {
    const { appId, here } = await openApp(sql);
    await updateRefreshPolicy(sql, appId, 'PROVIDER_B', HOURLY);
    await scheduleRefreshes(sql, [here]);
    const start = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
    const publishedAfter = new Date(start.getTime() - DAY_MS);
    const post = (id: string, names: readonly MetricName[]) => ({
      ...{ providerContentId: id, kind: 'VIDEO' as const, canonicalUrl: null, thumbnailUrl: null },
      ...{ title: 'A boat', description: null, publishedAt: start },
      metrics: names.map((name) => createMetric(name, 'count', '1')),
    });
    const posts = [post('a', ['VIEWS', 'LIKES']), post('b', ['VIEWS']), post('c', [])];
    /** One that begins when it is due, and reads the same posts and metrics in another order. */
    const refresh = async () => {
      const due = (await dueAt(sql, here)) ?? expect.fail('Nothing is planned.');
      const run = (work: (tx: Transaction) => Promise<unknown>) => at(sql, due, 0, () => inTransaction(sql, work));
      await run((tx) => takeDueRefreshes(tx, [{ id: here, dueAt: due }]));
      for (const list of [posts, ...posts.map(({ metrics }) => metrics)]) list.reverse();
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
  });
});
