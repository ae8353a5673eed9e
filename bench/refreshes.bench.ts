import { expect } from 'vitest';
import { test } from '../test/kit/postgres.ts';
import { simulateRefreshes } from '../test/kit/simulate-refreshes.ts';

/** A day of 100,000 connections takes minutes: `BENCH_SCALE=1 npm run bench -- --only refreshes`. */
const SCALE = Number(process.env.BENCH_SCALE ?? 0.1);
const HOUR_MS = 3_600_000;

test('automatic refreshes', { timeout: HOUR_MS }, async ({ database }) => {
  const day = {
    connections: 100_000 * SCALE,
    refreshMinutes: 1_440,
    dailyQuota: 1_000_000 * SCALE,
    stepMinutes: 10,
    callsPerSecond: 200 * SCALE,
  };
  console.log(`\nA day of automatic refreshes by the planner: ${JSON.stringify(day)}`);
  const startedAtMs = performance.now();
  const figures = await simulateRefreshes(database.sql, day);
  console.log(`  ${JSON.stringify(figures)}`);
  console.log(`  ${Math.round((performance.now() - startedAtMs) / 1000)} s`);
  // Half of the quota is the share of automatic refreshes.
  expect(figures.unitsUsed).toBeLessThanOrEqual(day.dailyQuota / 2);
  expect(figures.never).toBeLessThanOrEqual(figures.averageStep); // Those that become due after the last step.
  expect(figures.largestStep).toBeLessThanOrEqual(2 * figures.averageStep);
});
