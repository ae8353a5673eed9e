import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keepReach, type Reach } from '../kit/reach.ts';
import { findFunctions, listChanges, parseDiff } from './changes.ts';
import { pickTests } from './pick.ts';

const SOURCE = `import { a } from './a.ts';

const LIMIT = 3;

export function outer(values: number[]) {
  return values.map((value) => {
    const inner = () => value + LIMIT;
    return inner();
  });
}

class Pool {
  close() {
    return a;
  }
}
`;

describe('the changed functions', () => {
  test.for([
    { line: 5, functions: ['outer'], where: 'a head' },
    { line: 6, functions: ['outer'], where: 'a function without a name' },
    { line: 7, functions: ['inner'], where: 'an inner function' },
    { line: 14, functions: ['close'], where: 'a method' },
    { line: 3, functions: undefined, where: 'a constant, which any function may use' },
    { line: 1, functions: undefined, where: 'an import alone' },
    { line: 4, functions: [], where: 'an empty line: none' },
  ])('of $where', ({ line, functions }) => {
    expect(findFunctions('src/x.ts', SOURCE, [line])).toEqual(functions);
  });

  test('of an import and a function are those of the function', () => {
    expect(findFunctions('src/x.ts', SOURCE, [1, 2, 8])).toEqual(['outer']);
  });

  test('a deletion touches the lines around it', () => {
    const diff = '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -7,2 +6,0 @@ x\n-old\n-old\n@@ -20 +19,2 @@\n-b\n+c\n+d\n';
    expect([...parseDiff(diff)]).toEqual([['src/x.ts', [6, 7, 19, 20]]]);
  });

  test('finds files that are committed on a branch, not committed, new and deleted', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'changed-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root });
    const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);
    git('init', '--quiet', '--initial-branch=main');
    write('one.ts', SOURCE);
    write('two.ts', SOURCE);
    write('gone.ts', SOURCE);
    write('same.ts', SOURCE);
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    git('checkout', '--quiet', '-b', 'work');
    write('one.ts', SOURCE.replace('value + LIMIT', 'value - LIMIT'));
    git('rm', '--quiet', 'gone.ts');
    git('commit', '--quiet', '-a', '-m', 'second');
    write('two.ts', SOURCE.replace('return a', 'return !a'));
    write('new.md', 'words');
    const texts: Record<string, string> = {
      'one.ts': SOURCE.replace('value + LIMIT', 'value - LIMIT'),
      'two.ts': SOURCE,
    };
    expect(listChanges(root, (file) => texts[file]).sort((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
      { file: 'gone.ts', functions: undefined },
      { file: 'new.md', functions: undefined },
      { file: 'one.ts', functions: ['inner'] },
      { file: 'two.ts', functions: ['close'] },
    ]);
  });
});

test('the engine names the functions that ran, and no others', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'reach-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  execFileSync('mkdir', ['-p', path.join(root, 'src')]);
  const file = path.join(root, 'src', 'two.mjs');
  writeFileSync(
    file,
    'export function ran() { const inner = () => 1; return inner(); }\nexport function idle() { return 2; }\n',
  );
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  const post = (method: string, params = {}) =>
    new Promise<unknown>((resolve, reject) =>
      session.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error))),
    );
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { ran } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { ran(): number };
  ran();
  const { result } = (await post('Profiler.takePreciseCoverage')) as Parameters<typeof keepReach> extends [
    infer S,
    string,
  ]
    ? { result: S }
    : never;
  expect(keepReach(result, root)).toEqual({ [path.join('src', 'two.mjs')]: ['ran', 'inner'] });
});

