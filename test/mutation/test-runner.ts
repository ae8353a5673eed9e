import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { PLACE, type Tree } from './tree.ts';

interface Failure {
  readonly file: string | undefined;
  /** The test's name, or the message of an error outside any test. */
  readonly text: string;
  /** Whether the test timed out. */
  readonly isPatience: boolean;
}

/** The result of a run of test files. */
export interface TestRun {
  /** The first failed test, or an error outside any test; undefined if all passed. */
  readonly failure: Failure | undefined;
  readonly timedOut: boolean;
  /** The duration of each passed file. */
  readonly passedInMs: ReadonlyMap<string, number>;
}

/** A line of the record: a process begins, a workflow reaches a function, or a test file ends. */
interface Line {
  readonly pid?: number;
  readonly inWorkflow?: string;
  readonly file?: string;
  readonly reached?: readonly string[];
}

const RECORD = path.join(PLACE, `record-${process.pid}.jsonl`);

/** One test runner for many runs: Postgres and Temporal start once. */
export class TestRunner {
  readonly #vitest: Vitest;
  readonly #specifications = new Map<string, TestSpecification>();
  readonly #tree: Tree;

  private constructor(vitest: Vitest, tree: Tree) {
    this.#vitest = vitest;
    this.#tree = tree;
  }

  static async start(tree: Tree): Promise<TestRunner> {
    process.env.MUTATION_RECORD = RECORD;
    const vitest = await createVitest('test', {
      root: tree.folder,
      config: tree.pathOf('test/mutation/vitest.config.ts'),
      watch: false,
      bail: 1,
      reporters: [{}],
    });
    await vitest.standalone();
    const runner = new TestRunner(vitest, tree);
    for (const specification of await vitest.globTestSpecifications()) {
      runner.#specifications.set(tree.nameOf(specification.moduleId), specification);
    }
    return runner;
  }

  /** Runs these files in this order, up to the first failure. Reloads `changed`. */
  async run(files: readonly string[], { changed = [], limitMs }: RunOptions): Promise<TestRun> {
    rmSync(RECORD, { force: true });
    this.invalidate(changed);
    this.#vitest.state.filesMap.clear();
    this.#vitest.state.idMap.clear();
    const specifications = files.flatMap((file) => this.#specifications.get(file) ?? []);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      for (const { pid } of this.#records()) if (pid !== undefined) end(pid);
    }, limitMs);
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications);
    clearTimeout(timer);
    process.exitCode = 0; // A failed test is a result here.
    const failed = testModules.find((module) => module.state() === 'failed');
    const test = failed && [...failed.children.allTests('failed')][0];
    const result = test?.result();
    const isPatience =
      result?.state === 'failed' && result.errors.some(({ message }) => message.includes('timed out in'));
    const text = test?.fullName ?? failed?.errors()[0]?.message ?? (unhandledErrors[0] as Error | undefined)?.message;
    const passed = testModules.filter((module) => module.state() === 'passed');
    return {
      failure: text === undefined ? undefined : { file: failed?.relativeModuleId, text, isPatience },
      timedOut,
      passedInMs: new Map(passed.map((module) => [module.relativeModuleId, module.diagnostic().duration])),
    };
  }

  /** Makes the next run reload these files. */
  invalidate(files: readonly string[]): void {
    for (const file of files) this.#vitest.invalidateFile(this.#tree.pathOf(file));
  }

  /** The ids of the functions that each test file of the last run reached. */
  reached(): Map<string, readonly string[]> {
    const reachedBy = new Map<string, readonly string[]>();
    let inWorkflows = new Set<string>(); // Files run one after another, so these belong to the next file that ends.
    for (const { inWorkflow, file, reached = [] } of this.#records()) {
      if (inWorkflow !== undefined) inWorkflows.add(inWorkflow);
      if (file === undefined) continue;
      reachedBy.set(this.#tree.nameOf(file), [...reached, ...inWorkflows]);
      inWorkflows = new Set();
    }
    return reachedBy;
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    rmSync(RECORD, { force: true });
  }

  #records(): Line[] {
    if (!existsSync(RECORD)) return [];
    const lines = readFileSync(RECORD, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }
}

export interface RunOptions {
  readonly changed?: readonly string[];
  /** Ends a longer run together with its process. */
  readonly limitMs: number;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

export const readJson = <T>(file: string, otherwise: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : otherwise;
export const writeJson = (file: string, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);
