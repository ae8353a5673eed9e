import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { createMac } from '../../src/vault/mac.ts';
import { PROGRAM } from '../kit/built.ts';
import { test as postgresTest, type TestDatabase } from '../kit/postgres.ts';

type Program = Awaited<ReturnType<typeof openProgram>>;
type Run = Awaited<ReturnType<Program['run']>>;

/** The built program, as an operator starts it. */
const test = postgresTest.extend<{ $file: { program: Program } }>({
  program: [async ({ database }, use) => use(await openProgram(database)), { scope: 'file' }],
});

async function openProgram({ url }: TestDatabase) {
  const keys = await makeKeys();
  const env = {
    PATH: process.env.PATH ?? '',
    DEPLOYMENT: 'development',
    DATABASE_URL: url,
    CONNECT_URL: 'http://localhost:4000',
    VAULT_INBOX_PUBLIC_KEYS: keys.VAULT_INBOX_PUBLIC_KEYS,
    VAULT_EDGE_KEYS: keys.VAULT_EDGE_KEYS,
    VAULT_MAC_KEYS: keys.VAULT_MAC_KEYS,
    TEMPORAL_ADDRESS: '127.0.0.1:9', // Nothing listens there.
  };
  return {
    keys,
    run: (args: readonly string[], input = '', environment: Readonly<Record<string, string>> = {}, cwd?: string) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const child = execFile(
          process.execPath,
          [PROGRAM, ...args],
          { env: { ...env, ...environment }, ...(cwd !== undefined && { cwd }) },
          (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
        child.stdin?.end(input);
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each command prints another object.
const row = ({ code, stdout, stderr }: Run): any => {
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};
describe('the command line', () => {
  test('changes nothing on an unknown option, and names it', async ({ sql, program }) => {
    const [last] = await sql`select coalesce(max(audit_id), 0) as id from audit_log`;
    const keys = Object.fromEntries(
      Object.entries(program.keys).filter(([name]) => /^VAULT_(GRANT|INBOX_PRIVATE|EDGE)_KEYS$/.test(name)),
    );
    for (const args of [
      ['secrets', 'reseal', '--dryrun'],
      ['jobs', 'retry-stuck', '--dryrun'],
      ['outbox', 'retry', '--dryrun'],
      ['app', 'create', '--name', 'Never', '--dryrun'],
    ]) {
      const { code, stdout, stderr } = await program.run(args, '', keys);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Unknown option '--dryrun'\. Usage: .*\n$/);
    }
    const entries =
      await sql`select action, outcome from audit_log where audit_id > ${last?.id ?? 0} order by audit_id`;
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'secrets reseal BAD_USER_INPUT',
      'outbox retry BAD_USER_INPUT', // A command of the admin API sends nothing then.
    ]);
    expect(await sql`select from app where name = 'Never'`).toEqual([]);
  });

  test('prints one sentence on standard error if the database is unusable', async ({ database, program }) => {
    const away = new URL(database.url);
    away.port = '1';
    const unknown = Object.assign(new URL(database.url), { username: 'nobody' });
    for (const [url, words] of [
      [away, 'The database cannot be reached (ECONNREFUSED).\n'],
      [unknown, 'The database refuses the password: see DATABASE_URL (28P01).\n'],
    ] as const) {
      const run = await program.run(['app', 'create', '--name', 'x', '--json'], '', { DATABASE_URL: url.href });
      expect(run).toEqual({ code: 1, stdout: '', stderr: words });
    }
  });
});

test('a restored database is refused by every command except those that bring it up to date', async ({
  sql,
  program,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
  await openJournal(folder, createMac(JSON.parse(program.keys.VAULT_MAC_KEYS))).append([
    { number: 1, entryId: randomUUID(), kind: 'GRANT', id: randomUUID(), at: new Date().toISOString() },
  ]);
  const environment = { ...program.keys, ERASURE_JOURNAL: folder, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const run = (...args: string[]) => program.run(args, '', environment);
  const refused = [
    ['app', 'create', '--name', 'Late'],
    ['jobs', 'retry-stuck'],
    ['outbox', 'retry'],
    ['secrets', 'reseal'],
  ];
  for (const { code, stdout, stderr } of await Promise.all(refused.map((args) => run(...args)))) {
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^This database is older than the erasure journal: it lacks 1 erasure.* Run `restore replay`/,
    );
  }
  expect(await sql`select from app where name = 'Late'`).toEqual([]);
  const [migrated, replayed] = await Promise.all([run('migrate'), run('restore', 'replay', '--dry-run', '--json')]);
  expect(migrated.code, migrated.stderr).toBe(0);
  expect(replayed).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Temporal cannot be used: nothing answers at its address: see TEMPORAL_ADDRESS.\n',
  });

  await rm(folder, { recursive: true });
  const unknown = await run('app', 'create', '--name', 'Late');
  expect([unknown.code, unknown.stdout]).toEqual([1, '']);
  expect(unknown.stderr).toMatch(/^The erasure journal in ERASURE_JOURNAL cannot be read \(ENOENT\)/);
});

test('the audit log is required before any change: an older schema is refused', async ({ sql, program }) => {
  await sql`update schema_migration set name = 'hidden ' || name`;
  const [before] = await sql`select count(*)::int as count from app`;
  const { code, stderr } = await program.run(['app', 'create', '--name', 'Harbour']);
  await sql`update schema_migration set name = replace(name, 'hidden ', '')`;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The database has migrations pending: run `migrate` first.\n',
  });
  expect(await sql`select count(*)::int as count from app`).toEqual([before]);
});

test('an outbox entry that Temporal refuses is listed, and retried on an operator’s command', async ({
  program,
  sql,
}) => {
  await sql`
    insert into outbox (workflow_id, workflow_type, input, refusals, last_failure, next_retry_at)
    values ('disconnect/1', 'disconnect', '{}', 3, 'INVALID_ARGUMENT', business_now() + interval '10 minutes')
  `;
  expect(row(await program.run(['outbox', 'refused', '--json']))).toMatchObject([
    { workflowId: 'disconnect/1', workflowType: 'disconnect', lastFailure: 'INVALID_ARGUMENT', refusals: 3 },
  ]);
  expect(row(await program.run(['outbox', 'retry', '--json']))).toEqual({ retried: 1, delivered: false });
  await sql`delete from outbox where workflow_id = 'disconnect/1'`;
  expect(row(await program.run(['outbox', 'refused', '--json']))).toEqual([]);
});
