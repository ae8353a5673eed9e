import { expect, test, vi } from 'vitest';
import { createReadiness } from '../../src/api/readiness.ts';
import { createLog } from '../../src/basics/log.ts';
import type { Database } from '../kit/postgres.ts';

test('the database is asked once a second, even for many callers', async () => {
  let nowMs = 0;
  const sql = vi.fn(() => Promise.reject(new Error('No database.')));
  const freshness = { listDoubts: async () => [], refuseStale: async () => {} };
  const unready = createReadiness(sql as unknown as Database, freshness, createLog('silent'), () => nowMs);
  const DOWN = ['the database cannot be reached'];
  expect(await Promise.all(Array.from({ length: 100 }, unready))).toEqual(Array.from({ length: 100 }, () => DOWN));
  const once = sql.mock.calls.length;
  expect(once).toBeLessThan(10);
  nowMs = 999;
  expect(await unready()).toEqual(DOWN);
  expect(sql.mock.calls.length).toBe(once);
  nowMs = 1_000;
  expect(await unready()).toEqual(DOWN);
  expect(sql.mock.calls.length).toBe(2 * once);
});
