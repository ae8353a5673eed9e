import { type AddressInfo, createServer } from 'node:net';
import postgres from 'postgres';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import type { Log } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { listDatabaseFaults, listFaultsInTime, refuseSharedSessions } from '../../src/store/database-faults.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { watchCommits } from '../../src/store/watch-commits.ts';
import { stretch } from '../kit/busy.ts';
import { test } from '../kit/postgres.ts';

function open(url: string, connection?: Record<string, string>): Database {
  const sql =
    connection === undefined
      ? openDatabase(new Secret(url), { poolSize: 1, applicationName: 'faults' })
      : postgres(url, { max: 1, connection, transform: { column: { from: postgres.toCamel } } });
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

describe('a session of the service', () => {
  test('ends frozen and lost sessions, on the side of the server', async ({ database: { urls } }) => {
    const [row] = await open(urls.worker)`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('tcp_keepalives_idle') as keepalive
    `;
    expect(row).toEqual({ statement: '15s', lock: '10s', idle: '30s', keepalive: '30' });
  });

  test('is not fit behind a pooler that drops its time limits', async ({ database: { urls } }) => {
    const [fault = '', ...more] = await listDatabaseFaults(open(urls.worker, { lock_timeout: '10s' }), 'worker');
    expect(more).toEqual([]);
    expect(fault).toContain(
      'no statement_timeout, idle_in_transaction_session_timeout: a pooler in between drops them',
    );
  });

  test('is not fit while the database accepts no writes', async ({ ownDatabase: database }) => {
    const name = new URL(database.url).pathname.slice(1);
    await database.sql`alter database ${database.sql(name)} set default_transaction_read_only = on`;
    expect(await listDatabaseFaults(open(database.urls.worker), 'worker')).toEqual(['the database is read-only']);
    await database.sql`alter database ${database.sql(name)} reset default_transaction_read_only`;
    expect(await listDatabaseFaults(open(database.urls.api), 'api')).toEqual([]);
  });
});

test('commits that wait for a standby are in the log', async ({ ownDatabase: database }) => {
  // Instead of the sessions of the server.
  await database.sql`create table public.pg_stat_activity (usename name, wait_event text, query_start timestamptz)`;
  await database.sql`grant select on public.pg_stat_activity to public`;
  await database.sql`insert into public.pg_stat_activity values ('worker', 'SyncRep', now() - interval '1 minute')`;
  const worker = open(database.urls.worker);
  await worker`set search_path = public, pg_catalog`;
  const log = { error: vi.fn(), info: vi.fn() };
  const watching = watchCommits({ watch: worker }, log as unknown as Log, 1);
  onTestFinished(() => watching.close());
  await vi.waitUntil(() => log.error.mock.calls.length > 0);
  expect(log.error).toHaveBeenCalledWith('Commits wait for a synchronous standby', { count: 1 });
});

test('a pooler that shares sessions is refused, and both connections of the check are closed', async ({
  ownDatabase: database,
}) => {
  const listSessions = async () => {
    const rows =
      await database.sql`select from pg_stat_activity where application_name = 'faults' and datname = current_database()`;
    return rows.length;
  };
  const own = open(database.urls.worker);
  const { connection } = own.options as { connection: Record<string, unknown> };
  await refuseSharedSessions(own);
  await expect.poll(listSessions).toBe(0);
  // As behind such a pooler, two connections have the same session.
  await database.sql`create function public.pg_backend_pid() returns int language sql return 1`;
  connection.search_path = 'public, pg_catalog';
  await expect(refuseSharedSessions(own)).rejects.toThrow(
    'A pooler before the database shares sessions: set its pool_mode to session (docs/failover.md).',
  );
  await expect.poll(listSessions).toBe(0);
});

test('a process that asks if it is ready notices a database that is away, and does not wait for one that hangs', async () => {
  const away = open(`postgres://nobody@${LOOPBACK}:${await findFreePort()}/nothing`);
  expect(await listFaultsInTime(away, 'worker')).toEqual(['the database cannot be reached']);
  const silent = createServer((socket) => void socket.resume());
  await new Promise<void>((resolve) => void silent.listen(0, LOOPBACK, resolve));
  onTestFinished(() => void silent.close());
  const hanging = open(`postgres://nobody@${LOOPBACK}:${(silent.address() as AddressInfo).port}/nothing`);
  const askedAtMs = performance.now();
  expect(await listFaultsInTime(hanging, 'worker')).toEqual(['the database does not answer in time']);
  expect(performance.now() - askedAtMs).toBeLessThan(stretch(4_500));
});
