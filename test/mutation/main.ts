import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { applyMutation, functionsOf, instrument, type Mutant, mutantsOf } from './code-mutators.ts';
import { readJson, TestRunner, writeJson } from './test-runner.ts';
import { PLACE, Tree } from './tree.ts';

/** The tests of a layer, if they are not in the folder of the same name. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [
    'test/domain',
    'test/activities',
    'test/api/resolvers',
    'test/api/connect',
    'test/api/platform',
    'test/api/admin',
  ],
  'src/store': [
    'test/store',
    'test/outbox',
    'test/activities',
    'test/api/resolvers',
    'test/api/connect',
    'test/api/platform',
    'test/api/admin',
  ],
};
const GOAL = 0.85;
const GRACE_MS = 60_000;
/** The number of test files measured at a time. */
const BATCH = 10;

interface Placed extends Mutant {
  readonly file: string;
}

type Status = 'killed' | 'timed out' | 'survived' | 'not reached';
interface Result {
  readonly status: Status;
  readonly by?: string | undefined;
  /** The hash of the tests that it survived. */
  readonly tests?: string;
}

/** The functions that one test file reached when it ran alone, without a mutant. */
interface Reach {
  readonly version: string;
  readonly durationMs: number;
  /** Ids of functions. */
  readonly functions: readonly string[];
}
type ReachByTest = Readonly<Record<string, Reach>>;

const hash = (...parts: readonly string[]) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

export async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '120' },
      list: { type: 'boolean', default: false },
    },
  });
  if (positionals.length === 0) throw new Error('Name a folder or files: npm run mutation -- src/domain');
  const tree = new Tree();
  try {
    const all = tree
      .list(...positionals)
      .flatMap((file) => mutantsOf(tree.read(file), file).map((mutant) => ({ ...mutant, file })));
    const mutants = takeSample(all, values.seed, Number(values.sample ?? all.length));
    console.log(`${mutants.length} of ${all.length} mutants, seed ${values.seed}`);
    if (values.list) for (const mutant of mutants) console.log(describe(mutant, tree));
    else await runAll(tree, mutants, Date.now() + Number(values.minutes) * 60_000);
  } finally {
    tree.remove();
  }
}

/** The sample depends on the seed and on each mutant, so it stays mostly the same when other mutants change. */
export function takeSample<T extends { readonly id: string }>(mutants: readonly T[], seed: string, size: number): T[] {
  const taken = [...mutants].sort((a, b) => (hash(seed, a.id) < hash(seed, b.id) ? -1 : 1)).slice(0, size);
  return mutants.filter((mutant) => taken.includes(mutant));
}

async function runAll(tree: Tree, mutants: readonly Placed[], deadline: number): Promise<void> {
  const results: Record<string, Result> = {};
  const runner = await TestRunner.start(tree);
  try {
    const layers = new Set(mutants.map(({ file }) => file.split('/').slice(0, 2).join('/')));
    const killers = new Map<string, string>();
    for (const layer of layers) {
      const resultsFile = path.join(PLACE, `results-${path.basename(layer)}.json`);
      const known = readJson<Record<string, Result>>(resultsFile, {});
      Object.assign(results, known);
      const testFiles = tree
        .list(...(TESTS[layer] ?? [layer.replace(/^src/, 'test')]))
        .filter((file) => file.endsWith('.test.ts'));
      const reach = await measureReach(tree, runner, testFiles, deadline);
      for (const mutant of mutants.filter(({ file }) => file.startsWith(`${layer}/`))) {
        const place = `${mutant.file}:${mutant.functionId}`;
        const tests = testsOf(mutant, reach, tree);
        const version = hash(...tests.map((file) => tree.read(file)));
        if (isSettled(known[mutant.id], version)) continue;
        if (Date.now() > deadline) continue;
        const startedAt = Date.now();
        const ordered = order(tests, mutant, killers.get(place), reach);
        let result = await runOne(tree, runner, mutant, ordered, reach);
        if (result.status === 'timed out') result = await runOne(tree, runner, mutant, ordered, reach); // Perhaps the machine was busy.
        known[mutant.id] = { ...result, tests: version };
        Object.assign(results, known);
        if (result.by !== undefined) killers.set(place, result.by.split(': ')[0] ?? '');
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
        console.log(`${result.status.padEnd(11)} ${describe(mutant, tree)}  ${result.by ?? ''} (${seconds} s)`);
        writeJson(resultsFile, known);
      }
    }
  } finally {
    await runner.close();
  }
  report(tree, mutants, results);
}

/** A killed mutant stays killed; another is tried again after its tests change. */
const isSettled = (result: Result | undefined, tests: string): boolean =>
  result?.status === 'killed' || result?.tests === tests;

