import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import { buildDatabaseUrl, ensureDatabase } from '../../local/src/postgres.ts';
import { findPostgresUser } from '../../local/src/postgres-programs.ts';
import { Secret } from '../../src/basics/secret.ts';
import { listDatabaseFaults } from '../../src/store/database-faults.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { migrate } from '../../src/store/migrate.ts';
import { grantRights } from '../../src/store/rights.ts';
import { prepareCluster } from '../kit/cluster.ts';
import { test } from '../kit/postgres.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import { listChangedColumns, RELEASES, restoreFixture } from '../releases/release-fixture.ts';

/** For each version a folder, and in it the one of all its programs, `pg_dump` and `pg_upgrade` too. `npm run test:postgres` names them. */
const WHOLE: Readonly<Record<string, { folder: string; bin: string }>> = JSON.parse(process.env.POSTGRES_WHOLE ?? '{}');
const MAJORS = Object.keys(WHOLE);
const NEWEST = MAJORS.at(-1) ?? '';
const FIXTURE = path.join(RELEASES, '0.1.0');
const password = randomBytes(16).toString('hex');

interface Server {
  readonly bin: string;
  readonly data: string;
  readonly port: number;
  readonly url: (database: string, login?: string) => string;
  /** Runs one of its programs to its end. */
  call(program: string, ...args: string[]): Promise<unknown>;
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Creates an empty cluster, as in the manual. */
async function createServer(major: string, ...initdb: string[]): Promise<Server> {
  const run = await openRunFolder();
  const user = findPostgresUser();
  const bin = path.join(run.folder, 'programs', WHOLE[major]?.bin ?? '');
  const work = path.join(run.folder, 'work');
  const passwordFile = path.join(run.folder, 'password');
  cpSync(WHOLE[major]?.folder ?? '', path.join(run.folder, 'programs'), { recursive: true });
  mkdirSync(work, { mode: 0o700 });
  writeFileSync(passwordFile, password);
  if (user !== undefined) for (const file of [work, passwordFile]) chownSync(file, user.uid, user.gid);
  const data = path.join(work, 'data');
  const port = await findFreePort();
  const connection = { PGHOST: LOOPBACK, PGPORT: String(port), PGUSER: 'accounts', PGPASSWORD: password };
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', ...connection };
  const call = (program: string, ...args: string[]) =>
    promisify(execFile)(path.join(bin, program), args, { cwd: work, env, ...user });
  const url = (database: string, login = 'accounts') =>
    Object.assign(new URL(buildDatabaseUrl({ port, password }, database)), { username: login }).href;
  const options = `-p ${port} -c listen_addresses=${LOOPBACK} -c unix_socket_directories=${work} -c fsync=off`;
  const stop = () => call('pg_ctl', 'stop', '-D', data, '-m', 'fast');
  onTestFinished(async () => {
    await stop().catch(() => undefined); // It may have been stopped.
    run.remove();
  });
  const auth = ['--username=accounts', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  await call('initdb', `--pgdata=${data}`, ...auth, '--encoding=UTF8', '--locale=C.UTF-8', ...initdb);
  return {
    bin,
    data,
    port,
    url,
    call,
    stop,
    // Its output goes to a file: a server that has ours would keep it open.
    start: () => call('pg_ctl', 'start', '-w', '-D', data, '-o', options, '-l', path.join(work, 'log')),
  };
}

/** Fills a database of a server as a release did. */
async function fillServer({ port, data }: Server): Promise<void> {
  const options = { port, password, data, cache: '', user: undefined, durable: false };
  await prepareCluster(options);
  const sql = openDatabase(new Secret(await ensureDatabase(options, 'accounts')), OWNER);
  await restoreFixture(sql, FIXTURE);
  await migrate(sql);
  await grantRights(sql);
  await sql.end();
}
const OWNER = { poolSize: 2, applicationName: 'tests' };

/** The processes can work with it, and it has the rows that it had. */
async function expectSame({ url, call }: Server): Promise<void> {
  const sql = openDatabase(new Secret(url('accounts')), OWNER);
  const [api, worker] = (['api', 'worker'] as const).map((login) =>
    openDatabase(new Secret(url('accounts', login)), OWNER),
  );
  onTestFinished(async () => {
    await Promise.all([sql, api, worker].map((pool) => pool?.end({ timeout: 1 })));
  });
  expect(await migrate(sql)).toEqual([]);
  if (api) expect(await listDatabaseFaults(api, 'api')).toEqual([]);
  if (worker) expect(await listDatabaseFaults(worker, 'worker')).toEqual([]);
  expect(await listChangedColumns(sql, FIXTURE)).toEqual([]);
  await call('pg_amcheck', '--install-missing', '--heapallindexed', 'accounts'); // Each index finds each row.
}

describe.runIf(MAJORS.length > 1)('a filled database', () => {
  test.for(MAJORS)('of Postgres %s is dumped, and restored into the newest', async (major) => {
    const old = await createServer(major);
    await old.start();
    await fillServer(old);
    const server = await createServer(NEWEST);
    await server.start();
    // The programs of the newest version, which know the older ones.
    const from = ['--host', LOOPBACK, '--port', String(old.port), '--username', 'accounts'];
    const [roles, dump] = ['roles.sql', 'accounts.dump'].map((name) => path.join(path.dirname(server.data), name));
    await server.call('pg_dumpall', ...from, '--globals-only', '--file', roles ?? '');
    await server.call('pg_dump', ...from, '--format', 'custom', '--file', dump ?? '', 'accounts');
    await server.call('psql', '--quiet', '--file', roles ?? '', 'postgres');
    await server.call('createdb', 'accounts');
    await server.call('pg_restore', '--exit-on-error', '--dbname', 'accounts', dump ?? '');
    await expectSame(server);
  });

  test.for(MAJORS.slice(0, -1))('of Postgres %s becomes one of the newest by pg_upgrade', async (major) => {
    const old = await createServer(major);
    await old.start();
    await fillServer(old);
    await old.stop();
    const server = await createServer(NEWEST, '--no-data-checksums'); // As the older one.
    await server.call('pg_upgrade', '--old-bindir', old.bin, '--old-datadir', old.data, '--new-datadir', server.data);
    await server.start();
    await server.call('vacuumdb', '--all', '--analyze-in-stages');
    await expectSame(server);
  });
});
