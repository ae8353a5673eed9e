import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, inject, vi } from 'vitest';
import { createWorkerService } from '../../local/src/services.ts';
import type { ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { PROGRAM } from '../kit/built.ts';
import { type Answer, ask as askAs, refusalOf } from '../kit/graphql.ts';
import { listJournalFiles } from '../kit/journal.ts';
import { readProcedures, splitCommands } from '../kit/page-blocks.ts';
import type { Person } from '../kit/person.ts';
import { openDatabase } from '../kit/postgres.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { operator } from './operator.ts';

const JOURNAL = mkdtempSync(path.join(tmpdir(), 'journal-'));
afterAll(() => rmSync(JOURNAL, { recursive: true }));

const NOTICED = { interval: 50 };

/** A process serves metrics before it checks the database. They must not keep it running if it refuses the database. */
const METRICS = { API_METRICS_PORT: '0', WORKER_METRICS_PORT: '0' };
const test = stackTest({ adjustments: { ERASURE_JOURNAL: JOURNAL, ...METRICS } });

/** Copies the whole database while no process writes to it. */
async function backUp({ database }: TestService) {
  const maintenance = openDatabase(new Secret(inject('maintenanceUrl')), { poolSize: 1, applicationName: 'tests' });
  const [name, copy] = [new URL(database.url).pathname.slice(1), `backup_${randomUUID().replaceAll('-', '')}`];
  const clone = async (to: string, from: string) => {
    await maintenance`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`;
    await maintenance`create database ${maintenance(to)} template ${maintenance(from)}`;
  };
  await clone(copy, name);
  return {
    async restore() {
      await maintenance`drop database ${maintenance(name)} with (force)`;
      await clone(name, copy);
      // Its old connections are gone. Each fails once; the next ones are new.
      const each = Array.from({ length: database.sql.options.max }, () => database.sql`select pg_sleep(0.1)`);
      await Promise.allSettled(each);
    },
    async drop() {
      await maintenance`drop database ${maintenance(copy)} with (force)`;
      await maintenance.end();
    },
  };
}

const stopAll = ({ apis, workers }: TestService) => Promise.all([...apis, ...workers].map((part) => part.stop()));
const startAll = ({ apis, workers }: TestService) => Promise.all([...apis, ...workers].map((part) => part.start()));

/** The page's commands, in the worker's environment: they stand after "Stop all apis and workers" and "Restore the database". */
const [DRY_RUN = '', REPLAY = '', ...OTHERS] = readProcedures('docs/backup.md').flatMap(({ text }) =>
  splitCommands(text),
);
const type = (command: string) => command.replace('node dist/main.js', `exec '${process.execPath}' '${PROGRAM}'`);
const environmentOf = ({ settings }: TestService) => createWorkerService(settings).env;

async function replay(service: TestService, command: string): Promise<Answer> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${type(command)} --json`], {
    env: environmentOf(service),
  });
  return JSON.parse(stdout);
}

/** Kills a replay with `kill -9` as soon as it waits for the row of a key, which is locked. Its other lines come before or after that. */
async function killReplayAtKey(service: TestService, keyId: string): Promise<void> {
  const { sql } = service.database;
  const isWaiting = async () => {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = 'cli' and wait_event_type = 'Lock'
    `;
    return rows.length > 0;
  };
  await sql.begin(async (tx) => {
    await tx`select from app_key where key_id = ${keyId} for update`;
    const child = spawn('sh', ['-c', type(REPLAY)], { env: environmentOf(service), stdio: 'ignore' });
    const ended = once(child, 'exit');
    await vi.waitUntil(isWaiting, NOTICED);
    child.kill('SIGKILL');
    await ended;
  });
}

/** A person with an account that has been connected and read. */
async function connected(person: Person, provider: ProviderName, note: RegExp) {
  const account = person.account(provider, note);
  const { connectionId } = await person.connect(provider, account);
  await person.synced(connectionId);
  return { person, account, connectionId: connectionId as string };
}

