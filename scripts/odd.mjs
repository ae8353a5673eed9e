// `npm run test:odd -- [--mode MODE …] [--seed N] [PATH …]`: runs tests under conditions that must not matter to them, and ends with
// a line for each. Without a mode it runs all, without a path those that need no processes of their own.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.mjs';

const PATHS = [
  'test/store',
  'test/activities',
  'test/outbox',
  'test/journal',
  'test/api',
  'test/providers',
  'test/domain',
];
/** Their subject is the plan, or how long something takes. */
const ABOUT_PLANS = ['test/store/plans.test.ts', 'test/store/gauges.test.ts'];
const PLANNER = ['seqscan', 'indexscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'nestloop', 'sort'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

/** Node and Postgres with a clock that is a minute before this instant when the tests start. */
const faketime = (instant) => {
  const seconds = Math.round((Date.parse(instant) - Date.now()) / 1000) - 60;
  return ['faketime', '-f', `+${seconds}s`, process.execPath];
};
/** With a clock of their own, Postgres's time limits never end, and files have the time of the machine. */
const ABOUT_LIMITS = ['test/store/migrate.test.ts', 'test/journal/directory.test.ts'];
/** @type {(instant: string) => { env: Record<string, string>, program: string[] }} */
const startingBefore = (instant) => ({
  env: { FAKETIME_DONT_FAKE_MONOTONIC: '1', LEFT_OUT: ABOUT_LIMITS.join(' ') },
  get program() {
    return faketime(instant); // When its turn comes.
  },
});
/** @type {Record<string, { env?: Record<string, string>, program?: string[] }>} */
const MODES = {
  shuffle: { env: { SHUFFLE_SEED: values.seed } },
  ...Object.fromEntries(
    PLANNER.map((node) => [
      `no-${node}`,
      {
        env: {
          TEST_POSTGRES_SETTINGS: `enable_${node}=off${node === 'sort' ? ',enable_incremental_sort=off' : ''}`,
          LEFT_OUT: ABOUT_PLANS.join(' '),
        },
      },
    ]),
  ),
  east: { env: { TZ: 'Pacific/Chatham' } }, // 12:45 or 13:45 ahead.
  west: { env: { TZ: 'America/St_Johns' } }, // 3:30 or 2:30 behind.
  midnight: startingBefore('2028-01-01T00:00:00Z'),
  'leap-day': startingBefore('2028-02-29T00:00:00Z'),
  'one-core': { program: ['taskset', '--cpu-list', '0', process.execPath] },
};

const chosen = values.mode ?? Object.keys(MODES);
const unknown = chosen.find((mode) => MODES[mode] === undefined);
if (unknown !== undefined) {
  console.error(`There is no mode ${unknown}. The modes are ${Object.keys(MODES).join(', ')}.`);
  process.exit(2);
}

await import('./build.mjs');
process.env.BUILT_FOR_TESTS = 'yes';
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const results = [];
for (const mode of chosen) {
  const { env = {}, program: [program, ...before] = [process.execPath] } = MODES[mode] ?? {};
  console.log(`\n${mode}${mode === 'shuffle' ? ` with the seed ${values.seed}` : ''}`);
  const startedAt = Date.now();
  const tests = positionals.length > 0 ? positionals : PATHS;
  const code = await run(program, [...before, vitest, 'run', ...tests], env);
  results.push({ mode, passed: code === 0, seconds: Math.round((Date.now() - startedAt) / 1000) });
}
console.log();
for (const { mode, passed, seconds } of results) console.log(`${passed ? 'ok  ' : 'FAIL'}  ${mode} (${seconds} s)`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
