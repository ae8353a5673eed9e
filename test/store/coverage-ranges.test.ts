import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { getCoverage, insertCoverage } from '../../src/store/content/coverage.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection } from '../kit/seed.ts';
import { insertJob, type JobRow } from '../kit/seed-jobs.ts';
import { openCoverage } from './coverage-stage.ts';

const COMPLETE = { complete: true };

describe('ranges of a connection', () => {
  /** Scans of one connection at a fixed time; `kept` are its ranges in days before that, with the age in hours. */
  async function openAt(sql: Database) {
    const stage = await openCoverage(sql);
    const { connectionId, now, day } = stage;
    const scan = (from: number, to: number, startedDaysAgo = 0, ms = 0) =>
      at(sql, now, ms, () =>
        insertCoverage(sql, {
          ...{ connectionId, publishedAfter: day(from), readBefore: day(to) },
          chainStartedAt: day(startedDaysAgo),
        }),
      );
    const kept = async () => {
      const rows = await sql`
        select lower(published) as from, upper(published) as to, scanned_at from coverage
        where connection_id = ${connectionId} order by 1, 2
      `;
      const ago = (instant: Date, unitMs: number) => (now.getTime() - instant.getTime()) / unitMs;
      return rows.map((row) => [ago(row.from, DAY_MS), ago(row.to, DAY_MS), ago(row.scannedAt, HOUR_MS)]);
    };
    return { ...stage, scan, kept };
  }

  test('end where the chain began, and are none of a chain that is 29 days old or of an empty window', async ({
    sql,
  }) => {
    const { scan, kept, cover } = await openAt(sql);
    await cover(60, 50, 1);
    await scan(40, 30, 29);
    await scan(10, 10);
    await scan(9, 10);
    await scan(3, 2, 4);
    expect(await kept()).toEqual([[60, 50, 1]]);
    await scan(40, 35, 29 - 1 / DAY_MS);
    await scan(5, 1, 2);
    expect(await kept()).toEqual([
      [60, 50, 1],
      [40, 35, 0],
      [5, 2, 0],
    ]);
  });

  test('are cut where a scan has read anew, joined once they are a day old, and gone if the clock was set back', async ({
    sql,
  }) => {
    const { scan, kept, cover } = await openAt(sql);
    const minute = 1 / 60;
    await cover(90, 80, 24); // Old: the two touch.
    await cover(80, 70, 30);
    await cover(60, 50, 24 - 1 / HOUR_MS); // A day old in a millisecond.
    await cover(50, 45, 23);
    await cover(40, 30, -5 * minute); // As far ahead as is believed.
    await cover(29, 20, -5 * minute - 1 / HOUR_MS);
    await scan(48, 46);
    const all = [
      [90, 70, 24],
      [60, 50, 24 - 1 / HOUR_MS],
      [50, 48, 23],
      [48, 46, 0],
      [46, 45, 23],
      [40, 30, -5 * minute],
    ];
    const rounded = (rows: readonly (readonly number[])[]) =>
      rows.map((row) => row.map((one) => Number(one.toFixed(6))));
    expect(rounded(await kept())).toEqual(rounded(all));
    await scan(85, 75);
    expect(rounded(await kept()).slice(0, 3)).toEqual([
      [90, 85, 24],
      [85, 75, 0],
      [75, 70, 24],
    ]);
  });

  test('count less than a day, and not from a clock that was ahead', async ({ sql }) => {
    const { now, cover, read } = await openAt(sql);
    const minute = 1 / 60;
    await cover(90, 80, 24);
    await cover(70, 60, 24 - 1 / HOUR_MS);
    await cover(50, 40, -5 * minute);
    await cover(30, 20, -5 * minute - 1 / HOUR_MS);
    const stale = { complete: false, reason: 'SCAN_STALE' };
    const judge = (from: number, to: number) => at(sql, now, 0, () => read(from, to));
    expect([await judge(90, 80), await judge(70, 60), await judge(50, 40), await judge(30, 20)]).toEqual([
      ...[stale, COMPLETE, COMPLETE, stale],
    ]);
  });

  test('above the limit go, the oldest first, and those of another connection stay', async ({ sql }) => {
    actsOnOthers(sql);
    const [{ connectionId, now, scan, kept }, other] = [await openAt(sql), await openAt(sql)];
    const fill = (id: ConnectionId, hours: number) => sql`
      insert into coverage (coverage_id, connection_id, published, scanned_at)
      select gen_random_uuid(), ${id}, tstzrange(at, at + interval '1 hour'), ${now}::timestamptz - ${hours} * interval '1 hour'
        - n * interval '1 second'
      from generate_series(1, 1000) n, lateral (select ${now}::timestamptz - interval '90 days' - n * interval '2 hours') t (at)
    `;
    await fill(other.connectionId, 1);
    await fill(connectionId, 2);
    const before = await kept();
    await scan(2, 1);
    const oldest = Math.max(...before.map(([, , age]) => age ?? 0));
    expect(await kept()).toEqual([...before.filter(([, , age]) => age !== oldest), [2, 1, 0]]);
    expect((await other.kept()).length).toBe(1_000);
  });
});

