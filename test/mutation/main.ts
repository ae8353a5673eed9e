import { parseArgs } from 'node:util';
import { matchAccepted, nameMutant, readAccepted } from './accepted.ts';
import { Bench, type Verdict } from './bench.ts';
import { mutantsOf } from './code-mutators.ts';
import {
  type Candidate,
  countTests,
  findTests,
  orderTests,
  type Placed,
  type ReachByTest,
  takeWithin,
} from './find-tests.ts';
import { hash, listTests, measureReach } from './measure-reach.ts';
import { report } from './report.ts';
import { folderOf, isKill, isSettled, type Result, Results } from './results.ts';
import { TestRunner } from './test-runner.ts';
import { Tree } from './tree.ts';

/** What `--all` takes, in this order. */
const ALL = [
  'src/store',
  'src/domain',
  'src/workflows',
  'src/api/inputs.ts',
  'src/api/cursors.ts',
  'src/api/graphql/guard.ts',
  'src/outbox',
  'src/activities',
];
/** The most mutants whose killers are tried together without a mutant. */
const PENDING = 20;

export async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      tests: { type: 'string', multiple: true },
      quick: { type: 'string' },
      measure: { type: 'string' },
      again: { type: 'boolean', default: false },
      kind: { type: 'string', default: '' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '120' },
      budget: { type: 'string', default: '5' },
      list: { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const places = values.all || (values.table && positionals.length === 0) ? ALL : positionals;
  if (places.length === 0) throw new Error('Name a folder or files, or all: npm run mutation -- src/domain');
  const tree = new Tree();
  try {
    const all = places
      .flatMap((place) => tree.list(place))
      .flatMap((file) => mutantsOf(tree.read(file), file).map((mutant) => ({ ...mutant, file })));
    const chosen = all.filter(({ kind }) => new RegExp(values.kind).test(kind));
    const mutants = values.sample === undefined ? chosen : takeSample(chosen, values.seed, Number(values.sample));
    console.log(`${mutants.length} of ${all.length} mutants`);
    const results = new Results();
    if (values.list) {
      for (const mutant of mutants)
        console.log(JSON.stringify({ id: mutant.id, ...nameMutant(mutant, tree.read(mutant.file)) }));
      return;
    }
    const accepted = matchAccepted(readAccepted(), all, (file) => tree.read(file));
    if (!values.table) {
      const runner = await TestRunner.start(tree);
      const run = new Run(tree, runner, results, {
        deadline: Date.now() + Number(values.minutes) * 60_000,
        budgetMs: Number(values.budget) * 1000,
        measureMs: Number(values.measure ?? Number.POSITIVE_INFINITY) * 60_000,
        isPart: [values.tests, values.quick, values.measure].some((value) => value !== undefined),
        tests: values.tests ?? [],
        mostMs: Number(values.quick ?? Number.POSITIVE_INFINITY) * 1000,
        accepted: accepted.ids,
      });
      try {
        // First what is new: each needs less time than what survived before.
        for (const kind of values.again ? (['again'] as const) : (['new', 'again'] as const)) {
          for (const folder of new Set(mutants.map(folderOf))) {
            await run.tryFolder(
              folder,
              mutants.filter((mutant) => folderOf(mutant) === folder),
              kind,
            );
          }
        }
      } finally {
        await runner.close();
      }
    }
    if (values.keep) results.keepKills(all);
    report(mutants, results, accepted, (mutant) => describe(mutant, tree));
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

interface Options {
  readonly deadline: number;
  /** The estimated duration of the tests that are tried for one mutant. */
  readonly budgetMs: number;
  /** How long to run tests that no earlier run has measured; what is left does not count. */
  readonly measureMs: number;
  /** Whether only a part of the tests that count run. */
  readonly isPart: boolean;
  /** The folders or files of the tests that count; all if there is none. */
  readonly tests: readonly string[];
  /** Of the test files that count. */
  readonly mostMs: number;
  readonly accepted: ReadonlySet<string>;
}

interface Pending {
  readonly mutant: Placed;
  readonly tests: readonly Candidate[];
  readonly verdict: Verdict & { readonly killer: Candidate };
}

class Run {
  readonly #tree: Tree;
  readonly #runner: TestRunner;
  readonly #results: Results;
  readonly #options: Options;
  /** The test file that killed the last mutant of a branch, of a function and of a file. */
  readonly #killers = new Map<string, string>();

  constructor(tree: Tree, runner: TestRunner, results: Results, options: Options) {
    this.#tree = tree;
    this.#runner = runner;
    this.#results = results;
    this.#options = options;
  }

  /** Tries the mutants of a folder: those without a result, or those that may have another now. */
  async tryFolder(folder: string, mutants: readonly Placed[], kind: 'new' | 'again'): Promise<void> {
    const { deadline, tests, mostMs, measureMs, accepted, budgetMs } = this.#options;
    const isWanted = ({ id }: Placed) => {
      const status = this.#results.of(id)?.status;
      return kind === 'new' ? status === undefined : status !== undefined && status !== 'killed' && !accepted.has(id);
    };
    const wanted = mutants.filter(isWanted);
    if (wanted.length === 0 || Date.now() > deadline) return;
    const reach = await measureReach(
      this.#tree,
      this.#runner,
      listTests(this.#tree, tests, mostMs),
      Math.min(deadline, Date.now() + measureMs),
    );
    const found = new Map<string, Candidate[]>();
    const findFor = (mutant: Placed) => {
      const key = `${mutant.file} ${mutant.branchId ?? mutant.functionId ?? mutant.id}`;
      const known = found.get(key) ?? findTests(mutant, reach, this.#tree);
      found.set(key, known);
      return known;
    };
    const left = wanted.filter((mutant) => {
      const known = this.#results.of(mutant.id);
      return known === undefined || !isSettled(known, this.#versionOf(findFor(mutant)), budgetMs);
    });
    console.log(`${folder}: ${left.length} mutants, ${kind}`);
    const bench = await Bench.open(this.#tree, this.#runner, left, reach);
    let pending: Pending[] = [];
    const settle = async () => {
      await this.#settle(bench, pending, reach);
      pending = [];
    };
    // Those that stand in the file instead need a process each.
    const ordered = [...left.filter(bench.isBuiltIn), ...left.filter((mutant) => !bench.isBuiltIn(mutant))];
    for (const mutant of ordered) {
      if (Date.now() > deadline) break;
      const tests = this.#order(mutant, findFor(mutant));
      const verdict = await bench.tryMutant(mutant, tests);
      if ('killer' in verdict) {
        this.#note(mutant, verdict.by);
        if (verdict.status === 'timed out') {
          await settle();
          await bench.reload();
          await this.#settle(bench, [{ mutant, tests, verdict }], reach);
        } else pending.push({ mutant, tests, verdict });
      } else this.#keep(mutant, verdict, findFor(mutant), tests, reach);
      if (pending.length >= PENDING) await settle();
    }
    await settle();
    await bench.close();
  }

  #versionOf = (candidates: readonly Candidate[]): string =>
    hash(...candidates.map(({ file }) => this.#tree.read(file)));

  #order(mutant: Placed, candidates: readonly Candidate[]): Candidate[] {
    const killers = [mutant.branchId, mutant.functionId, mutant.file].map((place) => this.#killers.get(place ?? ''));
    return takeWithin(this.#options.budgetMs, orderTests(candidates, mutant, killers, this.#tree));
  }

  #note(mutant: Placed, by: string): void {
    const file = by.split(': ')[0] ?? '';
    for (const place of [mutant.branchId, mutant.functionId, mutant.file]) this.#killers.set(place ?? '', file);
  }

  /** Keeps the kills if all killers pass without a mutant; else tries each mutant again with a run without it. */
  async #settle(bench: Bench, pending: readonly Pending[], reach: ReachByTest): Promise<void> {
    if (pending.length === 0) return;
    const isSure = await bench.passes(pending.map(({ verdict }) => verdict.killer));
    if (!isSure) await bench.reload();
    for (const { mutant, tests, verdict } of pending) {
      this.#keep(mutant, isSure ? verdict : await bench.tryCarefully(mutant, tests), tests, tests, reach);
    }
  }

  #keep(
    mutant: Placed,
    verdict: Verdict,
    candidates: readonly Candidate[],
    tests: readonly Candidate[],
    reach: ReachByTest,
  ): void {
    const { budgetMs } = this.#options;
    const result: Result = {
      status: verdict.status,
      ...('by' in verdict && { by: verdict.by }),
      ...(!isKill(verdict.status) && {
        untried: countTests(candidates, reach) - countTests(tests, reach),
        budgetMs,
        version: this.#versionOf(candidates),
      }),
    };
    // Others of the tests that count may reach it, and kill it.
    const isOpen = this.#options.tests.length > 0 ? !isKill(result.status) : result.status === 'not reached';
    if (!this.#options.isPart || !isOpen) this.#results.keep(mutant, result);
    console.log(`${result.status.padEnd(11)} ${describe(mutant, this.#tree)}  ${result.by ?? ''}`);
  }
}

function describe(mutant: Placed, tree: Tree): string {
  const { mutation } = nameMutant(mutant, tree.read(mutant.file));
  return `${mutant.id} ${mutant.file}:${mutant.line} ${mutation}`;
}
