import { spawnSync } from 'node:child_process';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { applyMutation, type Placed } from './code-mutators.ts';
import type { Tree } from './tree.ts';

export interface Verdict {
  readonly status: 'killed' | 'survived' | 'not reached';
  /** The file of the test that failed, and the test. */
  readonly by?: string;
  readonly text?: string;
}

/** A run that takes longer hangs: its mutant counts as killed. */
const LIMIT_MS = 3 * 60_000;
const HANGS = { text: 'a run that does not end' };

/** One test runner for many runs: Postgres and Temporal start once. Each run has a process of its own. */
export class Runner {
  readonly #tree: Tree;
  #vitest: Vitest;
  #specifications = new Map<string, TestSpecification>();

  private constructor(tree: Tree, vitest: Vitest) {
    this.#tree = tree;
    this.#vitest = vitest;
  }

  static async start(tree: Tree): Promise<Runner> {
    process.env.BUILT_FOR_TESTS = 'mutants'; // A build of mutants would overwrite that of the checkout.
    const runner = new Runner(tree, await open(tree));
    await runner.#list();
    return runner;
  }

  async tryMutant(mutant: Placed, tests: readonly string[]): Promise<Verdict> {
    if (tests.length === 0) return { status: 'not reached' };
    const source = this.#tree.read(mutant.file);
    this.#place(mutant.file, applyMutation(source, mutant));
    const failure = await this.#run(tests);
    this.#place(mutant.file, source);
    return failure === undefined ? { status: 'survived' } : { status: 'killed', ...failure };
  }

  /** The test files that fail without a mutant. */
  async listFailing(tests: ReadonlySet<string>): Promise<Set<string>> {
    const failing = new Set<string>();
    for (const test of tests) if ((await this.#run([test])) !== undefined) failing.add(test);
    return failing;
  }

  close = (): Promise<void> => this.#vitest.close();

  #place(file: string, text: string): void {
    this.#tree.write(file, text);
    this.#vitest.invalidateFile(this.#tree.pathOf(file));
  }

  async #list(): Promise<void> {
    const all = await this.#vitest.globTestSpecifications();
    this.#specifications = new Map(all.map((one) => [this.#tree.nameOf(one.moduleId), one]));
  }

  /** @returns the first failure; undefined if all tests pass. */
  async #run(tests: readonly string[]): Promise<{ by: string; text: string } | undefined> {
    const first = tests[0] ?? '';
    this.#vitest.state.filesMap.clear();
    this.#vitest.state.idMap.clear();
    const specifications = tests.flatMap((test) => this.#specifications.get(test) ?? []);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), LIMIT_MS);
    });
    const run = await Promise.race([this.#vitest.runTestSpecifications(specifications), patience]);
    clearTimeout(timer);
    process.exitCode = 0; // A failed test is a result here.
    if (run === undefined) {
      // The process of a run that never yields ends by force only, and without that `close` waits for it.
      spawnSync('pkill', ['-KILL', '-P', `${process.pid}`, '-f', 'node_modules/vitest/']);
      await this.#vitest.close();
      this.#vitest = await open(this.#tree);
      await this.#list();
      return { by: first, ...HANGS };
    }
    const failed = run.testModules.find((module) => module.state() === 'failed');
    const test = failed && [...failed.children.allTests('failed')][0];
    const error = failed?.errors()[0] ?? (run.unhandledErrors[0] as Error | undefined);
    const text = test?.fullName ?? error?.message;
    return text === undefined
      ? undefined
      : { by: failed?.relativeModuleId ?? first, text: `${failed?.relativeModuleId}: ${text}` };
  }
}

async function open(tree: Tree): Promise<Vitest> {
  const vitest = await createVitest('test', {
    root: tree.folder,
    config: tree.pathOf('test/mutation/vitest.config.ts'),
    watch: false,
    bail: 1,
    reporters: [{}],
  });
  await vitest.standalone();
  return vitest;
}
