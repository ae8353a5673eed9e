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

const CLOSED_SETS = {
  'src/basics/failures.ts':
    'const PLATFORM_FAILURES = { RetryLater: { job: 1 }, GrantDead: { job: 2 } } as const satisfies Record<string, object>;\n' +
    'export const OWN_FAILURES = { Paused: {}, NotWanted: {} };\nexport type Reason = "MAX_ITEMS" | "PROVIDER_LIMIT";',
  'src/basics/failure-codes.ts': 'const FAILURE_CODES = { INTERNAL: { attempt: {} }, EXPIRED: { attempt: {} } };',
  'src/basics/codes.ts':
    "export const JOB_STATUSES = ['QUEUED', 'RUNNING', 'FAILED'] as const;\nexport const KINDS = ['SCAN', 'LOOKUP'] as const;\n" +
    "export const OPEN = ['QUEUED', 'RUNNING'] as const; export const LANGUAGES = ['de', 'en'];",
};

const LISTS = {
  'an array': "const ALIVE = [\n  'RetryLater',\n  'Paused',\n];",
  'an array across two sets': "const ENDS = ['GrantDead', 'EXPIRED'];",
  'a set': "const ENDS = new Set(['SCAN', 'LOOKUP']);",
  'a partial object': "const TEXTS: Partial<Record<Status, string>> = { QUEUED: 'waits', FAILED: 'failed' };",
  'a chain': "const isOpen = status === 'QUEUED' || 'RUNNING' === status;",
  'a switch with a default': "switch (type) { case 'QUEUED': case 'RUNNING': break; default: go(); }",
  'a list in SQL': "const open = sql`select from job where id = 1 and status in ('QUEUED', 'RUNNING')`;",
  'a comment that gives no reason': "// A list of its own:\nconst ALIVE = ['RetryLater', 'Paused'];",
};
const NO_LISTS = {
  'one member': "const one = ['Paused'].concat(['Paused', 'Other', 'More']);",
  'a complete object': "const TEXTS = { QUEUED: 'waits', RUNNING: 'runs', FAILED: 'failed' };",
  'an object that the compiler completes':
    "const TEXTS = { QUEUED: 1, FAILED: 2 } as const satisfies Record<Exclude<Status, 'RUNNING'>, number>;",
  'a switch that the compiler completes': "switch (type) { case 'QUEUED': case 'RUNNING': case 'FAILED': go(); }",
  'one status in SQL': "const open = sql`select from job where status in ('QUEUED') or kind = 'SCAN'`;",
  'an excused list': "/** A list of its own: the platform's words. */\nconst ALIVE = { of: ['RetryLater', 'Paused'] };",
};

test('refuses lists of members of a closed set, in every form', ({ folder }) => {
  const probes = (cases: Readonly<Record<string, string>>, extension: string) =>
    Object.fromEntries(
      Object.entries(cases).map(([name, text]) => [`src/domain/${name.replaceAll(' ', '-')}.${extension}`, text]),
    );
  write(folder, { ...CLOSED_SETS, ...probes(NO_LISTS, 'ts') });
  expect(runCheck('closed-sets.mjs', folder)).toEqual([]);
  write(folder, {
    ...probes(LISTS, 'ts'),
    'console/src/page.tsx': "export const Page = () => <p>{['QUEUED', 'RUNNING'].includes(status) && 'open'}</p>;",
    'src/generated/schema.ts': "export const OPEN = ['QUEUED', 'RUNNING'];",
    'src/store/excuse.ts': "// A list of its own: there is none.\nconst one = 'QUEUED';",
  });
  expect(
    runCheck('closed-sets.mjs', folder)
      .map((problem) => problem.replace(/:\d+ (\w+) .*/, ' $1'))
      .sort(),
  ).toEqual(
    [
      ...Object.keys(probes(LISTS, 'ts')).map((file) => `${file} lists`),
      'console/src/page.tsx lists',
      'src/store/excuse.ts excuses',
    ].sort(),
  );
});
