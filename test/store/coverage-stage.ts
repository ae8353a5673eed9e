import { getCoverage } from '../../src/store/content/coverage.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { businessNow, DAY_MS, HOUR_MS } from '../kit/clock.ts';
import { seedApp, seedConnection, seedCoverage } from '../kit/seed.ts';

/** A new connection whose coverage a test seeds and reads. Windows are days before a fixed now; the ages of scans are hours. */
export async function openCoverage(sql: Database) {
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