/** The test that killed the last mutant of the function, then tests named after the file, then the fastest. */
function order(tests: readonly string[], { file }: Placed, killer: string | undefined, reach: ReachByTest): string[] {
  const name = path.basename(file, '.ts');
  const rank = (test: string) => (test === killer ? 0 : path.basename(test).startsWith(name) ? 1 : 2);
  const durationOf = (test: string) => reach[test]?.durationMs ?? 0;
  return [...tests].sort((a, b) => rank(a) - rank(b) || durationOf(a) - durationOf(b));
}

/**
 * Tests that reach the function. For a constant of a module, and for a function that changed after the tests were
 * measured: tests that reach the module or one that imports it.
 */
function testsOf({ file, functionId }: Placed, reach: ReachByTest, tree: Tree): string[] {
  const reaching = (ids: readonly string[]) =>
    Object.keys(reach).filter((test) => reach[test]?.functions.some((id) => ids.includes(id)));
  const direct = functionId === undefined ? [] : reaching([functionId]);
  if (direct.length > 0) return direct;
  return reaching([file, ...tree.importersOf(file)].flatMap((module) => functionsOf(tree.read(module), module)));
}

async function runOne(
  tree: Tree,
  runner: TestRunner,
  mutant: Placed,
  tests: readonly string[],
  reach: ReachByTest,
): Promise<Result> {
  if (tests.length === 0) return { status: 'not reached' };
  tree.write(mutant.file, applyMutation(tree.read(mutant.file), mutant));
  const usualMs = tests.reduce((sum, file) => sum + (reach[file]?.durationMs ?? 0) + 2_000, 0);
  const { failure, timedOut } = await runner.run(tests, { changed: [mutant.file], limitMs: 5 * usualMs + GRACE_MS });
  tree.restore(mutant.file);
  runner.invalidate([mutant.file]); // Otherwise the next mutant of another file runs together with this one.
  if (timedOut) return { status: 'timed out' };
  if (failure === undefined) return { status: 'survived' };
  return { status: failure.isPatience ? 'timed out' : 'killed', by: `${failure.file}: ${failure.text}` };
}

/**
 * Runs the tests that changed since their last run here over instrumented sources. Leaves out a test that fails without
 * a mutant, because it would kill every mutant.
 */
async function measureReach(
  tree: Tree,
  runner: TestRunner,
  testFiles: readonly string[],
  deadline: number,
): Promise<ReachByTest> {
  const kept = path.join(PLACE, 'reach.json');
  const known = readJson<Record<string, Reach>>(kept, {});
  const versionOf = (file: string) => hash(tree.read(file));
  const isKnown = (file: string) => known[file]?.version === versionOf(file);
  const sources = testFiles.every(isKnown) ? [] : tree.list('src').filter((file) => !file.startsWith('src/console/'));
  for (const file of sources) tree.write(file, instrument(tree.read(file), file));
  runner.invalidate(sources);
  for (let left = testFiles.filter((file) => !isKnown(file)); left.length > 0 && Date.now() < deadline; ) {
    const { failure, passedInMs } = await runner.run(left.slice(0, BATCH), { limitMs: 20 * 60_000 });
    const reached = runner.reached();
    for (const [file, durationMs] of passedInMs) {
      known[file] = { version: versionOf(file), durationMs, functions: reached.get(file) ?? [] };
    }
    const failed = failure && (failure.file ?? left[0]);
    if (failed !== undefined) {
      console.log(`left out: without a mutant, ${failed} fails: ${failure?.text}`);
      known[failed] = { version: versionOf(failed), durationMs: 0, functions: [] };
    }
    writeJson(kept, { ...readJson<Record<string, Reach>>(kept, {}), ...known }); // Another run may have measured another folder.
    left = left.filter((file) => !isKnown(file));
  }
  for (const file of sources) tree.restore(file);
  runner.invalidate(sources);
  return Object.fromEntries(testFiles.filter(isKnown).map((file) => [file, known[file] as Reach]));
}

function describe(mutant: Placed, tree: Tree): string {
  const before = tree.read(mutant.file).slice(mutant.start, mutant.end).replace(/\s+/g, ' ');
  return `${mutant.id} ${mutant.file}:${mutant.line} ${mutant.kind}: ${before} -> ${mutant.replacement.replace(/\s+/g, ' ')}`;
}

function report(tree: Tree, mutants: readonly Placed[], results: Readonly<Record<string, Result>>): void {
  const by = (status: Status | undefined) => mutants.filter(({ id }) => results[id]?.status === status);
  for (const status of ['survived', 'not reached'] as const) {
    for (const mutant of by(status)) console.log(`${status.padEnd(11)} ${describe(mutant, tree)}`);
  }
  const killed = by('killed').length + by('timed out').length;
  const tried = mutants.length - by(undefined).length;
  const share = killed / Math.max(1, tried);
  console.log(
    `tried ${tried} of ${mutants.length}: killed ${by('killed').length}, timed out ${by('timed out').length}, survived ` +
      `${by('survived').length}, not reached ${by('not reached').length}: ${(share * 100).toFixed(1)} % killed`,
  );
  if (share < GOAL) process.exitCode = 1;
}
