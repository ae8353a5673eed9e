// Part of `npm run check`: counts the files of the tests that import src/store. A test that holds on to the store breaks with each
// change of it, whatever it guarantees (CONTRIBUTING.md, "Tests"), so that their number may only fall: lower it with what you remove.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const MOST = 50;

const files = readdirSync(path.join(ROOT, 'test'), { recursive: true })
  .map((name) => path.join('test', name))
  .filter(
    (name) => name.endsWith('.ts') && /from '(?:\.\.\/)+src\/store\//.test(readFileSync(path.join(ROOT, name), 'utf8')),
  );

console.log(`${files.length} files of the tests import src/store; ${MOST} may.`);
if (files.length > MOST) {
  console.log('A new test goes through api, activities or workflows, unless none of them can fail for its guarantee.');
  process.exitCode = 1;
}
