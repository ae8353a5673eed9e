import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { listConnections } from '../../src/store/connections/connections.ts';
import type { ContentItem } from '../../src/store/content/content.ts';
import { listContent } from '../../src/store/content/listing.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findAdminJobs } from '../../src/store/jobs/admin-jobs.ts';
import { businessNow, DAY_MS, moveClock } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent, seedLookups, seedScope } from '../kit/seed.ts';

async function readAll(
  sql: Database,
  connectionId: ConnectionId,
  window: { publishedAfter: Date; publishedBefore: Date },
  limit: number,
) {
  const read: ContentItem[] = [];
  for (;;) {
    const last = read.at(-1);
    const after = last?.publishedAt ? { publishedAt: last.publishedAt, contentItemId: last.contentItemId } : null;
    const page = await listContent(sql, connectionId, { ...window, limit, after });
    if (page.length === 0) return read.map(({ providerContentId }) => providerContentId);
    expect(page.length).toBeLessThanOrEqual(limit);
    read.push(...page);
  }
}

async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const now = await businessNow(sql);
  return { connectionId, now, ago: (ms: number) => new Date(now.getTime() - ms) };
}

describe('posts listed page by page', () => {
  test('appear once each, newest first, also if many were published at the same instant', async ({ sql }) => {
    const days = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 1, max: 5 }), async (published, limit) => {
        const { connectionId, ago } = await open(sql);
        const expected: { id: string; at: number }[] = [];
        for (const day of published) {
          const at = ago((day + 1) * DAY_MS);
          expected.push({ id: await seedContent(sql, connectionId, { publishedAt: at }), at: at.getTime() });
        }
        const window = { publishedAfter: ago(30 * DAY_MS), publishedBefore: ago(0) };
        const read = await readAll(sql, connectionId, window, limit);
        expect(new Set(read)).toEqual(new Set(expected.map(({ id }) => id)));
        expect(read).toHaveLength(expected.length);
        const times = read.map((id) => expected.find((one) => one.id === id)?.at ?? 0);
        expect(times).toEqual([...times].sort((a, b) => b - a));
      }),
      { numRuns: 15 },
    );
  });

  test('include the window’s beginning, and not its end', async ({ sql }) => {
    const { connectionId, ago } = await open(sql);
    await seedContent(sql, connectionId, { providerContentId: 'first', publishedAt: ago(2 * DAY_MS) });
    await seedContent(sql, connectionId, { providerContentId: 'end', publishedAt: ago(DAY_MS) });
    await seedContent(sql, connectionId, { providerContentId: 'before', publishedAt: ago(2 * DAY_MS + 1) });
    const window = { publishedAfter: ago(2 * DAY_MS), publishedBefore: ago(DAY_MS) };
    expect(await readAll(sql, connectionId, window, 10)).toEqual(['first']);
  });

  test('are those read in the last 30 days, to the millisecond', async ({ sql }) => {
    const { connectionId, ago } = await open(sql);
    await seedContent(sql, connectionId, {
      publishedAt: ago(DAY_MS),
      observedAt: ago(30 * DAY_MS - 5_000),
      providerContentId: 'fresh',
    });
    await seedContent(sql, connectionId, {
      publishedAt: ago(DAY_MS),
      observedAt: ago(30 * DAY_MS),
      providerContentId: 'stale',
    });
    const window = { publishedAfter: ago(2 * DAY_MS), publishedBefore: ago(0) };
    expect(await readAll(sql, connectionId, window, 10)).toEqual(['fresh']);
    await moveClock(sql, 5_000);
    expect(await readAll(sql, connectionId, window, 10)).toEqual([]);
  });

  test('do not shift when newer posts arrive between two pages', async ({ sql }) => {
    const { connectionId, ago } = await open(sql);
    for (const day of [5, 4, 3])
      await seedContent(sql, connectionId, { providerContentId: `${day}`, publishedAt: ago(day * DAY_MS) });
    const window = { publishedAfter: ago(30 * DAY_MS), publishedBefore: ago(0), limit: 2 };
    const [, last] = await listContent(sql, connectionId, { ...window, after: null });
    if (!last?.publishedAt) throw new Error('There is no second post.');
    await seedContent(sql, connectionId, { providerContentId: 'new', publishedAt: ago(DAY_MS) });
    const after = { publishedAt: last.publishedAt, contentItemId: last.contentItemId };
    const next = await listContent(sql, connectionId, { ...window, after });
    expect(next.map(({ providerContentId }) => providerContentId)).toEqual(['5']);
  });
});

describe('connections listed page by page', () => {
  test('appear once each, oldest first, in every status, also if created at the same instant', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const scope = seeded.newScope();
    const made = new Set<string>();
    for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const) {
      for (let i = 0; i < 2; i += 1) made.add(await seedConnection(sql, seeded, { scope, status }));
    }
    const scopeId = await seedScope(sql, seeded, scope);
    await sql`update connection set created_at = date_trunc('hour', created_at) where scope_id = ${scopeId}`;
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const read: ConnectionId[] = [];
    for (let after: Parameters<typeof listConnections>[2]['after'] = null; ; ) {
      const page = await listConnections(sql, scopeId, { limit: 3, after });
      const last = page.at(-1);
      if (!last) break;
      read.push(...page.map(({ connectionId }) => connectionId));
      after = { createdAt: last.createdAt, connectionId: last.connectionId };
    }
    expect(read).toHaveLength(10);
    expect(new Set(read)).toEqual(made);
  });
});

test('finds jobs in the order of their ids, without jobs that are gone', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await seedLookups(sql, seeded, connectionId, 3);
  const rows = await sql`select job_id from read_job where connection_id = ${connectionId} order by created_at, job_id`;
  const [first, second, third] = rows.map((row) => row.jobId as JobId);
  if (!first || !second || !third) throw new Error('There are not three jobs.');
  for (const order of [
    [second, third, first],
    [third, first, second],
  ]) {
    const found = await findAdminJobs(sql, [newId<JobId>(), ...order]);
    expect(found.map(({ jobId }) => jobId)).toEqual(order);
  }
});
