import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  applyMutation,
  embed,
  findUsers,
  functionsOf,
  instrument,
  type Mutant,
  mutantsOf,
  namesAt,
} from './code-mutators.ts';
import { type Reached, readJson, type Selection, TestRunner, writeJson } from './test-runner.ts';
import { PLACE, Tree } from './tree.ts';

/** The tests of a layer, if they are not in the folder of the same name. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/temporal': ['test/temporal', 'test/outbox', 'test/activities'],
  'src/workflows': ['test/workflows', 'test/outbox'],
  'src/activities': ['test/activities', 'test/api/platform-callbacks', 'test/cli', 'test/worker'],
  'src/domain': [
    'test/domain',
    'test/activities',
    'test/api/resolvers',
    'test/api/connect',
    'test/api/platform-callbacks',
    'test/api/admin',
    'test/cli',
    'test/store',
  ],
  'src/store': [
    'test/store',
    'test/outbox',
    'test/activities',
    'test/api/resolvers',
    'test/api/connect',
    'test/api/platform-callbacks',
    'test/api/admin',
    'test/cli',
  ],
};
const GOAL = 0.85;
const GRACE_MS = 60_000;
/** Fill whole databases to measure plans: too slow for what they could notice besides. */
const LEFT_OUT = /^test\/store\/(fill|plans)/;
/** The number of test files measured at a time. */
const BATCH = 5;

interface Placed extends Mutant {
  readonly file: string;
}

type Status = 'killed' | 'timed out' | 'survived' | 'not reached';
interface Result {
  readonly status: Status;
  readonly by?: string | undefined;
  /** The number of tests that reach a survivor but exceed the budget, and that budget. */
  readonly untried?: number;
  readonly budgetMs?: number;
  /** The hash of the tests that it survived. */
  readonly version?: string;
}

/** What one test file reached when it ran alone, without a mutant. */
interface Reach extends Reached {
  readonly version: string;
  readonly durationMs: number;
}
type ReachByTest = Readonly<Record<string, Reach>>;

/** The tests of a file that reach a mutant. */
interface Candidate extends Selection {
  readonly ms: number;
}

const hash = (...parts: readonly string[]) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

export async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '120' },
      budget: { type: 'string', default: '30' },
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
    else {
      const deadline = Date.now() + Number(values.minutes) * 60_000;
      await runAll(tree, mutants, { deadline, budgetMs: Number(values.budget) * 1000 });
    }
  } finally {
    tree.remove();
  }
}

/**
 * The sample depends on the seed and on each mutant, so it stays mostly the same when other mutants change. A smaller
 * sample is the beginning of a larger one.
 */
export function takeSample<T extends { readonly id: string }>(mutants: readonly T[], seed: string, size: number): T[] {
  return [...mutants].sort((a, b) => (hash(seed, a.id) < hash(seed, b.id) ? -1 : 1)).slice(0, size);
}

interface Limits {
  readonly deadline: number;
  /** The estimated duration of the tests that are tried for one mutant. */
  readonly budgetMs: number;
}

async function runAll(tree: Tree, mutants: readonly Placed[], { deadline, budgetMs }: Limits): Promise<void> {
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
        .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file));
      const reach = await measureReach(tree, runner, testFiles, deadline);
      const ofLayer = mutants.filter(({ file }) => file.startsWith(`${layer}/`));
      const bench = await Bench.open(tree, runner, ofLayer, reach);
      for (const mutant of ofLayer) {
        if (Date.now() > deadline) continue;
        const place = `${mutant.file}:${mutant.functionId}`;
        const candidates = findTests(mutant, reach, tree);
        const version = hash(...candidates.map(({ file }) => tree.read(file)));
        if (isSettled(known[mutant.id], version, budgetMs)) continue;
        const startedAt = Date.now();
        const tests = takeWithin(budgetMs, order(candidates, mutant, killers.get(place), tree));
        let result = await bench.tryMutant(mutant, tests);
        if (result.status === 'timed out') result = await bench.tryMutant(mutant, tests); // Perhaps the machine was busy.
        if (result.status === 'survived')
          result = { ...result, untried: countTests(candidates, reach) - countTests(tests, reach) };
        known[mutant.id] = { ...result, version, budgetMs };
        Object.assign(results, known);
        if (result.by !== undefined) killers.set(place, result.by.split(': ')[0] ?? '');
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
        console.log(`${result.status.padEnd(11)} ${describe(mutant, tree)}  ${result.by ?? ''} (${seconds} s)`);
        writeJson(resultsFile, known);
      }
      await bench.close();
    }
  } finally {
    await runner.close();
  }
  report(tree, mutants, results);
}

/** A killed mutant stays killed; another is tried again after its tests change, and with a larger budget. */
const isSettled = (result: Result | undefined, version: string, budgetMs: number): boolean =>
  result?.status === 'killed' ||
  (result?.version === version && ((result.untried ?? 0) === 0 || (result.budgetMs ?? 0) >= budgetMs));

