import { randomUUID } from 'node:crypto';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createWorkerService } from '../../local/src/services.ts';
import { type AppId, type AttemptId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { createDispatcher } from '../../src/outbox/dispatcher.ts';
import { type Database, inTransaction, openDatabase } from '../../src/store/driver/sql.ts';
import { insertDispatch } from '../../src/store/outbox.ts';
import { buildDispatch } from '../../src/workflows/dispatches.ts';
import { createTestDatabase } from '../kit/postgres.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { type OwnServer, startServer } from './postgres-server.ts';
import { call, hasProgram, serve } from './programs.ts';

describe('next to a running installation', () => {
  let service: TestService;
  let maintenance: Database;
  let client: Client;
  const copies: string[] = [];
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    service = await startTestService({ workers: 2 });
    maintenance = openDatabase(new Secret(inject('maintenanceUrl')), { poolSize: 1, applicationName: 'tests' });
    client = new Client({
      connection: await Connection.connect({ address: service.settings.temporal.TEMPORAL_ADDRESS ?? '' }),
    });
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await service.stop();
    for (const copy of copies) await maintenance`drop database ${maintenance(copy)} with (force)`;
    await maintenance.end();
    await client.connection.close();
  });

  const environment = (databaseUrl: string): Record<string, string> => ({
    ...createWorkerService({ ...service.settings, databaseUrl }).env,
    WORKER_HEALTH_PORT: '0',
  });

  /** Commits an intent to start a workflow, and tries to deliver it. @returns the workflow's id */
  async function deliver(sql: Database): Promise<string> {
    const dispatch = buildDispatch('connectAttempt', {
      attemptId: newId<AttemptId>(),
      appId: newId<AppId>(),
      provider: 'PROVIDER_B',
      expiresAt: new Date(Date.now() + 600_000),
      correlationId: newId<CorrelationId>(),
    });
    await inTransaction(sql, (tx) => insertDispatch(tx, dispatch));
    const dispatcher = createDispatcher({ sql, client, taskQueue: 'accounts', log: createLog('silent') });
    closing.push(() => dispatcher.close());
    dispatcher.deliverSoon();
    return dispatch.workflowId;
  }

  /** @returns undefined if the entry is gone */
  async function failureOf(sql: Database, workflowId: string): Promise<string | null | undefined> {
    const [row] = await sql`select last_failure from outbox where workflow_id = ${workflowId}`;
    return row?.lastFailure as string | null | undefined;
  }

  test('a worker with another database exits, and the running one continues', async () => {
    const other = await createTestDatabase();
    await other.sql`update installation set installation_id = gen_random_uuid()`;
    const ended = await serve(['worker'], environment(other.urls.worker));
    expect(ended).toMatchObject({ code: 1, text: expect.stringContaining('belongs to another installation') });
    await other.drop();
    expect(service.workers[0]?.pid).toBeDefined();
  });

  test('a drill with a copy counts the objects that it would end, and ends nothing', async () => {
    await service.workers[1]?.stop(); // Temporal lists it for five minutes.
    const name = new URL(service.database.url).pathname.slice(1);
    const copy = `copy_${randomUUID().replaceAll('-', '')}`;
    copies.push(copy);
    const waiting = await client.workflow.start('disconnect', {
      taskQueue: 'accounts',
      workflowId: `waits-${randomUUID()}`,
      args: [{}],
      startDelay: '1 hour',
    });
    await maintenance`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    await maintenance`create database ${maintenance(copy)} template ${maintenance(name)}`;
    const at = (login: 'worker' | 'maintenance') => service.database.urls[login].replace(name, copy);
    const drill = { ...environment(at('maintenance')), ERASURE_JOURNAL: service.settings.folder };
    const dry = await serve(['restore', 'replay', '--dry-run'], drill);
    expect(dry).toMatchObject({
      code: 0,
      text: expect.stringMatching(/[1-9]\d* workflow\(s\) to end\nThe replay would be refused\. Workers poll/),
    });
    expect(await serve(['restore', 'replay'], drill)).toMatchObject({
      code: 1,
      text: expect.stringContaining('Workers poll the task queue accounts'),
    });
    expect((await waiting.describe()).status.name).toBe('RUNNING');

    const copied = openDatabase(new Secret(at('worker')), { poolSize: 2, applicationName: 'tests' });
    const [foreign, own] = [await deliver(copied), await deliver(service.database.sql)];
    await expect.poll(() => failureOf(copied, foreign)).toBe('FOREIGN_QUEUE');
    await expect.poll(() => failureOf(service.database.sql, own)).toBeUndefined(); // Delivered.
    await expect(client.workflow.getHandle(foreign).describe()).rejects.toThrow(WorkflowNotFoundError);
    await client.workflow.getHandle(own).describe();
    await copied.end();

    const worker = await serve(['worker'], environment(at('worker')), { timeoutMs: 20_000 });
    expect(worker.text).toContain('Workers with a copy of this database, or with its original, poll the task queue');
    expect(worker.text).not.toContain('Worker ready');
    await waiting.terminate();
  });
});

describe.skipIf(!hasProgram('psql'))('on one server, by an administrator without superuser rights', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await startServer();
    await server.sql.unsafe(`create role master login createrole createdb password '${server.password}'`);
  });
  afterAll(() => server.stop());

  const urlOf = (user: string, database: string) =>
    `postgres://${user}:${server.password}@127.0.0.1:${server.port}/${database}`;

  /** The statements of docs/production.md, for a prefix. */
  const setUp = (prefix: string) =>
    call('psql', [
      '--no-psqlrc',
      '--set=ON_ERROR_STOP=1',
      `--dbname=${urlOf('master', 'postgres')}`,
      ...['api', 'worker', 'maintenance', 'readonly'].map((name) => `--command=create role ${prefix}_${name}`),
      `--command=create role ${prefix}_owner login password '${server.password}'`,
      `--command=grant ${prefix}_owner to current_user`,
      `--command=create database ${prefix}_data owner ${prefix}_owner`,
      `--command=create role ${prefix}_api_login login password '${server.password}' in role ${prefix}_api`,
    ]);
  const migrate = (prefix: string, roles: string) =>
    serve(['migrate'], {
      DEPLOYMENT: 'development',
      LOG_LEVEL: 'error',
      DATABASE_URL: urlOf(`${prefix}_owner`, `${prefix}_data`),
      DATABASE_ROLE_PREFIX: roles,
    });

  test('two installations have no rights in the database of the other', async () => {
    for (const prefix of ['accounts', 'staging']) {
      expect(await setUp(prefix)).toMatchObject({ code: 0 });
      if (prefix === 'staging')
        expect(await migrate(prefix, 'accounts')).toMatchObject({
          code: 1,
          text: expect.stringContaining('already have rights in another database of this server (accounts_data)'),
        });
      expect(await migrate(prefix, prefix)).toEqual({ code: 0, text: '' });
    }
    const [row] = await server.sql`
      select has_database_privilege('staging_api_login', 'accounts_data', 'connect') as foreign,
        has_database_privilege('staging_api_login', 'staging_data', 'connect') as own
    `;
    expect(row).toEqual({ foreign: false, own: true });
  });
});
