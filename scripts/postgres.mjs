// `npm run test:postgres`: the tests that use Postgres in each Postgres version that works; in the newest also dumps and upgrades of
// the older ones. `-- 16`: only this version; a path or other arguments of vitest may follow. Needs Linux on x64, Python's pip, and
// the network for the first run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installPostgres, installWhole, POSTGRES, TOO_OLD } from './postgres-versions.mjs';
import { ROOT, run } from './run.mjs';

const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const MAJORS = Object.keys(POSTGRES);
const args = process.argv.slice(2);
const asked = args[0] in POSTGRES ? [args.shift()] : MAJORS;
const REPORT = path.join(ROOT, '.cache', `postgres-report-${process.pid}.json`);

await import('./build.mjs');
const versions = asked.flatMap((major) => POSTGRES[major].version ?? []);
const [tooOld, ...folders] = installPostgres([TOO_OLD, ...versions]);

/** The facts that the tests of a version get. */
function environmentOf(major) {
  const { version, locale = '' } = POSTGRES[major];
  const whole = major === MAJORS.at(-1) ? MAJORS.map((each) => [each, installWhole(each)]) : [];
  return {
    BUILT_FOR_TESTS: 'yes',
    POSTGRES_PACKAGE: version === undefined ? '' : folders[versions.indexOf(version)],
    POSTGRES_LOCALE: locale,
    POSTGRES_TOO_OLD: tooOld,
    POSTGRES_WHOLE: JSON.stringify(Object.fromEntries(whole)),
  };
}

const rows = [];
for (const major of asked) {
  const startedAt = performance.now();
  const options = ['--project=services', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const code = await run(process.execPath, [VITEST, 'run', ...options, ...args], environmentOf(major));
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(REPORT, 'utf8'));
  const minutes = Math.round((performance.now() - startedAt) / 6_000) / 10;
  rows.push({ Postgres: POSTGRES[major].version ?? `${major}, as in package.json`, passed, failed, minutes });
  if (code !== 0) process.exitCode = 1;
}
console.table(rows);
