import path from 'node:path';
import type { Reach } from '../kit/reach.ts';
import type { Change } from './changes.ts';

/** A test file to run, and why. */
export interface Picked {
  readonly test: string;
  readonly ms: number;
  readonly why: string;
}

export interface Choice {
  readonly picked: readonly Picked[];
  /** Tests that reach the change, too, but would take longer than asked for. */
  readonly left: readonly Picked[];
  /** Changed files that no test is known to reach. */
  readonly unreached: readonly string[];
}

/** How long a test file takes of which nothing is known. Some start a whole stack, or build the programs. */
const guessMs = (test: string, text = '') =>
  /^test\/(stack|browser\/tasks|conformance\/service|fourth)\//.test(test) || text.includes('kit/built.ts')
    ? 90_000
    : 5_000;

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/**
 * Chooses the test files of a change. The most relevant come first: changed tests, then those that reach the change and little else.
 * @param texts the text of each test file, by its path.
 * @param budgetMs the most time for all of them, one after the other. Changed tests always run.
 */
export function pickTests(
  changes: readonly Change[],
  reach: readonly Reach[],
  texts: ReadonlyMap<string, string>,
  budgetMs: number,
): Choice {
  const known = new Map(reach.map((one) => [one.test, one]));
  const found = new Map<string, { why: string; rank: number }>();
  const unreached: string[] = [];
  const add = (test: string, why: string, rank: number) => {
    const before = found.get(test);
    if (texts.has(test) && (before === undefined || rank < before.rank)) found.set(test, { why, rank });
  };
  for (const change of changes) {
    if (isTest(change.file)) {
      add(change.file, 'it changed', 0);
      continue;
    }
    if (change.functions?.length === 0) continue;
    const reaching = reach.filter((one) => reaches(one, change));
    for (const one of reaching) add(one.test, `it runs ${describe(change)}`, 2 + countFunctions(one));
    const naming = listNaming(change.file, texts);
    // The record covers neither processes nor the isolates of workflows, and only functions.
    for (const test of naming) add(test, `it names ${change.file}`, reaching.length === 0 ? 1 : 1_000_000);
    if (reaching.length > 0 || naming.length > 0) continue;
    const near = listNear(change.file, texts);
    for (const { test, why, rank } of near) add(test, why, rank);
    if (near.length === 0) unreached.push(change.file);
  }
  const all = [...found]
    .map(([test, { why, rank }]) => ({ test, why, rank, ms: known.get(test)?.ms ?? guessMs(test, texts.get(test)) }))
    .sort((x, y) => x.rank - y.rank || x.ms - y.ms || (x.test < y.test ? -1 : 1));
  let spent = 0;
  const fits = all.map(({ rank, ms }) => {
    if (rank > 0 && spent + ms > budgetMs) return false;
    spent += ms;
    return true;
  });
  const strip = ({ test, ms, why }: Picked): Picked => ({ test, ms, why });
  return {
    picked: all.filter((_, index) => fits[index]).map(strip),
    left: all.filter((_, index) => !fits[index]).map(strip),
    unreached,
  };
}

function reaches({ functions }: Reach, change: Change): boolean {
  const ran = functions[change.file];
  if (ran === undefined) return false;
  return change.functions === undefined || change.functions.some((name) => ran.includes(name));
}

const describe = ({ file, functions }: Change) =>
  functions === undefined ? file : `${functions.join(', ')} of ${file}`;

const countFunctions = ({ functions }: Reach) => Object.values(functions).reduce((sum, names) => sum + names.length, 0);

/** The tests whose text names the file, as a path of an import or a read has it. */
function listNaming(file: string, texts: ReadonlyMap<string, string>): string[] {
  const name = file.split(path.sep).slice(-2).join('/');
  const bare = path.basename(file);
  const quoted = new RegExp(`['"\`/]${bare.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}['"\`#]`);
  return [...texts].filter(([, text]) => text.includes(name) || quoted.test(text)).map(([test]) => test);
}

/** For a file that no test names: the tests that name its folder, such as `migrations`; else those of the folder like its own. */
function listNear(file: string, texts: ReadonlyMap<string, string>): { test: string; why: string; rank: number }[] {
  const [top = '', part] = path.dirname(file).split(path.sep);
  const named = part === undefined && top !== '.' ? [...texts].filter(([, text]) => text.includes(`'${top}'`)) : [];
  if (named.length > 0) return named.map(([test]) => ({ test, why: `it names ${top}`, rank: 1 }));
  const folder = `test/${top === 'src' ? part : top}/`;
  const inFolder = [...texts.keys()].filter((test) => test.startsWith(folder));
  return inFolder.map((test) => ({ test, why: `it tests ${top === 'src' ? `src/${part}` : top}`, rank: 1.5 }));
}
