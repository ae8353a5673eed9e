import { applyMutation, embed } from './code-mutators.ts';
import { type Candidate, listAtLoad, type Placed, type ReachByTest } from './find-tests.ts';
import type { TestRunner } from './test-runner.ts';
import type { Tree } from './tree.ts';

/** What the tests said of a mutant. */
export type Verdict =
  | { readonly status: 'survived' | 'not reached' }
  /** `killer` are the tests of a file up to the one that failed. */
  | { readonly status: 'killed' | 'timed out'; readonly by: string; readonly killer: Candidate };

const GRACE_MS = 20_000;
/** A process grows with each run. */
const RUNS_OF_A_PROCESS = 400;

/** The tree with the mutants of a layer built in. */
export class Bench {
  readonly #tree: Tree;
  readonly #runner: TestRunner;
  readonly #reach: ReachByTest;
  /** The files with mutants built in. */
  readonly #sources: ReadonlyMap<string, string>;
  readonly #embedded: ReadonlySet<string>;
  /** The mutant that stands in its file instead of being built in. */
  #placed: Placed | undefined;
  #runs = 0;

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

  /** Whether a run with the mutant needs no other process than one without it. */
  isBuiltIn = ({ id }: Placed): boolean => this.#embedded.has(id);

  /** Runs the tests up to the first that fails; `passes` tells whether it passes without the mutant. */
  async tryMutant(mutant: Placed, tests: readonly Candidate[]): Promise<Verdict> {
    if (tests.length === 0) return { status: 'not reached' };
    const { failure, timedOut } = await this.#run(tests, mutant);
    if (failure === undefined && !timedOut) return { status: 'survived' };
    const found = tests.findIndex(({ file }) => file === failure?.file);
    const killer = tests[Math.max(0, found)] as Candidate;
    const text = failure?.text ?? 'a run that does not end';
    return {
      status: timedOut || failure?.isPatience ? 'timed out' : 'killed',
      by: `${killer.file}: ${text}`,
      killer: this.#cutAfter(text, killer),
    };
  }

  /** A test kills a mutant if it fails with it, and passes right afterwards without it. */
  async tryCarefully(mutant: Placed, tests: readonly Candidate[]): Promise<Verdict> {
    for (let left = tests; left.length > 0; ) {
      const verdict = await this.tryMutant(mutant, left);
      if (!('killer' in verdict)) return verdict;
      if (verdict.status === 'timed out') await this.reload(); // What still waits would hold up the next run too.
      if (await this.passes([verdict.killer])) return verdict;
      console.log(`fails without a mutant too: ${verdict.by}`);
      await this.reload();
      const { file } = verdict.killer;
      const at = left.findIndex((candidate) => candidate.file === file);
      // Perhaps the test needs those before it.
      const whole = left[at]?.tests ? [{ file, ms: this.#reach[file]?.durationMs ?? 0 }] : [];
      left = [...whole, ...left.slice(at + 1)];
    }
    return { status: tests.length > 0 ? 'survived' : 'not reached' };
  }

  /** Whether these tests pass without a mutant. */
  async passes(tests: readonly Candidate[]): Promise<boolean> {
    const byFile = new Map<string, Candidate>();
    for (const candidate of tests) byFile.set(candidate.file, merge(candidate, byFile.get(candidate.file)));
    const { failure, timedOut } = await this.#run([...byFile.values()]);
    return failure === undefined && !timedOut;
  }

  async reload(): Promise<void> {
    this.#runs = 0;
    await this.#runner.reload();
  }

  async #run(tests: readonly Candidate[], mutant?: Placed) {
    const inPlace = mutant !== undefined && !this.isBuiltIn(mutant) ? mutant : undefined;
    await this.#place(inPlace);
    this.#runs += 1;
    if (this.#runs > RUNS_OF_A_PROCESS) await this.reload();
    const limitMs = 4 * tests.reduce((sum, { ms }) => sum + ms + 1_000, 0) + GRACE_MS;
    return await this.#runner.run(tests, { active: mutant?.id ?? '', limitMs, timesOf: this.#timesOf });
  }

  #timesOf = (file: string) =>
    Object.fromEntries(Object.entries(this.#reach[file]?.tests ?? {}).map(([test, { ms }]) => [test, ms]));

  async #place(mutant: Placed | undefined): Promise<void> {
    const before = this.#placed;
    if (before?.id === mutant?.id) return;
    if (before) this.#tree.write(before.file, this.#sources.get(before.file) ?? this.#tree.read(before.file));
    if (mutant) this.#tree.write(mutant.file, applyMutation(this.#tree.read(mutant.file), mutant));
    this.#placed = mutant;
    await this.#runner.reload([before?.file ?? [], mutant?.file ?? []].flat());
    this.#runs = 0;
  }

  /** The tests of a file up to the one that failed. */
  #cutAfter(failed: string, { file, tests, ms }: Candidate): Candidate {
    const names = tests ?? Object.keys(this.#reach[file]?.tests ?? {});
    const at = names.indexOf(failed.replaceAll(' > ', ' '));
    return at < 0 ? { file, ms, ...(tests && { tests }) } : { file, ms, tests: names.slice(0, at + 1) };
  }
}

/** All tests of two selections of a file. */
function merge(one: Candidate, other: Candidate | undefined): Candidate {
  if (other === undefined) return one;
  const { file } = one;
  const ms = Math.max(one.ms, other.ms);
  if (one.tests === undefined || other.tests === undefined) return { file, ms };
  return { file, ms, tests: [...new Set([...one.tests, ...other.tests])] };
}
