import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { getCoverage, insertCoverage } from '../../src/store/content/coverage.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { moveSyncToEnd, moveSyncToRunning } from '../../src/store/jobs/scans.ts';
import { openStage } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { openCoverage } from '../kit/coverage-stage.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedCoverage } from '../kit/seed.ts';
import { applyRetention } from '../kit/sweeping.ts';

const COMPLETE = { complete: true };
const partly = { complete: false, reason: 'PARTLY_SCANNED' };

test('says nothing of another connection that has been scanned', async ({ sql }) => {
  const stage = await openStage(sql);
  const [{ connectionId }, other] = [await stage.newConnection(), await stage.newConnection()];
  const window = { publishedAfter: new Date(0), publishedBefore: new Date(DAY_MS) };
  const { jobId } = await stage.newScan(other.connectionId, { window });
  const job = await moveReadJobToRunning(sql, jobId);
  if (!job) throw new Error('The scan has ended.');
  await moveSyncToRunning(sql, job);
  const never = { complete: false, reason: 'NEVER_SCANNED' };
  expect(await getCoverage(sql, connectionId, window)).toEqual(never);
  await moveSyncToEnd(sql, { ...job, chainStartedAt: await businessNow(sql) }, 'READY');
  await sql`update read_job set status = 'CANCELED', finished_at = business_now() where job_id = ${jobId}`;
  expect(await getCoverage(sql, connectionId, window)).toEqual(never);
  expect(await getCoverage(sql, other.connectionId, window)).toEqual(partly);
});

