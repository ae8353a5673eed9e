import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, expect } from 'vitest';

/** A new folder for each test. */
const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a function needs from its first parameter.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'checks-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
}

function runCheck(script: string, folder: string): string[] {
  const file = path.join(import.meta.dirname, '..', '..', 'scripts', script);
  const { status, stderr } = spawnSync(process.execPath, [file, folder], { encoding: 'utf8' });
  const problems = stderr.split('\n').filter(Boolean);
  expect(status).toBe(problems.length === 0 ? 0 : 1);
  return problems;
}

/** Runs knip with our settings over a folder, as programs see it or with its tests. */
function findDeadCode(folder: string, ...more: string[]): string[] {
  const root = path.join(import.meta.dirname, '..', '..');
  const bin = path.join(root, 'node_modules', 'knip', 'bin', 'knip.js');
  const settings = ['-c', path.join(root, 'scripts', 'knip.jsonc'), '--directory', folder, '--no-config-hints'];
  const include = ['--include', 'files,dependencies,exports,types,nsExports'];
  const { stdout } = spawnSync(process.execPath, [bin, ...settings, ...include, '--reporter', 'json', ...more], {
    encoding: 'utf8',
  });
  const { issues } = JSON.parse(stdout) as { issues: Record<string, unknown>[] };
  return issues
    .flatMap(({ file, ...kinds }) =>
      Object.values(kinds).flatMap((found) =>
        (Array.isArray(found) ? found : []).map(({ name }: { name: string }) =>
          name === file ? name : `${file}: ${name}`,
        ),
      ),
    )
    .sort();
}

test('finds unused exports, files and packages', ({ folder }) => {
  write(folder, {
    'package.json': JSON.stringify({ dependencies: { 'pkg-used': '1', 'pkg-unused': '1' } }),
    'src/main.ts': `
      import 'pkg-used';
      import { used } from './part.ts';
      export const program = used;
    `,
    'src/part.ts': `
      export const used = 1;
      export const unused = 2;
      export interface Shape { size: number }
      export interface DeadShape { size: number }
      export const forTests = (shape: Shape) => shape.size;
      /** Marked for tests. @internal */
      export const marked = 3;
    `,
    'src/orphan.ts': 'export const lonely = 1;',
    'test/part.test.ts': "import { forTests, marked } from '../src/part.ts'; forTests({ size: marked });",
    'test/kit/helper.ts': 'export const help = 1;',
  });
  expect(findDeadCode(folder, '--production', '--tags=-internal')).toEqual([
    'package.json: pkg-unused',
    'src/orphan.ts',
    'src/part.ts: DeadShape',
    'src/part.ts: forTests',
    'src/part.ts: unused',
  ]);
  expect(findDeadCode(folder)).toEqual([
    'package.json: pkg-unused',
    'src/orphan.ts',
    'src/part.ts: DeadShape',
    'src/part.ts: unused',
    'test/kit/helper.ts',
  ]);
});

test('refuses commit subjects that are too long or name no area', ({ folder }) => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const commit = (subject: string) =>
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '-q', '--allow-empty', '-m', subject);
  git('init', '-q', '-b', 'main');
  commit('An old subject of another kind');
  git('switch', '-q', '-c', 'branch');
  commit('connect: refuse a second callback');
  commit('fixup! connect: refuse a second callback');
  expect(runCheck('commit-subjects.mjs', folder)).toEqual([]);

  commit('Refuse a second callback');
  commit(`connect: ${'x'.repeat(64)}`);
  expect(runCheck('commit-subjects.mjs', folder)).toEqual([
    `73 characters, at most 72: connect: ${'x'.repeat(64)}`,
    'Does not begin with `area: `: Refuse a second callback',
  ]);
});

test('refuses a new use of the machine’s clock, and an unneeded permission', ({ folder }) => {
  write(folder, {
    'src/vault/create-keys.ts': '// Not `Date.now()`.\nexport const name = () => new Date().toISOString();',
    'src/store/due.ts':
      'export const isDue = (at: Date, other = new Date(0)) => performance.now() > at.getTime() - Number(other);',
  });
  expect(runCheck('process-clock.mjs', folder)).toEqual([]);

  write(folder, {
    'src/vault/create-keys.ts': 'export const name = () => process.pid;',
    'src/store/due.ts': 'export const isDue = (at: Date) => at > new Date();',
    'src/api/http/expiry.tsx':
      'const read = Date.now; export const expired = (atMs: number) => read() + Date.now() > atMs;',
  });
  expect(runCheck('process-clock.mjs', folder).sort()).toEqual([
    'src/api/http/expiry.tsx asks the clock of its machine 2 times, at most 0: use business_now() in SQL',
    'src/store/due.ts asks the clock of its machine 1 times, at most 0: use business_now() in SQL',
    'src/vault/create-keys.ts asks the clock of its machine 0 times: scripts/process-clock.mjs allows 1',
  ]);
});

test('refuses a list of failures or codes outside the table', ({ folder }) => {
  write(folder, {
    'src/basics/failures.ts':
      'const PLATFORM_FAILURES = {\n  RetryLater: {\n  },\n  GrantDead: {\n  },\n};\nconst OWN_FAILURES = {\n  Paused: {\n  },\n};\n',
    'src/basics/failure-codes.ts':
      'const FAILURE_CODES = {\n  INTERNAL: {\n    attempt: {},\n    job: {},\n  },\n  EXPIRED: {\n    attempt: {},\n  },\n};\n',
    'src/store/jobs.ts': "export const OPEN = ['QUEUED', 'RUNNING'];",
    'src/activities/verify-grant.ts': "export const one = ['Paused'].concat(['Paused', 'Other']);",
  });
  expect(runCheck('closed-sets.mjs', folder)).toEqual([]);
  write(folder, {
    'src/activities/verify-grant.ts': "export const one = 1;\nconst ALIVE = [\n  'RetryLater',\n  'Paused',\n];",
    'src/domain/ends.ts': "const PARTLY = ['INTERNAL', 'EXPIRED'] as const;",
  });
  expect(runCheck('closed-sets.mjs', folder).sort()).toEqual([
    'src/activities/verify-grant.ts:2 lists types of failures: derive it from src/basics',
    'src/domain/ends.ts:1 lists result codes: derive it from src/basics',
  ]);
});

test('checks no commit subjects in a folder without git', ({ folder }) => {
  expect(runCheck('commit-subjects.mjs', folder)).toEqual([]);
});