/** The test that killed the last mutant of the function, tests named after the file, tests that import it, the fastest. */
function order(
  candidates: readonly Candidate[],
  { file }: Placed,
  killer: string | undefined,
  tree: Tree,
): Candidate[] {
  const name = path.basename(file, '.ts');
  const rank = (test: string) => {
    if (test === killer) return 0;
    if (path.basename(test).startsWith(name)) return 1;
    return tree.read(test).includes(`${file}'`) ? 2 : 3;
  };
  return [...candidates].sort((a, b) => rank(a.file) - rank(b.file) || a.ms - b.ms);
}

function takeWithin(budgetMs: number, candidates: readonly Candidate[]): Candidate[] {
  let spentMs = 0;
  return candidates.filter(({ ms }, index) => {
    spentMs += ms;
    return index === 0 || spentMs <= budgetMs;
  });
}

const countTests = (candidates: readonly Candidate[], reach: ReachByTest): number =>
  candidates.reduce((sum, { file, tests }) => sum + (tests ?? Object.keys(reach[file]?.tests ?? {})).length, 0);

/**
 * The tests that reach the mutant. For a constant, and for a function that makes one while its module is loaded: those
 * that reach a function that uses it. For what is left: those that reach any function of the module or of one that
 * imports it.
 */
function findTests(mutant: Placed, reach: ReachByTest, tree: Tree): Candidate[] {
  const { file, functionId } = mutant;
  const isConstant = functionId === undefined || listAtLoad(reach).has(functionId);
  const reaching = (ids: readonly string[]) => {
    const wanted = new Set(ids);
    return Object.entries(reach).flatMap(([test, reached]) => findReaching(test, reached, wanted) ?? []);
  };
  const users = () => listUsers(file, namesAt(tree.read(file), mutant), tree);
  const direct = reaching([functionId ?? [], isConstant ? users() : []].flat());
  // A test can also read a constant itself.
  const readers = isConstant ? tree.importersOf(file, 'test') : [];
  const whole = readers.flatMap((test) => (reach[test] ? [{ file: test, ms: reach[test].durationMs }] : []));
  const found = [...whole, ...direct.filter((candidate) => !readers.includes(candidate.file))];
  if (found.length > 0) return found;
  return reaching([file, ...tree.importersOf(file)].flatMap((module) => functionsOf(tree.read(module), module)));
}

/** The functions that use what these names of a module make, there and in the modules that import it, also indirectly. */
export function listUsers(
  module: string,
  names: readonly string[],
  tree: Pick<Tree, 'read' | 'importersOf'>,
): string[] {
  const { functionIds, names: known } = findUsers(tree.read(module), module, new Set(names));
  const found = new Set(functionIds);
  const seen = new Set<string>();
  const follow = (from: string, made: readonly string[]) => {
    for (const importer of tree.importersOf(from)) {
      const users = findUsers(tree.read(importer), importer, new Set(made));
      for (const id of users.functionIds) found.add(id);
      const more = users.names.filter((name) => !made.includes(name) && !seen.has(`${importer} ${name}`));
      for (const name of more) seen.add(`${importer} ${name}`);
      if (more.length > 0) follow(importer, more);
    }
  };
  follow(module, known);
  return [...found];
}

/** The functions that run while modules are loaded. */
const listAtLoad = (reach: ReachByTest) => new Set(Object.values(reach).flatMap(({ atLoad }) => atLoad));

/**
 * All tests of a file, if one of the functions runs outside its tests or only in its first test: there it probably
 * prepares the others.
 */
function findReaching(file: string, reach: Reach, ids: ReadonlySet<string>): Candidate | undefined {
  const hasAny = (functions: readonly string[]) => functions.some((id) => ids.has(id));
  const all = Object.entries(reach.tests);
  const names = all.filter(([, { functions }]) => hasAny(functions)).map(([name]) => name);
  if (hasAny(reach.outside) || (names.length === 1 && names[0] === all[0]?.[0])) return { file, ms: reach.durationMs };
  if (names.length === 0) return undefined;
  const [inAll, inThese] = [all, names.map((name) => [name, reach.tests[name]] as const)].map((tests) =>
    tests.reduce((sum, [, test]) => sum + (test?.ms ?? 0), 0),
  );
  return { file, tests: names, ms: Math.max(0, reach.durationMs - (inAll ?? 0)) + (inThese ?? 0) };
}

/** The tree with the mutants of a layer built in. */
class Bench {
  readonly #tree: Tree;
  readonly #runner: TestRunner;
  readonly #reach: ReachByTest;
  readonly #sources: ReadonlyMap<string, string>;
  readonly #embedded: ReadonlySet<string>;

  private constructor(
    tree: Tree,
    runner: TestRunner,
    reach: ReachByTest,
    sources: ReadonlyMap<string, string>,
    embedded: ReadonlySet<string>,
  ) {
    this.#tree = tree;
    this.#runner = runner;
    this.#reach = reach;
    this.#sources = sources;
    this.#embedded = embedded;
  }

