import path from 'node:path';
import { findUsers, type Mutant, namesAt } from './code-mutators.ts';
import { functionsOf } from './functions.ts';
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
 * The tests that reach the mutant, in its branch if any does. For a constant, and for a function that makes one while its module is loaded: those
 * that reach a function that uses it. For what is left: those that reach any function of the module or of one that
 * imports it.
 */
export function findTests(mutant: Placed, reach: ReachByTest, tree: Tree): Candidate[] {
  const { file, functionId, branchId } = mutant;
  const isConstant = functionId === undefined || listAtLoad(reach).has(functionId);
  const reaching = (ids: readonly string[]) => listReaching(ids, reach);
  const inBranch = branchId === undefined || isConstant ? [] : reaching([branchId]);
  if (inBranch.length > 0) return inBranch;
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

/** Where a test file reached a function or branch: in these tests, or also outside them. */
interface Place {
  readonly tests: Set<string>;
  isOutside: boolean;
}
const placesOf = new WeakMap<ReachByTest, Map<string, Map<string, Place>>>();
/** By the ids of functions and branches: the test files that reached them. */
function listPlaces(reach: ReachByTest): Map<string, Map<string, Place>> {
  const known = placesOf.get(reach);
  if (known) return known;
  const places = new Map<string, Map<string, Place>>();
  placesOf.set(reach, places);
  const placeOf = (id: string, file: string): Place => {
    const ofId = places.get(id) ?? new Map<string, Place>();
    places.set(id, ofId);
    const place = ofId.get(file) ?? { tests: new Set<string>(), isOutside: false };
    ofId.set(file, place);
    return place;
  };
  for (const [file, { outside, tests }] of Object.entries(reach)) {
    for (const id of outside) placeOf(id, file).isOutside = true;
    for (const [name, { functions }] of Object.entries(tests)) {
      for (const id of functions) placeOf(id, file).tests.add(name);
    }
  }
  return places;
}

function listReaching(ids: readonly string[], reach: ReachByTest): Candidate[] {
  const places = listPlaces(reach);
  const byFile = new Map<string, Place>();
  for (const id of ids) {
    for (const [file, { tests, isOutside }] of places.get(id) ?? []) {
      const before = byFile.get(file);
      byFile.set(file, {
        tests: new Set([...(before?.tests ?? []), ...tests]),
        isOutside: isOutside || (before?.isOutside ?? false),
      });
    }
  }
  return [...byFile].map(([file, place]) => toCandidate(file, place, reach[file] as Reach));
}

/** All tests of a file, if one of the functions runs outside them or only in the first: there it probably prepares the others. */
function toCandidate(file: string, { tests: reaching, isOutside }: Place, reach: Reach): Candidate {
  const all = Object.entries(reach.tests);
  const names = all.filter(([name]) => reaching.has(name)).map(([name]) => name);
  if (isOutside || (names.length === 1 && names[0] === all[0]?.[0])) return { file, ms: reach.durationMs };
  const [inAll, inThese] = [all, names.map((name) => [name, reach.tests[name]] as const)].map((tests) =>
    tests.reduce((sum, [, test]) => sum + (test?.ms ?? 0), 0),
  );
  return { file, tests: names, ms: Math.max(0, reach.durationMs - (inAll ?? 0)) + (inThese ?? 0) };
}

/**
 * The files that killed the last mutants nearby; then those that speak most of what the mutant's lines speak of, for the time that they
 * take.
 */
export function orderTests(
  candidates: readonly Candidate[],
  mutant: Placed,
  killers: readonly (string | undefined)[],
  tree: Tree,
): Candidate[] {
  const words = wordsOf(linesAround(mutant, tree.read(mutant.file)), path.basename(mutant.file, '.ts'));
  const rank = ({ file }: Candidate) => (killers.includes(file) ? killers.indexOf(file) : killers.length);
  const value = new Map(candidates.map((one) => [one, likeness(one.file, words, tree) / (one.ms + MS_OF_A_RUN)]));
  return [...candidates].sort((a, b) => rank(a) - rank(b) || (value.get(b) ?? 0) - (value.get(a) ?? 0) || a.ms - b.ms);
}

/** So that not only the shortest tests come first. */
const MS_OF_A_RUN = 1_000;

const linesAround = ({ start, end }: Placed, source: string) =>
  source.slice(source.lastIndexOf('\n', source.lastIndexOf('\n', start) - 1) + 1, source.indexOf('\n', end));

/** Names, codes and numbers, and the parts of names. */
function wordsOf(...texts: readonly string[]): Set<string> {
  const words = texts.flatMap((text) => text.match(/[A-Za-z]\w{3,}|\d[\d_]+/g) ?? []);
  const parts = words.flatMap((word) => word.split(/_|(?<=[a-z])(?=[A-Z])/).filter((part) => part.length > 3));
  return new Set([...words, ...parts].map((word) => word.toLowerCase()));
}

const wordsOfTest = new Map<string, ReadonlySet<string>>();
const useOfWord = new Map<string, number>();
/** How much a test's file has in common with these words; rare ones count more. */
function likeness(test: string, words: ReadonlySet<string>, tree: Tree): number {
  const own = wordsOfTest.get(test) ?? wordsOf(tree.read(test), path.basename(test));
  if (!wordsOfTest.has(test)) for (const word of own) useOfWord.set(word, (useOfWord.get(word) ?? 0) + 1);
  wordsOfTest.set(test, own);
  return [...words].reduce((sum, word) => sum + (own.has(word) ? 1 / (useOfWord.get(word) ?? 1) : 0), 0.05);
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