describe('the scans of a window', () => {
  async function openScans(sql: Database) {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const now = await businessNow(sql);
    const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
    const scan = (status: string, createdMinutesAgo: number, row: JobRow = {}) =>
      insertJob(sql, seeded, {
        ...{ connectionId, status, maxItems: 9, kind: 'SCAN' as const, createdAt: ago(createdMinutesAgo) },
        ...{ publishedAfter: ago(20), publishedBefore: ago(10) },
        finishedAt: status === 'QUEUED' || status === 'RUNNING' ? null : ago(createdMinutesAgo - 1),
        ...row,
      });
    const reason = async () => {
      const coverage = await getCoverage(sql, connectionId, { publishedAfter: ago(20), publishedBefore: ago(10) });
      return coverage.complete ? null : coverage.reason;
    };
    return { seeded, connectionId, scan, reason, ago };
  }

  test('include how the last of it ended', async ({ sql }) => {
    const { scan, reason, ago } = await openScans(sql);
    await scan('CANCELED', 90);
    expect(await reason()).toBe('NEVER_SCANNED');
    await scan('SUCCEEDED', 80, { finishedAt: ago(30) });
    expect(await reason()).toBe('PARTLY_SCANNED');
    await scan('FAILED', 70, { finishedAt: ago(60) }); // Began later and ended earlier.
    expect(await reason()).toBe('PARTLY_SCANNED');
    await scan('FAILED', 25);
    expect(await reason()).toBe('SCAN_FAILED');
    await scan('CANCELED', 20);
    expect(await reason()).toBe('SCAN_FAILED');
    await scan('SUCCEEDED', 15, { publishedAfter: ago(9), publishedBefore: ago(8) });
    expect(await reason()).toBe('SCAN_FAILED');
    await scan('QUEUED', 5);
    expect(await reason()).toBe('SCAN_RUNNING');
  });

  test('are its latest 20, in every order of storing', async ({ sql }) => {
    const { seeded, connectionId, scan, reason } = await openScans(sql);
    await scan('SUCCEEDED', 100);
    await scan('FAILED', 50);
    const elsewhere = { publishedAfter: new Date(0), publishedBefore: new Date(1) };
    for (let n = 0; n < 19; n += 1) await scan('SUCCEEDED', 20 + n, elsewhere);
    await insertJob(sql, seeded, { connectionId, kind: 'LOOKUP' });
    expect(await reason()).toBe('SCAN_FAILED');
    await scan('SUCCEEDED', 10, elsewhere);
    expect(await reason()).toBe('PARTLY_SCANNED');
  });

  test('exclude those of another connection', async ({ sql }) => {
    const [{ reason }, other] = [await openScans(sql), await openScans(sql)];
    await sql`update connection set last_successful_sync_at = business_now() where connection_id = ${other.connectionId}`;
    expect([await reason(), await other.reason()]).toEqual(['NEVER_SCANNED', 'PARTLY_SCANNED']);
  });
});
