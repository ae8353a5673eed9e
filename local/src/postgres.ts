import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { LOOPBACK } from './ports.ts';
import { findPostgresPrograms, type PostgresUser } from './postgres-programs.ts';
import { endProcess, identifyProcess, listProcessesIn, readCommandLine } from './process.ts';
import type { Service } from './service.ts';

/** The only role. It owns everything in a database server for one developer. */
const ROLE = 'accounts';
/** Sorts and compares the same on every platform, unlike the system's locales. Postgres 17 or newer. */
const LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
/** Fast shutdown: aborts open transactions and leaves a clean data directory. */
const STOP = { signal: 'SIGINT', patienceMs: 10_000 } as const;

export interface ClusterOptions {
  /** The data directory. Its parent must exist, and `user` must be able to enter it. */
  readonly data: string;
  /** The folder for a copy of the programs, if one is needed. */
  readonly cache: string;
  readonly user: PostgresUser | undefined;
  readonly port: number;
  readonly password: string;
  /** False is several times faster, and loses the data if the machine crashes: for tests. */
  readonly durable: boolean;
  /** The folder of the npm package with the programs, if not the installed one. */
  readonly package?: string | undefined;
  /** How `initdb` sets the locale, if not as usual. */
  readonly locale?: readonly string[] | undefined;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** @internal */
export function buildDatabaseUrl(
  { port, password }: Pick<ClusterOptions, 'port' | 'password'>,
  database: string,
): string {
  return `postgres://${ROLE}:${password}@${LOOPBACK}:${port}/${database}`;
}

/** Creates the cluster unless it exists, and describes its service. It listens on loopback only and needs a password. */
export async function createPostgresService(options: ClusterOptions): Promise<Service> {
  const { data, user, port, durable } = options;
  const programs = findPostgresPrograms(options.cache, user, options.package);
  const bin = (name: string) => path.join(programs.folder, 'bin', name);
  const as = { cwd: path.dirname(data), env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }, ...user };
  if (!existsSync(path.join(data, 'PG_VERSION'))) await initialize(bin('initdb'), as, options);
  refuseOtherVersion(data, programs.majorVersion);
  await clearStalePid(data);

  const settings = {
    port: String(port),
    listen_addresses: LOOPBACK,
    unix_socket_directories: '', // No socket: its path can be too long, and the port is enough.
    max_connections: '200',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  return {
    name: 'postgres',
    program: bin('postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: { ...as.env, ...options.env },
    cwd: as.cwd,
    user,
    stop: STOP,
    isReady: async () => saysReady(data) && (await answersQueries(buildDatabaseUrl(options, 'postgres'))),
  };
}

/** Creates the database unless it exists. */
export async function ensureDatabase(options: ClusterOptions, database: string): Promise<string> {
  const sql = postgres(buildDatabaseUrl(options, 'postgres'), { max: 1 });
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${database}`;
    if (found === undefined) await sql`create database ${sql(database)}`;
  } finally {
    await sql.end();
  }
  return buildDatabaseUrl(options, database);
}

/** Creates the cluster under another name and renames it when complete, so that an aborted run leaves no cluster. */
async function initialize(
  initdb: string,
  as: { cwd: string; env: Record<string, string> },
  { data, user, password, durable, locale = LOCALE }: ClusterOptions,
): Promise<void> {
  const draft = `${data}.draft`;
  const passwordFile = `${data}.password`;
  for (const leftover of [data, draft]) rmSync(leftover, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const file of [draft, passwordFile]) chownSync(file, user.uid, user.gid);
  const args = [
    `--pgdata=${draft}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...locale,
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await promisify(execFile)(initdb, args, as);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(`Postgres could not create its data directory ${data}: ${reason}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, data);
}

function refuseOtherVersion(data: string, majorVersion: string): void {
  const version = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (version === majorVersion) return;
  throw new Error(
    `Postgres ${version} wrote the local data, but this is Postgres ${majorVersion}. "npm start -- --fresh" deletes the data and starts again.`,
  );
}

/**
 * Ends a server that still runs on this data, and removes the pid file of one that was killed. Postgres ignores a stale
 * pid file itself unless another process, or a zombie in a container without an init process, has that id.
 */
async function clearStalePid(data: string): Promise<void> {
  const file = pidFile(data);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  const left = identifyProcess(pid);
  if (left === undefined && process.platform !== 'linux') return;
  if (left !== undefined && readCommandLine(pid).includes(data)) await endProcess(left, STOP);
  const giveUpAt = Date.now() + STOP.patienceMs;
  while (listProcessesIn(data).length > 0) {
    // Its children end when they notice that it is gone. Until then the data is in use.
    if (Date.now() > giveUpAt) throw new Error(`Processes ${listProcessesIn(data).join(', ')} still use ${data}.`);
    await delay(50);
  }
  rmSync(file, { force: true });
}

const pidFile = (data: string) => path.join(data, 'postmaster.pid');

/** The pid file contains `ready` once the server accepts queries. An earlier query would fail and be logged. */
const saysReady = (data: string) => /^ready\b/m.test(readFileSync(pidFile(data), 'utf8'));

async function answersQueries(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
