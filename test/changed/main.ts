// `npm test -- --changed`: types, lint and the most relevant tests of the change, in about a minute.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../local/src/services.ts';
import { readReach } from '../kit/reach.ts';
import { listChanges } from './changes.ts';
import { type Choice, pickTests } from './pick.ts';

const bin = (...parts: string[]) => path.join(ROOT, 'node_modules', ...parts);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
/** Each of the two workers runs half of the tests. */
const WORKERS = 2;

/** Runs a program with its output on the terminal. */
type Run = (program: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<number>;

/** @returns the exit code */
export async function main(args: readonly string[], run: Run): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { changed: { type: 'boolean' }, since: { type: 'string' }, seconds: { type: 'string', default: '45' } },
  });
  const budgetMs = Number(values.seconds) * 1000 * WORKERS;
  if (!(budgetMs > 0)) {
    console.error('--seconds must be a number above 0.');
    return 2;
  }
  const changes = listChanges(ROOT, readIfThere, values.since);
  if (changes.length === 0) {
    console.log('Nothing changed.');
    return 0;
  }
  const reach = readReach();
  if (reach.length === 0) {
    console.log(
      'No whole run of `npm test` has recorded yet which test runs what: taking the tests that name the changed files.',
    );
  }
  const choice = pickTests(changes, reach, readTests(), budgetMs);
  report(choice);
  const there = changes.map(({ file }) => file).filter((file) => existsSync(path.join(ROOT, file)));
  const checks = await Promise.all([
    run(process.execPath, [bin('typescript-7', 'bin', 'tsc'), '-p', '.']),
    ...(there.some((file) => file.startsWith('console/'))
      ? [run(process.execPath, [bin('typescript-7', 'bin', 'tsc'), '-p', 'console'])]
      : []),
    run(process.execPath, [
      bin('@biomejs', 'biome', 'bin', 'biome'),
      ...['check', '--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true'],
      ...there,
    ]),
  ]);
  if (checks.some((code) => code !== 0)) return 1;
  if (choice.picked.length === 0) return 0;
  const tests = choice.picked.map(({ test }) => test);
  return await run(process.execPath, [bin('vitest', 'vitest.mjs'), 'run', ...tests], { RECORD_REACH: 'yes' });
}

function report({ picked, left, unreached }: Choice): void {
  console.log(`Tests of what changed: ${picked.length}.`);
  for (const { test, ms, why } of picked) console.log(`  ${test} (${seconds(ms)}): ${why}`);
  const leftMs = left.reduce((sum, { ms }) => sum + ms, 0);
  if (left.length > 0) {
    console.log(`${left.length} more reach the change and take ${seconds(leftMs)}; --seconds makes room for them.`);
  }
  for (const file of unreached) console.log(`No test is known to reach ${file}.`);
}

function readIfThere(file: string): string | undefined {
  const place = path.join(ROOT, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

/** The text of each test file, by its path from the root. The tests of the copied tree do not run here. */
function readTests(): Map<string, string> {
  const files = readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.startsWith(path.join('fourth', 'tree')))
    .map((file) => path.join('test', file));
  return new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
}
