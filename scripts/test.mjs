// `npm test`: builds, runs every test and ends with the line `tests: N passed, N failed`. It passes arguments after `--`
// to vitest: a path to run some tests, `-t` and a name to run one. `npm test -- --changed` runs the tests of what changed.
import { accessSync, constants, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.mjs';

const REPORT = path.join(ROOT, '.cache', `test-report-${process.pid}.json`);
/** The first one has no window, and costs half. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
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

/** The tests also use promtool from the same folder. */
const findPrometheus = () => process.env.PROMETHEUS_PATH || onPath('prometheus').find(isExecutable);

/** A file that fails to load and an aborted run contain no failed test, so each counts as one failure. */
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

const args = process.argv.slice(2);
if (args.includes('--changed')) {
  const { runnerImport } = await import('vite');
  await import('./codegen.mjs');
  const { module } = await runnerImport(path.join(ROOT, 'test', 'changed', 'main.ts'), {
    root: ROOT,
    configFile: false,
  });
  process.exit(await module.main(args, run));
}

/** The counts for the last line. Without a report, the run itself failed. */
let result = { passed: 0, failed: 1 };
process.once('exit', () => {
  const { passed, failed } = result;
  if (passed === 0 || failed > 0) process.exitCode = 1;
  console.log(`tests: ${passed} passed, ${failed} failed`);
});

await import('./build.mjs');
process.env.BUILT_FOR_TESTS = 'yes';
if (args.length === 0) process.env.RECORD_REACH = 'yes';

const browser = findBrowser();
if (browser === undefined && args.length === 0) {
  console.error(
    'The tests need Chromium. Install it (Debian: "apt-get install chromium-headless-shell"; Ubuntu: "chromium"; macOS: ' +
      '"brew install --cask chromium"), or set CHROMIUM_PATH to a Chrome or Chromium.',
  );
  process.exit(1);
}
const prometheus = findPrometheus();
if (prometheus === undefined && args.length === 0) {
  console.warn(
    'Prometheus is missing, so this run does NOT check the alert rules and the dashboard. To check them, install it ' +
      '(Debian, Ubuntu: "apt-get install --no-install-recommends prometheus"; macOS: "brew install prometheus"), or set ' +
      'PROMETHEUS_PATH to a Prometheus with promtool in the same folder.',
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
