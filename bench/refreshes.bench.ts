import { test } from '../test/kit/postgres.ts';
import { simulateRefreshes } from '../test/kit/simulate-refreshes.ts';

/** A day of 100,000 connections takes minutes: `BENCH_SCALE=1 npm run bench -- --only refreshes`. */
const SCALE = Number(process.env.BENCH_SCALE ?? 0.1);
const HOUR_MS = 3_600_000;

test('automatic refreshes', { timeout: HOUR_MS }, async ({ database }) => {
  const day = {
    connections: 100_000 * SCALE,
    everyMinutes: 1_440,
    dailyQuota: 1_000_000 * SCALE,
    stepMinutes: 10,
    callsPerSecond: 200 * SCALE,
  };
  console.log(`\nA day of automatic refreshes by the planner: ${JSON.stringify(day)}`);
  const startedAtMs = performance.now();
  console.log(`  ${JSON.stringify(await simulateRefreshes(database.sql, day))}`);
  console.log(`  ${Math.round((performance.now() - startedAtMs) / 1000)} s`);
});
