import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../local/src/services.ts';
import { findFunctions } from '../changed/changes.ts';
import { pickTests } from '../changed/pick.ts';
import { readReach } from '../kit/reach.ts';
import { mutantsOf, type Placed } from './code-mutators.ts';
import { Runner, type Verdict } from './runner.ts';
import { Tree } from './tree.ts';

/** Start processes of the build, fill whole databases, or look at nothing that a mutant changes. */
const LEFT_OUT =
  /^test\/(stack|browser|fourth|build|kit|mutation|conformance\/(service|report)|store\/(fill|plans|migrate|releases))\b|\.test\.tsx$/;
const STARTS_PROGRAMS = /\/(built|processes)\.ts'/;

export async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kind: { type: 'string', default: '' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      tests: { type: 'string', multiple: true },
      budget: { type: 'string', default: '20' },
      list: { type: 'boolean', default: false },
    },
  });
  if (positionals.length === 0) throw new Error('Name a folder or files: npm run mutation -- src/domain');
  const tree = new Tree();
  try {
    const all = positionals
      .flatMap((place) => tree.list(place))
      .flatMap((file) => mutantsOf(tree.read(file), file).map((mutant) => ({ ...mutant, file })))
      .filter(({ kind }) => new RegExp(values.kind).test(kind));
    const mutants = values.sample === undefined ? all : takeSample(all, values.seed, Number(values.sample));
    console.log(`${mutants.length} of ${all.length} mutants`);
    if (values.list) return mutants.forEach((mutant) => void console.log(describe(mutant, tree)));
    await tryMutants(mutants, tree, values.tests ?? ['test'], Number(values.budget) * 1000);
  } finally {
    tree.remove();
  }
}

/** The sample depends on the seed and on each mutant. A smaller sample is the beginning of a larger one. */
function takeSample(mutants: readonly Placed[], seed: string, size: number): Placed[] {
  const place = (mutant: Placed) =>
    createHash('sha256')
      .update(seed + JSON.stringify(mutant))
      .digest('hex');
  return [...mutants].sort((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, size);
}

async function tryMutants(mutants: readonly Placed[], tree: Tree, below: readonly string[], budgetMs: number) {
  const texts = readTests(tree, below);
  const reach = readReach().filter(({ test }) => texts.has(test));
  if (reach.length === 0) throw new Error('No run has recorded what the tests reach: run `npm test` first.');
  const runner = await Runner.start(tree);
  const tried: { readonly mutant: Placed; readonly verdict: Verdict }[] = [];
  let killers: string[] = [];
  try {
    for (const mutant of mutants) {
      const change = {
        file: mutant.file,
        functions: findFunctions(mutant.file, tree.read(mutant.file), [mutant.line]),
      };
      const { picked, left } = pickTests([change], reach, texts, budgetMs);
      const tests = (picked.length > 0 ? picked : left.slice(0, 1)).map(({ test }) => test);
      // The test that killed the last one often kills the next.
      const ordered = [
        ...killers.filter((test) => tests.includes(test)),
        ...tests.filter((one) => !killers.includes(one)),
      ];
      const verdict = await runner.tryMutant(mutant, ordered);
      if (verdict.by !== undefined) killers = [...new Set([verdict.by, ...killers])].slice(0, 3);
      tried.push({ mutant, verdict });
      const rest = verdict.status === 'survived' && left.length > 0 ? `${left.length} more files reach it` : '';
      console.log(`${verdict.status.padEnd(11)} ${describe(mutant, tree)}  ${verdict.text ?? rest}`);
    }
    const wrong = await runner.listFailing(new Set(tried.flatMap(({ verdict }) => verdict.by ?? [])));
    report(tried, wrong);
  } finally {
    await runner.close();
  }
}

/** The tests that run the service in their own process. */
function readTests(tree: Tree, below: readonly string[]): Map<string, string> {
  const isIn = (file: string) => below.some((place) => file === place || file.startsWith(`${place}/`));
  const files = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join('test', name))
    .filter((file) => file.endsWith('.test.ts') && isIn(file) && !LEFT_OUT.test(file));
  const texts = new Map(files.map((file) => [file, tree.read(file)] as const));
  return new Map([...texts].filter(([, text]) => !STARTS_PROGRAMS.test(text)));
}

/** @param wrong the test files that also fail without a mutant: their kills do not count. */
function report(tried: readonly { mutant: Placed; verdict: Verdict }[], wrong: ReadonlySet<string>): void {
  for (const test of wrong) console.log(`Fails without a mutant, too: ${test}`);
  const sure = tried.filter(({ verdict }) => verdict.by === undefined || !wrong.has(verdict.by));
  const folderOf = ({ mutant }: { mutant: Placed }) => mutant.file.split('/').slice(0, 2).join('/');
  console.log('\n| Folder | Tried | Killed | Share |\n|---|---|---|---|');
  for (const folder of new Set(sure.map(folderOf))) {
    const own = sure.filter((one) => folderOf(one) === folder);
    const killed = own.filter(({ verdict }) => verdict.by !== undefined).length;
    console.log(`| ${folder} | ${own.length} | ${killed} | ${Math.round((killed / own.length) * 100)} % |`);
  }
}

function describe({ file, line, kind, start, end, replacement }: Placed, tree: Tree): string {
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  return `${file}:${line} ${kind}: ${plain(tree.read(file).slice(start, end))} -> ${plain(replacement)}`;
}
