import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { getCoverage, insertCoverage } from '../../src/store/content/coverage.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { businessNow, DAY_MS, HOUR_MS, moveClock } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedCoverage } from '../kit/seed.ts';

/** A new connection whose coverage a test seeds and reads. Windows are days before a fixed now; the ages of scans are hours. */
async function openCoverage(sql: Database) {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const now = await businessNow(sql);
  const day = (before: number) => new Date(now.getTime() - before * DAY_MS);
  return {
    connectionId,
    now,
    day,
    cover: (from: number, to: number, hoursAgo = 0.001) =>
      seedCoverage(sql, connectionId, {
        publishedAfter: day(from),
        publishedBefore: day(to),
        scannedAt: new Date(now.getTime() - hoursAgo * HOUR_MS),
      }),
    read: (from: number, to: number) =>
      getCoverage(sql, connectionId, { publishedAfter: day(from), publishedBefore: day(to) }),
  };
}

describe('coverage', () => {
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

  test('stays small after many scans, and judges as if every scan were kept', async ({ sql, seeded }) => {
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
});
