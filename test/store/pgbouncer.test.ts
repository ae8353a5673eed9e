import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { findPostgresUser } from '../../local/src/postgres-programs.ts';
import { Secret } from '../../src/basics/secret.ts';
import { listDatabaseFaults, listFaultsInTime, refuseSharedSessions } from '../../src/store/database-faults.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { migrate } from '../../src/store/migrate.ts';
import { listen } from '../../src/store/notifications.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';

/** Of the package `pgbouncer`, which npm does not have. */
const PROGRAM = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']
  .map((folder) => path.join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));
/** The numbers of docs/failover.md. */
const IGNORED =
  'statement_timeout, lock_timeout, idle_in_transaction_session_timeout, tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count, IntervalStyle, bytea_output, search_path, default_transaction_isolation';

async function startPooler(
  url: string,
  settings: Record<string, string>,
): Promise<{ open(login: string): Database; urlOf(login: string): string }> {
  const { hostname, port, password } = new URL(url);
  const run = await openRunFolder();
  const file = path.join(run.folder, 'pgbouncer.ini');
  const users = path.join(run.folder, 'users.txt');
  const own = { listen_addr: LOOPBACK, listen_port: await findFreePort(), unix_socket_dir: '', auth_file: users };
  const all = Object.entries({ ...own, auth_type: 'scram-sha-256', ...settings });
  writeFileSync(
    file,
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${all.map((each) => each.join(' = ')).join('\n')}\n`,
  );
  writeFileSync(users, ['accounts', 'api', 'worker'].map((user) => `"${user}" "${password}"\n`).join(''));
  const pooler = new Part(
    {
      name: 'pgbouncer',
      program: PROGRAM ?? '',
      args: [file],
      env: {},
      cwd: run.folder,
      user: findPostgresUser(),
      stop: { signal: 'SIGINT', patienceMs: 5_000 },
      isReady: async () => readFileSync(path.join(run.logs, 'pgbouncer.log'), 'utf8').includes('process up'),
    },
    run,
  );
  await pooler.start();
  const pools: Database[] = [];
  onTestFinished(async () => {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    await pooler.stop();
    run.remove();
  });
  const urlOf = (login: string) => Object.assign(new URL(url), { port: own.listen_port, username: login }).href;
  const open = (login: string) => {
    const pool = openDatabase(new Secret(urlOf(login)), { poolSize: 3, applicationName: 'pooled' });
    pools.push(pool);
    return pool;
  };
  return { open, urlOf };
}

async function createLimitedDatabase() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const limits = { statement_timeout: '15s', lock_timeout: '10s', idle_in_transaction_session_timeout: '30s' };
  const name = new URL(database.url).pathname.slice(1);
  for (const [limit, value] of Object.entries(limits)) {
    await database.sql.unsafe(`alter role worker in database "${name}" set ${limit} = '${value}'`);
  }
  return database;
}

describe.skipIf(PROGRAM === undefined)('PgBouncer', () => {
  test('is named if it refuses the settings of our sessions', async ({ database: { url } }) => {
    const { open } = await startPooler(url, { pool_mode: 'session' });
    expect(await listFaultsInTime(open('worker'), 'worker')).toEqual([
      'a pooler refuses the settings of our sessions (docs/failover.md lists the settings that it must ignore)',
    ]);
  });

  test('works in session mode: migrations, statements and notifications', async () => {
    const { url } = await createLimitedDatabase();
    const { open, urlOf } = await startPooler(url, { pool_mode: 'session', ignore_startup_parameters: IGNORED });
    const worker = open('worker');
    expect(await listDatabaseFaults(worker, 'worker')).toEqual([]);
    await refuseSharedSessions(worker);
    expect(await migrate(open('accounts'))).toEqual([]);
    const heard = new Promise((resolve) => {
      const listener = listen(
        new Secret(urlOf('worker')),
        { channel: 'attempt_ended', applicationName: 'test' },
        {
          notified: resolve,
          listening: () => void worker`select pg_notify('attempt_ended', 'one')`.execute(),
          lost: () => undefined,
        },
      );
      onTestFinished(() => listener.close());
    });
    expect(await heard).toBe('one');
  });
});