describe('coverage', () => {
  test('of one scan covers its own window and every window within it', async ({ sql }) => {
    const { cover, read } = await openCoverage(sql);
    await cover(20, 10);
    expect(await read(20, 10)).toEqual(COMPLETE);
    expect(await read(15, 12)).toEqual(COMPLETE);
    expect(await read(20.001, 10)).toEqual(partly);
    expect(await read(20, 9.999)).toEqual(partly);
  });

  test('of several scans covers their union if they overlap or touch', async ({ sql }) => {
    const { cover, read } = await openCoverage(sql);
    await cover(30, 20);
    await cover(22, 15);
    await cover(15, 10);
    expect(await read(30, 10)).toEqual(COMPLETE);
  });

  test('does not cover a window with a gap of any size', async ({ sql }) => {
    const { connectionId, cover, day, read, now } = await openCoverage(sql);
    await cover(30, 20);
    const publishedAfter = new Date(day(20).getTime() + 1);
    await seedCoverage(sql, connectionId, { publishedAfter, publishedBefore: day(10), scannedAt: now });
    expect(await read(30, 10)).toEqual(partly);
    expect(await read(30, 20)).toEqual(COMPLETE);
  });

  test('ages range by range: a day-old range no longer counts, its neighbors do', async ({ sql }) => {
    const { cover, read } = await openCoverage(sql);
    await cover(30, 20, 23);
    await cover(20, 10, 1);
    expect(await read(30, 10)).toEqual(COMPLETE);
    await moveClock(sql, HOUR_MS - MINUTE_MS);
    expect(await read(30, 10)).toEqual(COMPLETE);
    await moveClock(sql, 2 * MINUTE_MS);
    expect(await read(30, 10)).toEqual({ complete: false, reason: 'SCAN_STALE' });
    expect(await read(20, 10)).toEqual(COMPLETE);
  });

  test('counts for its own connection only', async ({ sql }) => {
    const [one, other] = [await openCoverage(sql), await openCoverage(sql)];
    await one.cover(30, 10);
    expect(await other.read(20, 15)).toEqual({ complete: false, reason: 'NEVER_SCANNED' });
  });

  test('names the reason: never scanned, running, failed, partly', async ({ sql }) => {
    const { connectionId, cover, day, read } = await openCoverage(sql);
    expect(await read(20, 10)).toEqual({ complete: false, reason: 'NEVER_SCANNED' });
    const insertScan = (status: string, from: number, to: number) => sql`
      insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, status, published_after,
        published_before, max_items, correlation_id, finished_at)
      select gen_random_uuid(), 'SCAN', connection_id, app_id, provider, 'CALLER', ${status}, ${day(from)}, ${day(to)}, 100,
        gen_random_uuid(), case when ${status} in ('SUCCEEDED', 'FAILED') then business_now() end
      from connection where connection_id = ${connectionId}
    `;
    await insertScan('FAILED', 20, 10);
    expect(await read(20, 10)).toEqual({ complete: false, reason: 'SCAN_FAILED' });
    await insertScan('RUNNING', 12, 5);
    expect(await read(20, 10)).toEqual({ complete: false, reason: 'SCAN_RUNNING' });
    expect(await read(30, 25)).toEqual(partly);
    await sql`update read_job set status = 'SUCCEEDED', finished_at = business_now() + interval '1 second' where status = 'RUNNING'`;
    await cover(18, 10);
    expect(await read(20, 10)).toEqual(partly);
  });

  test('keeps one range of a window after many scans, and a bounded number in total', async ({ sql }) => {
    const { connectionId, now, read } = await openCoverage(sql);
    const scanned = (publishedAfter: number, readBefore: number) =>
      insertCoverage(sql, {
        connectionId,
        publishedAfter: new Date(now.getTime() + publishedAfter),
        readBefore: new Date(now.getTime() + readBefore),
        chainStartedAt: now,
      });
    const count = async () => {
      const [row] = await sql`select count(*)::int as count from coverage where connection_id = ${connectionId}`;
      return row?.count;
    };
    for (let n = 0; n < 5; n += 1) await scanned(-8 * DAY_MS, -7 * DAY_MS);
    await scanned(-7.5 * DAY_MS, -7.2 * DAY_MS);
    expect(await count()).toBe(3); // The rest of the older range lies on both sides.
    await scanned(-8 * DAY_MS, -7 * DAY_MS);
    expect(await count()).toBe(1);
    expect(await read(8, 7)).toEqual(COMPLETE);
    // Each starts and ends a second later than the one before.
    await sql`
      insert into coverage (coverage_id, connection_id, published, scanned_at)
      select gen_random_uuid(), ${connectionId}, tstzrange(at, at + interval '7 days'), at + interval '7 days'
      from generate_series(1, 1200) n, lateral (select ${now}::timestamptz - interval '8 days' + n * interval '1 second') t (at)
    `;
    await scanned(-7 * DAY_MS - 1_000, 0);
    expect(await count()).toBeLessThanOrEqual(1_000);
    expect(await read(7, 0)).toEqual(COMPLETE);
  });

  test('covers exactly the days that were scanned', async ({ sql }) => {
    const range = fc.tuple(fc.integer({ min: 0, max: 39 }), fc.integer({ min: 1, max: 10 }));
    await fc.assert(
      fc.asyncProperty(fc.array(range, { minLength: 1, maxLength: 6 }), range, async (scans, [from, length]) => {
        const { cover, read } = await openCoverage(sql);
        const days = new Set<number>();
        for (const [first, count] of scans) {
          await cover(60 - first, 60 - first - count);
          for (let day = first; day < first + count; day += 1) days.add(day);
        }
        const covered = Array.from({ length }, (_, index) => days.has(from + index)).every(Boolean);
        expect((await read(60 - from, 60 - from - length)).complete).toBe(covered);
      }),
      { numRuns: 40 },
    );
  });

  test('stays small after many scans, and judges as if every scan were kept', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`create table every_scan (published tstzrange, scanned_at timestamptz)`;
    const random = fc.sample(fc.record({ from: fc.nat(40), length: fc.nat(12), after: fc.nat(20) }), {
      numRuns: 120,
      seed: 7,
    });
    let most = 0;
    for (const { from, length, after } of random) {
      await moveClock(sql, after * HOUR_MS);
      const now = await businessNow(sql);
      const publishedAfter = new Date(now.getTime() - (from + length + 1) * DAY_MS);
      const readBefore = new Date(now.getTime() - from * DAY_MS);
      await insertCoverage(sql, { connectionId, publishedAfter, readBefore, chainStartedAt: now });
      await sql`insert into every_scan values (tstzrange(${publishedAfter}, ${readBefore}), ${now})`;
      const [answers] = await sql`
        with kept as (select * from coverage where connection_id = ${connectionId})
        select (select count(*)::int from kept) as rows,
          (select range_agg(published) filter (where scanned_at > business_now() - interval '24 hours') from kept)
            = (select range_agg(published) filter (where scanned_at > business_now() - interval '24 hours') from every_scan)
            as is_recent_same,
          (select range_agg(published) from kept) = (select range_agg(published) from every_scan) as is_ever_same
      `;
      expect(answers).toMatchObject({ isRecentSame: true, isEverSame: true });
      most = Math.max(most, Number(answers?.rows));
    }
    expect(most).toBeLessThanOrEqual(20);
  });

  test('of a window goes 30 days after its last scan, though other windows of the account are scanned', async ({
    sql,
  }) => {
    actsOnOthers(sql);
    const stage = await openStage(sql);
    const [{ connectionId }, idle] = [await stage.newConnection(), await stage.newConnection()];
    const scan = async (id: ConnectionId, now: Date, from: number, to: number) => {
      const day = (before: number) => new Date(now.getTime() - before * DAY_MS);
      await insertCoverage(sql, {
        connectionId: id,
        publishedAfter: day(from),
        readBefore: day(to),
        chainStartedAt: now,
      });
    };
    const countRanges = async (id: ConnectionId) =>
      (await sql`select from coverage where connection_id = ${id}`).length;
    await scan(idle.connectionId, await businessNow(sql), 2, 1);
    const counts = [];
    for (let day = 0; day < 90; day += 6) {
      const now = await businessNow(sql);
      await scan(connectionId, now, 2, 1);
      await scan(connectionId, now, 1, 0);
      await moveClock(sql, 6 * DAY_MS);
      await applyRetention(asWorker(sql));
      counts.push(await countRanges(connectionId));
    }
    // Of the last 29 days: the two windows of the last scans, and three times two that touch.
    expect(counts.slice(8)).toEqual(Array(7).fill(5));
    expect(await countRanges(idle.connectionId)).toBe(0);
    await moveClock(sql, -counts.length * 6 * DAY_MS);
  });
});