test('a restored backup revives no erased data or revoked keys', async ({ service, newPerson, newTrouble, expect }) => {
  const { app, database, sandbox } = service;
  const [left, waiting, forgotten, staying] = [
    await connected(newPerson(), 'PROVIDER_B', /^250 posts/),
    await connected(newPerson(), 'PROVIDER_B', /^40 posts/),
    await connected(newPerson(), 'PROVIDER_A', /posts/),
    await connected(newPerson(), 'PROVIDER_C', /^250 posts/),
  ];
  const gone = [left, waiting, forgotten].map(({ connectionId }) => connectionId);
  const issued = 'mutation ($i: IssueKeyInput!) { issueKey(input: $i) { key { id } secret } }';
  const askAdmin = await operator(service);
  const { issueKey } = await askAdmin(issued, { i: { appId: app.appId } });

  await stopAll(service);
  const backup = await backUp(service);
  await startAll(service);

  // One connection is erased, one waits for its provider, one person is erased completely, and a key is revoked.
  const outage = newTrouble({
    provider: 'PROVIDER_B',
    route: 'revoke',
    account: waiting.account,
    what: { kind: 'status', status: 503, retryAfterSeconds: 3_000 },
  });
  const { revoke, erase } = await left.person.disconnect(left.connectionId);
  expect([revoke.status, erase.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  await waiting.person.ask('disconnectConnection', { connectionId: waiting.connectionId });
  await outage.met();
  const { externalSubjectId } = forgotten.person.scope;
  const forget = 'mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { connectionCount } }';
  await askAdmin(forget, { i: { appId: app.appId, tenantKey: app.tenantKey, externalSubjectId } });
  await askAdmin('mutation ($id: ID!) { revokeKey(id: $id) { id } }', { id: issueKey.key.id });
  const stillThere = async (...ids: string[]) =>
    (await database.sql`select from connection where connection_id = any(${ids}::uuid[])`).length;
  await vi.waitUntil(async () => (await stillThere(left.connectionId, forgotten.connectionId)) === 0, NOTICED);
  await vi.waitUntil(async () => (await database.sql`select from journal_entry`).length === 0, NOTICED);

  await stopAll(service);
  // It forgets its workers. Otherwise each replay first watches for a minute that none of them polls again.
  await service.temporal.stop();
  await service.temporal.start();
  await backup.restore();
  expect(await stillThere(...gone)).toBe(gone.length);
  for (const part of [...service.apis, ...service.workers]) {
    await expect(part.start()).rejects.toThrow(/ended \(code 1\).*older than the erasure journal/s);
  }

  // A replay that is killed in its middle leaves a database that is still refused, and the next one continues it.
  const isForgotten = async () =>
    (await database.sql`select from scope where external_subject_id = ${externalSubjectId}`).length === 0;
  await killReplayAtKey(service, issueKey.key.id);
  expect(
    await database.sql`select from connection where connection_id = any(${gone}::uuid[]) and status = 'DISCONNECTED'`,
  ).toHaveLength(gone.length);
  expect(await isForgotten()).toBe(false);
  const running = `WorkflowType = 'disconnect' and ExecutionStatus = 'Running'`;
  await expect.poll(async () => (await service.temporalClient.workflow.count(running)).count).toBe(0);
  await expect(service.workers[0]?.start()).rejects.toThrow(/older than the erasure journal/);
  expect(OTHERS).toEqual([]);
  const planned = await replay(service, DRY_RUN);
  expect(planned).toMatchObject({ lines: expect.any(Number), repeated: 0 });
  expect(await isForgotten()).toBe(false);
  const done = await replay(service, REPLAY);
  expect(done).toMatchObject({ lines: planned.lines, repeated: 2 }); // The key and the person.
  expect(await database.sql`select from content_item where connection_id = any(${gone}::uuid[])`).toHaveLength(0);
  expect(await isForgotten()).toBe(true);

  outage.end();
  await startAll(service);
  await vi.waitUntil(async () => (await stillThere(...gone)) === 0, NOTICED);
  // Callers read the receipts that they have stored: Temporal knew them.
  for (const { id, status } of [revoke, erase])
    expect(await left.person.ask('syncJob', { connectionId: left.connectionId, id })).toMatchObject({ id, status });
  expect(waiting.person.liveGrants(waiting.account)).toHaveLength(0);
  const asked = askAs(`${service.apiUrls[0]}/graphql`, issueKey.secret, 'integrationReadiness');
  expect(await refusalOf(asked)).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await staying.person.connection(staying.connectionId)).toMatchObject({ status: 'CONNECTED' });
  expect(sandbox.control.calls({ route: 'revoke', account: waiting.account }).at(-1)).toMatchObject({ fault: null });

  const journal = listJournalFiles(JOURNAL).map((file) => readFileSync(file, 'utf8'));
  expect(journal.join('')).toContain(waiting.connectionId);
  const told = [externalSubjectId, app.tenantKey, ...[left, waiting, forgotten].map(({ account }) => account)];
  for (const words of told) expect(journal.join('')).not.toContain(words);
  await backup.drop();
});
