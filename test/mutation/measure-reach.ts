import { createHash } from 'node:crypto';
import path from 'node:path';
import { readReach } from '../kit/reach.ts';
import type { Reach, ReachByTest } from './find-tests.ts';
import { instrument } from './instrument.ts';
import { type Reached, readJson, type TestRunner, writeJson } from './test-runner.ts';
import { PLACE, type Tree } from './tree.ts';

const TESTS =
  'activities api cli conformance domain identity journal outbox store temporal vault webhooks worker workflows'.split(
    ' ',
  );
/** Fill whole databases, run other processes, or look at nothing that a mutant changes. */
const LEFT_OUT = /^test\/(store\/(fill|plans|migrate|releases)|conformance\/(service|report)|worker\/full-speed)/;
const STARTS_PROGRAMS = /\/(built|processes)\.ts'/;
/** Starts a program in one of its tests only. */
const IN_PROCESS = 'test/cli/import-connections.test.ts';
/** Another number has all tests measured again. */
const METHOD = '3';
/** The number of test files measured at a time. */
const BATCH = 5;

export const hash = (...parts: readonly string[]) =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

/**
 * The tests that count, of the service in the test's process; the quickest first, as the last `npm test` recorded.
 * @param below folders or files; by default those of the service
 * @param mostMs leaves out longer files; those that it does not know are short
 */
export function listTests(tree: Tree, below: readonly string[], mostMs: number): string[] {
  const known = new Map(readReach().map(({ test, ms }) => [test, ms]));
  const msOf = (file: string) => known.get(file) ?? 0;
  return tree
    .list(...(below.length > 0 ? below : TESTS.map((folder) => `test/${folder}`)))
    .filter(
      (file) =>
        file.endsWith('.test.ts') &&
        !LEFT_OUT.test(file) &&
        (file === IN_PROCESS || !STARTS_PROGRAMS.test(tree.read(file))),
    )
    .filter((file) => msOf(file) <= mostMs)
    .sort((a, b) => msOf(a) - msOf(b));
}

/**
 * Runs the tests that changed since their last run here over instrumented sources. Leaves out a test that fails without
 * a mutant, because it would kill every mutant.
 */
export async function measureReach(
  tree: Tree,
  runner: TestRunner,
  testFiles: readonly string[],
  deadline: number,
): Promise<ReachByTest> {
  const kept = path.join(PLACE, 'reach.json');
  const known = readJson<Record<string, Reach>>(kept, {});
  const versionOf = (file: string) => hash(METHOD, tree.read(file));
  const isKnown = (file: string) => known[file]?.version === versionOf(file);
  const sources = testFiles.every(isKnown) ? [] : tree.list('src');
  for (const file of sources) tree.write(file, instrument(tree.read(file), file));
  await runner.reload(sources);
  for (let left = testFiles.filter((file) => !isKnown(file)); left.length > 0 && Date.now() < deadline; ) {
    const batch = left.slice(0, BATCH).map((file) => ({ file }));
    const { failure, passedInMs } = await runner.run(batch, { limitMs: 20 * 60_000 });
    const reached = runner.reached();
    for (const [file, durationMs] of passedInMs) {
      const { atLoad, outside, tests } = reached.get(file) ?? NOTHING;
      known[file] = { version: versionOf(file), durationMs, atLoad, outside, tests };
    }
    const failed = failure && (failure.file ?? left[0]);
    if (failed !== undefined) {
      console.log(`left out: without a mutant, ${failed} fails: ${failure?.text}`);
      known[failed] = { version: versionOf(failed), durationMs: 0, ...NOTHING };
      await runner.reload();
    } else for (const { file } of batch) known[file] ??= { version: versionOf(file), durationMs: 0, ...NOTHING }; // All skipped.
    const passed = Object.entries(known).filter(([, { durationMs }]) => durationMs > 0); // The next run tries the others again.
    writeJson(kept, { ...readJson<Record<string, Reach>>(kept, {}), ...Object.fromEntries(passed) }); // Perhaps another run measures too.
    left = left.filter((file) => !isKnown(file));
    console.log(`measured ${testFiles.length - left.length} of ${testFiles.length} test files`);
  }
  for (const file of sources) tree.restore(file);
  await runner.reload(sources);
  return Object.fromEntries(testFiles.filter(isKnown).map((file) => [file, known[file] as Reach]));
}

const NOTHING: Reached = { atLoad: [], outside: [], tests: {} };