describe('the chosen tests', () => {
  const reach: Reach[] = [
    { test: 'test/wide.test.ts', ms: 9_000, functions: { 'src/a.ts': ['one', 'two'], 'src/b.ts': ['three', 'four'] } },
    { test: 'test/narrow.test.ts', ms: 2_000, functions: { 'src/a.ts': ['one'] } },
    { test: 'test/other.test.ts', ms: 1_000, functions: { 'src/a.ts': ['two'] } },
    { test: 'test/removed.test.ts', ms: 1_000, functions: { 'src/a.ts': ['one'] } },
  ];
  const texts = new Map([
    ['test/wide.test.ts', ''],
    ['test/narrow.test.ts', ''],
    ['test/other.test.ts', ''],
    ['test/guide.test.ts', "read('docs/guide.md')"],
    ['test/new.test.ts', ''],
  ]);
  const list = (tests: readonly { test: string }[]) => tests.map(({ test }) => test);

  test('are those that ran the changed function, the narrowest first; no other of the file', () => {
    const { picked, left } = pickTests([{ file: 'src/a.ts', functions: ['one'] }], reach, texts, 60_000);
    expect(list(picked)).toEqual(['test/narrow.test.ts', 'test/wide.test.ts']);
    expect(left).toEqual([]);
  });

  test('are all that ran anything of a file if a line stands outside its functions', () => {
    const { picked } = pickTests([{ file: 'src/a.ts', functions: undefined }], reach, texts, 60_000);
    expect(list(picked).sort()).toEqual(['test/narrow.test.ts', 'test/other.test.ts', 'test/wide.test.ts']);
  });

  test('fit into the time; a changed test runs in any case, and omitted tests are reported', () => {
    const changes = [
      { file: 'test/new.test.ts', functions: undefined },
      { file: 'src/a.ts', functions: ['one'] },
    ];
    const { picked, left } = pickTests(changes, reach, texts, 2_000);
    expect(list(picked)).toEqual(['test/new.test.ts']);
    expect(list(left)).toEqual(['test/narrow.test.ts', 'test/wide.test.ts']);
  });

  test('of a file that none names are those that name its folder, or else those of the folder like its own', () => {
    const tests = new Map([
      ['test/store/migrate.test.ts', "path.join(ROOT, 'migrations')"],
      ['test/cli/commands.test.ts', ''],
      ['test/client/other.test.ts', ''],
    ]);
    const changes = ['migrations/0030_note.sql', 'src/cli/commands/app.ts', 'src/alone/app.ts'];
    const { picked, unreached } = pickTests(
      changes.map((file) => ({ file, functions: undefined })),
      [],
      tests,
      60_000,
    );
    expect(picked.map(({ test, why }) => `${test}: ${why}`)).toEqual([
      'test/store/migrate.test.ts: it names migrations',
      'test/cli/commands.test.ts: it tests src/cli',
    ]);
    expect(unreached).toEqual(['src/alone/app.ts']);
  });

  test('that drive a whole stack or build it count as long while nothing is known of them, and the short ones come first', () => {
    const tests = new Map([
      ['test/fourth/fourth.test.ts', "read('admin.graphql')"],
      ['test/stack/known.test.ts', "read('admin.graphql')"],
      ['test/build/image.test.ts', "import '../kit/built.ts'; read('admin.graphql')"],
      ['test/store/rights.test.ts', "read('admin.graphql')"],
    ]);
    const known = [{ test: 'test/stack/known.test.ts', ms: 20_000, functions: {} }];
    const { picked, left } = pickTests([{ file: 'admin.graphql', functions: undefined }], known, tests, 90_000);
    expect(list(picked)).toEqual(['test/store/rights.test.ts', 'test/stack/known.test.ts']);
    expect(list(left)).toEqual(['test/build/image.test.ts', 'test/fourth/fourth.test.ts']);
  });

  test('are those that name a page; a file that nothing reaches is reported', () => {
    const changes = ['docs/guide.md', 'docs/alone.md'].map((file) => ({ file, functions: undefined }));
    const { picked, unreached } = pickTests(changes, reach, texts, 60_000);
    expect(list(picked)).toEqual(['test/guide.test.ts']);
    expect(unreached).toEqual(['docs/alone.md']);
  });
});
