import path from 'node:path';
import { findUsers, functionsOf, type Mutant, namesAt } from './code-mutators.ts';
import type { Reached, Selection } from './test-runner.ts';
import type { Tree } from './tree.ts';

/** A mutant and its file. */
export interface Placed extends Mutant {
  readonly file: string;
}

/** What one test file reached when it ran alone, without a mutant. */
export interface Reach extends Reached {
  readonly version: string;
  readonly durationMs: number;
}
export type ReachByTest = Readonly<Record<string, Reach>>;

/** The tests of a file that reach a mutant. */
export interface Candidate extends Selection {
  readonly ms: number;
}

/**
 * The tests that reach the mutant. For a constant, and for a function that makes one while its module is loaded: those
 * that reach a function that uses it. For what is left: those that reach any function of the module or of one that
 * imports it.
 */
export function findTests(mutant: Placed, reach: ReachByTest, tree: Tree): Candidate[] {
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

const atLoadOf = new WeakMap<ReachByTest, ReadonlySet<string>>();
/** The functions that run while modules are loaded. */
export function listAtLoad(reach: ReachByTest): ReadonlySet<string> {
  const known = atLoadOf.get(reach) ?? new Set(Object.values(reach).flatMap(({ atLoad }) => atLoad));
  atLoadOf.set(reach, known);
  return known;
}

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

/** The files that killed the last mutants of the function and of the file, tests named after the file, those that import it, the fastest. */
export function orderTests(
  candidates: readonly Candidate[],
  { file }: Placed,
  killers: readonly (string | undefined)[],
  tree: Tree,
): Candidate[] {
  const name = path.basename(file, '.ts');
  const rank = (test: string) => {
    const killer = killers.indexOf(test);
    if (killer >= 0) return killer;
    if (path.basename(test).startsWith(name)) return killers.length;
    return killers.length + (tree.read(test).includes(`${file}'`) ? 1 : 2);
  };
  return [...candidates].sort((a, b) => rank(a.file) - rank(b.file) || a.ms - b.ms);
}

/** The first that fit into a time together; the shortest if none does. */
export function takeWithin(budgetMs: number, candidates: readonly Candidate[]): Candidate[] {
  let spentMs = 0;
  const taken = candidates.filter(({ ms }) => {
    if (spentMs + ms > budgetMs) return false;
    spentMs += ms;
    return true;
  });
  return taken.length > 0 ? taken : [...candidates].sort((a, b) => a.ms - b.ms).slice(0, 1);
}

export const countTests = (candidates: readonly Candidate[], reach: ReachByTest): number =>
  candidates.reduce((sum, { file, tests }) => sum + (tests ?? Object.keys(reach[file]?.tests ?? {})).length, 0);
