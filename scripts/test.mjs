// `npm test`: builds, runs every test that judges a change, and ends with the line `tests: N passed, N failed, N skipped`. `npm run
// test:long` (`--long`) runs the tests that judge a release: CONTRIBUTING.md lists them. Other arguments after `--` go to vitest: a path
// to run some tests of either kind, `-t` and a name to run one. `npm test -- --changed` runs the tests of the changes.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.mjs';

const REPORT = path.join(ROOT, '.cache', `test-report-${process.pid}.json`);
const NOTHING = { passed: 0, failed: 1, skipped: 0 };

/** A file that fails to load and an aborted run contain no failed test, so each counts as one failure. */
function count(exitCode) {
  let report;
  try {
    report = JSON.parse(readFileSync(REPORT, 'utf8'));
  } catch {
    return NOTHING;
  }
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = report.numFailedTests + unloaded.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Loads a module of the tests, which are TypeScript. */
async function load(file) {
  const { runnerImport } = await import('vite');
  return (await runnerImport(path.join(ROOT, 'test', file), { root: ROOT, configFile: false })).module;
}

const args = process.argv.slice(2);
if (args.includes('--changed')) {
  await import('./codegen.mjs');
  const module = await load(path.join('changed', 'main.ts'));
  process.exit(await module.main(args, run));
}

/** The counts for the last line. Without a report, the run itself failed. */
let result = NOTHING;
process.once('exit', () => {
  const { passed, failed, skipped } = result;
  if (passed === 0 || failed > 0) process.exitCode = 1;
  console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
});

await import('./build.mjs');
process.env.BUILT_FOR_TESTS = 'yes';
const isLong = args[0] === '--long';
if (isLong) args.shift();
if (args.length === 0) {
  const { LONG_TESTS: long } = await load(path.join('kit', 'long-tests.ts'));
  if (isLong) args.push(...long);
  else {
    process.env.RECORD_REACH = 'yes';
    process.env.LEFT_OUT = [process.env.LEFT_OUT, ...long].filter(Boolean).join(' ');
  }
}
mkdirSync(path.dirname(REPORT), { recursive: true });
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
const code = await run(process.execPath, [vitest, 'run', ...reporters, ...args]);
result = count(code);
rmSync(REPORT, { force: true });