  static async open(tree: Tree, runner: TestRunner, mutants: readonly Placed[], reach: ReachByTest): Promise<Bench> {
    const atLoad = listAtLoad(reach);
    const switchable = mutants.filter(({ functionId }) => functionId !== undefined && !atLoad.has(functionId));
    const sources = new Map<string, string>();
    const embedded = new Set<string>();
    for (const file of new Set(switchable.map((mutant) => mutant.file))) {
      const { source, ids } = embed(
        tree.read(file),
        file,
        switchable.filter((mutant) => mutant.file === file),
      );
      sources.set(file, source);
      tree.write(file, source);
      for (const id of ids) embedded.add(id);
    }
    await runner.reload([...sources.keys()]);
    return new Bench(tree, runner, reach, sources, embedded);
  }

  async close(): Promise<void> {
    for (const file of this.#sources.keys()) this.#tree.restore(file);
    await this.#runner.reload([...this.#sources.keys()]);
  }

  /** A test kills a mutant if it fails with it, and passes right afterwards without it. */
  async tryMutant(mutant: Placed, tests: readonly Candidate[]): Promise<Result> {
    if (tests.length === 0) return { status: 'not reached' };
    for (let left = tests; left.length > 0; ) {
      const { failure, timedOut } = await this.#run(left, mutant);
      if (timedOut) {
        await this.#runner.reload();
        return { status: 'timed out' };
      }
      if (failure === undefined) return { status: 'survived' };
      const at = Math.max(
        0,
        left.findIndex(({ file }) => file === failure.file),
      );
      const killer = left[at] as Candidate;
      if (failure.isPatience) await this.#runner.reload(); // What still waits would hold up the next run too.
      const without = await this.#run([this.#cutAfter(failure.text, killer)]);
      if (without.failure === undefined && !without.timedOut) {
        return { status: failure.isPatience ? 'timed out' : 'killed', by: `${killer.file}: ${failure.text}` };
      }
      console.log(`fails without a mutant too: ${killer.file}: ${failure.text}`);
      await this.#runner.reload();
      // Perhaps the test needs those before it.
      const whole = killer.tests ? [{ file: killer.file, ms: this.#reach[killer.file]?.durationMs ?? 0 }] : [];
      left = [...whole, ...left.slice(at + 1)];
    }
    return { status: 'survived' };
  }

  async #run(tests: readonly Candidate[], mutant?: Placed) {
    const limitMs = 5 * tests.reduce((sum, { ms }) => sum + ms + 2_000, 0) + GRACE_MS;
    if (mutant === undefined) return await this.#runner.run(tests, { limitMs });
    if (this.#embedded.has(mutant.id)) return await this.#runner.run(tests, { active: mutant.id, limitMs });
    const { file } = mutant;
    this.#tree.write(file, applyMutation(this.#tree.read(file), mutant));
    await this.#runner.reload([file]);
    const run = await this.#runner.run(tests, { limitMs });
    this.#tree.write(file, this.#sources.get(file) ?? this.#tree.read(file));
    await this.#runner.reload([file]);
    return run;
  }

  /** The tests of a file up to the one that failed. */
  #cutAfter(failed: string, { file, tests, ms }: Candidate): Candidate {
    const names = tests ?? Object.keys(this.#reach[file]?.tests ?? {});
    const at = names.indexOf(failed.replaceAll(' > ', ' '));
    return at < 0 ? { file, ms, ...(tests && { tests }) } : { file, ms, tests: names.slice(0, at + 1) };
  }
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
    }
    writeJson(kept, { ...readJson<Record<string, Reach>>(kept, {}), ...known }); // Another run may have measured another folder.
    left = left.filter((file) => !isKnown(file));
    console.log(`measured ${testFiles.length - left.length} of ${testFiles.length} test files`);
  }
  for (const file of sources) tree.restore(file);
  await runner.reload(sources);
  return Object.fromEntries(testFiles.filter(isKnown).map((file) => [file, known[file] as Reach]));
}

const NOTHING: Reached = { atLoad: [], outside: [], tests: {} };

function describe(mutant: Placed, tree: Tree): string {
  const before = tree.read(mutant.file).slice(mutant.start, mutant.end).replace(/\s+/g, ' ');
  return `${mutant.id} ${mutant.file}:${mutant.line} ${mutant.kind}: ${before} -> ${mutant.replacement.replace(/\s+/g, ' ')}`;
}

function report(tree: Tree, mutants: readonly Placed[], results: Readonly<Record<string, Result>>): void {
  const by = (status: Status | undefined) => mutants.filter(({ id }) => results[id]?.status === status);
  for (const status of ['survived', 'not reached'] as const) {
    for (const mutant of by(status)) {
      const untried = results[mutant.id]?.untried ?? 0;
      const more = untried > 0 ? ` (${untried} tests over the budget)` : '';
      console.log(`${status.padEnd(11)} ${describe(mutant, tree)}${more}`);
    }
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
