import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { PROVIDER_NAMES } from '../src/basics/codes.ts';
import { test } from '../test/kit/postgres.ts';
import { findMidnight, stopClock } from './day/clock.ts';
import { fillDay } from './day/fill.ts';
import { MOST_CONNECTIONS, makePlan } from './day/plan.ts';
import { printHead, printHour, printRegistrations } from './day/report.ts';
import { simulateDay } from './day/simulate.ts';
import { describeMachine } from './measure.mjs';

/**
 * The work of ten million connections over a table of one million: `BENCH_SCALE=1 npm run bench -- --only day`. By default some
 * hours of half a million, over a table of 10,000.
 */
const SCALE = Number(process.env.BENCH_SCALE ?? 0.05);
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? (SCALE >= 1 ? 1_000_000 : 10_000));
const DAY_HOURS = Number(process.env.BENCH_HOURS ?? (SCALE >= 1 ? 24 : 3));
/** After so long the day ends with its present hour. */
const WITHIN_MINUTES = Number(process.env.BENCH_WITHIN_MINUTES ?? 180);
const FILE = path.join('.cache', 'bench', process.env.BENCH_FILE ?? 'day.json');

test('a day', { timeout: 4 * 3_600_000 }, async ({ database: { sql } }) => {
  const plan = makePlan(CONNECTIONS, MOST_CONNECTIONS * SCALE);
  const startsAtMs = await findMidnight(sql);
  await stopClock(sql, startsAtMs);
  console.log(
    `\nA day of ${plan.standsFor} connections at ${plan.registrations.length} registrations, ${plan.connections} of them in the tables`,
  );
  await fillDay(sql, plan, (line) => console.log(`  ${line}`));
  printHead();
  const figures = await simulateDay(sql, plan, {
    startsAtMs,
    hours: DAY_HOURS,
    untilMs: performance.now() + WITHIN_MINUTES * 60_000,
    say: printHour,
  });
  printRegistrations(figures);
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(
    FILE,
    `${JSON.stringify({ machine: describeMachine(), connections: plan.connections, ...figures }, null, 2)}\n`,
  );

  for (const provider of PROVIDER_NAMES) {
    const rate = plan.callsPerSecond[provider];
    expect(figures.mostCallsAMinute[provider]).toBeLessThanOrEqual(rate * 61);
    // All refreshes of a platform share half of its rate; what one hour leaves in flight, the next one ends.
    for (const { refreshesPerSecond } of figures.hours)
      expect(refreshesPerSecond[provider]).toBeLessThanOrEqual((rate / 2) * 1.1);
  }
  expect(figures.forgotten).toMatchObject({ upkeep: 0, refreshes: 0 });
  for (const { retentionLateMinutes } of figures.hours) expect(retentionLateMinutes).toBeLessThanOrEqual(15);
  for (const { name, units, refreshUnits, refreshPercent, unitsLeft, latestUpkeepMinutes } of figures.registrations) {
    if (units === null) expect(latestUpkeepMinutes, name).toBeLessThanOrEqual(60);
    else {
      expect(unitsLeft, name).toBeGreaterThanOrEqual(0);
      expect(refreshUnits, name).toBeLessThanOrEqual((units * refreshPercent) / 100);
    }
  }
});
