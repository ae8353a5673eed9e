import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { endKeptProcesses } from './kept-process.ts';
import { PLACE, type Tree } from './tree.ts';

/** A test file, and the tests of it to run: all by default. */
export interface Selection {
  readonly file: string;
  readonly tests?: readonly string[];
}

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

/** The functions that one test file reached when it ran without a mutant, by their ids. */
export interface Reached {
  /** While its modules were loaded. */
  readonly atLoad: readonly string[];
  /** Outside its tests: while loading, in hooks of the file and between tests. */
  readonly outside: readonly string[];
  readonly tests: Readonly<Record<string, { readonly ms: number; readonly functions: readonly string[] }>>;
}

/** A line of the record; `reached` are the functions since the line before. */
export type Line =
  | { readonly pid: number }
  | { readonly inWorkflow: string }
  | { readonly at: 'load' | 'file'; readonly reached: readonly string[] }
  | { readonly at: 'test'; readonly test: string; readonly ms: number; readonly reached: readonly string[] }
  | { readonly at: 'end'; readonly file: string; readonly reached: readonly string[] };

const RECORD = path.join(PLACE, `record-${process.pid}.jsonl`);
const ACTIVE = path.join(PLACE, `active-${process.pid}`);
const LIMITS = path.join(PLACE, `limits-${process.pid}.json`);
/** A test may take so much longer than without a mutant. */
const LEEWAY = { times: 4, ms: 5_000 };

/** One test runner for many runs: Postgres, Temporal and the processes of the tests start once. */
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
    process.env.MUTATION_ACTIVE = ACTIVE;
    process.env.MUTATION_LIMITS = LIMITS;
    process.env.BUILT_FOR_TESTS = 'yes'; // A build of mutants would overwrite that of the checkout.
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

  /** Runs these tests in this order, up to the first failure. */
  async run(selections: readonly Selection[], { active = '', limitMs, timesOf }: RunOptions): Promise<TestRun> {
    rmSync(RECORD, { force: true });
    writeFileSync(ACTIVE, active);
    writeJson(LIMITS, timesOf ? limitsOf(selections, timesOf) : {});
    this.#vitest.state.filesMap.clear();
    this.#vitest.state.idMap.clear();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      for (const line of this.#records()) if ('pid' in line) end(line.pid);
    }, limitMs);
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(
      selections.flatMap((selection) => this.#specify(selection)),
    );
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

  #specify({ file, tests }: Selection): TestSpecification[] {
    const whole = this.#specifications.get(file);
    if (whole === undefined || tests === undefined) return whole ? [whole] : [];
    const names = tests.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const testNamePattern = new RegExp(`^(${names.join('|')})$`);
    return [whole.project.createSpecification(whole.moduleId, { testNamePattern }, whole.pool)];
  }

  /** Makes the next run start again and load these files anew. */
  async reload(files: readonly string[] = []): Promise<void> {
    for (const file of files) this.#vitest.invalidateFile(this.#tree.pathOf(file));
    await endKeptProcesses();
  }

  /** The functions that each test file of the last run reached. */
  reached(): Map<string, Reached> {
    const byFile = new Map<string, Reached>();
    let atLoad: string[] = [];
    let outside = new Set<string>();
    let tests: Record<string, { ms: number; functions: string[] }> = {};
    let inWorkflows = new Set<string>(); // Tests run one after another, so these belong to the next test that ends.
    for (const line of this.#records()) {
      if ('inWorkflow' in line) inWorkflows.add(line.inWorkflow);
      if (!('at' in line)) continue;
      const functions = [...line.reached, ...inWorkflows];
      inWorkflows = new Set();
      if (line.at === 'test') tests[line.test] = { ms: line.ms, functions };
      else for (const id of functions) outside.add(id);
      if (line.at === 'load') atLoad = functions;
      if (line.at !== 'end') continue;
      byFile.set(this.#tree.nameOf(line.file), { atLoad, outside: [...outside], tests });
      [atLoad, outside, tests] = [[], new Set(), {}];
    }
    return byFile;
  }

  async close(): Promise<void> {
    await endKeptProcesses();
    await this.#vitest.close();
    for (const file of [RECORD, ACTIVE, LIMITS]) rmSync(file, { force: true });
  }

  #records(): Line[] {
    if (!existsSync(RECORD)) return [];
    const lines = readFileSync(RECORD, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }
}

export interface RunOptions {
  /** The id of the active mutant; none by default. */
  readonly active?: string;
  /** Ends a longer run together with its process. */
  readonly limitMs: number;
  /** How long each test of a file takes without a mutant, by their names. */
  readonly timesOf?: (file: string) => Readonly<Record<string, number>>;
}

/** The most that each test may take, in ms, by its file and name. */
const limitsOf = (selections: readonly Selection[], timesOf: NonNullable<RunOptions['timesOf']>) =>
  Object.fromEntries(
    selections.map(({ file }) => [
      file,
      Object.fromEntries(Object.entries(timesOf(file)).map(([test, ms]) => [test, LEEWAY.times * ms + LEEWAY.ms])),
    ]),
  );

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

export const readJson = <T>(file: string, otherwise: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : otherwise;
/** Other processes see the old file or the new one, never a part. */
export function writeJson(file: string, value: unknown): void {
  const whole = `${file}-${process.pid}`;
  writeFileSync(whole, `${JSON.stringify(value)}\n`);
  renameSync(whole, file);
}
