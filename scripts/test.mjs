// `npm test`: builds, runs every test and ends with the line `tests: N passed, N failed`. What follows `--` goes to
// vitest: a path to run some of them, `-t` and a name to run one.
import { accessSync, constants, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.mjs';

const REPORT = path.join(ROOT, '.cache', `test-report-${process.pid}.json`);
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_BROWSERS = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const onPath = (name) => (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));

const findBrowser = () =>
  process.env.CHROMIUM_PATH || [...BROWSERS.flatMap(onPath), ...MAC_BROWSERS].find(isExecutable);

/** It comes with promtool beside it. */
const findPrometheus = () => process.env.PROMETHEUS_PATH || onPath('prometheus').find(isExecutable);

/** A file that could not be loaded, and a run that broke off, have no failed test to show for it: they count as one. */
function count(exitCode) {
  let report;
  try {
    report = JSON.parse(readFileSync(REPORT, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numFailedTests + unloaded.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** What the last line says; until there is a report, that the run itself failed. */
let result = { passed: 0, failed: 1 };
process.once('exit', () => {
  const { passed, failed } = result;
  if (passed === 0 || failed > 0) process.exitCode = 1;
  console.log(`tests: ${passed} passed, ${failed} failed`);
});

await import('./build.mjs');

const args = process.argv.slice(2);
const browser = findBrowser();
if (browser === undefined && args.length === 0) {
  console.error(
    'No Chromium was found, which the tests drive. Install it (Debian, Ubuntu: "apt-get install chromium"; macOS: ' +
      '"brew install --cask chromium"), or set CHROMIUM_PATH to a Chrome or Chromium.',
  );
  process.exit(1);
}
const prometheus = findPrometheus();
if (prometheus === undefined && args.length === 0) {
  console.warn(
    'No Prometheus was found: the alert rules and the dashboard are NOT checked by this run. To have them checked, install ' +
      'it (Debian, Ubuntu: "apt-get install --no-install-recommends prometheus"; macOS: "brew install prometheus"), or ' +
      'set PROMETHEUS_PATH to one with promtool beside it.',
  );
}
if (browser !== undefined) process.env.CHROMIUM_PATH = browser;
if (prometheus !== undefined) process.env.PROMETHEUS_PATH = prometheus;
mkdirSync(path.dirname(REPORT), { recursive: true });
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
const code = await run(process.execPath, [vitest, 'run', ...reporters, ...args]);
result = count(code);
rmSync(REPORT, { force: true });
