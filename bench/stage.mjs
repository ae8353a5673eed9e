// The stage of a benchmark of the api: Postgres with generated rows, kept between runs, and the built api.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from '../scripts/run.mjs';
import { loadSource } from './load-source.mjs';

const dist = (file) => import(path.join(ROOT, 'dist', file));
const local = (file) => import(path.join(ROOT, 'local', 'dist', file));
const CACHE = path.join(ROOT, '.cache');
/** Results of attempts are readable for 24 hours, so older rows are generated again. */
const FRESH_MS = 12 * 3_600_000;
const POOL_SIZE = 10;

/** Rows by size of the run. A connection has 100 posts, 24 of them in the last 90 days. */
export const SIZES = {
  quick: { connections: 1_000, posts: 100_000 },
  usual: { connections: 10_000, posts: 1_000_000 },
  full: { connections: 100_000, posts: 10_000_000 },
};

/**
 * A cluster of its own needs no log for replicas or backups: a fill writes the rows of large tables once, not twice, and the next
 * checkpoint is far away.
 */
const SETTINGS = { wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '16GB' };

/** Starts Postgres with the rows of this size. */
export async function openStage(size, say) {
  const { stages, stop } = await openStages(size, [SIZES[size]], { say });
  return { ...stages[0], stop };
}

/**
 * Starts one Postgres, in a folder of this name, with a database for each of `wanted`, the sizes of `npm run fill`. Fills those
 * that are missing or too old.
 */
export async function openStages(name, wanted, { say, settings = {} }) {
  const { createPostgresService } = await local('postgres.js');
  const { findPostgresUser, ensureReachableFolder } = await local('postgres-programs.js');
  const { findFreePort } = await local('ports.js');
  const { loadDevelopmentKeys } = await local('development-keys.js');
  const { RunningService } = await local('service.js');
  const { ProcessRecord } = await local('process.js');
  const folder = path.join(CACHE, 'bench', name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = await loadDevelopmentKeys(folder);
  const user = findPostgresUser();
  const cluster = {
    data: path.join(ensureReachableFolder(folder, user), 'data'),
    cache: CACHE,
    user,
    port: await findFreePort(),
    password: keys.databasePassword,
    durable: true,
    settings: { ...SETTINGS, ...settings },
  };
  const record = new ProcessRecord(path.join(folder, 'processes.json'));
  await record.endOrphans();
  const postgres = new RunningService(await createPostgresService(cluster), { logs: folder, record, say });
  await postgres.start();
  try {
    const pid = Number(readFileSync(path.join(cluster.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    const stages = [];
    for (const sizes of wanted) {
      const filled = await readyDatabase({ cluster, folder, keys, sizes, say });
      stages.push({ ...filled, sizes, keys, folder, postgresPid: pid });
    }
    return { stages, stop: () => postgres.stop() };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

async function readyDatabase({ cluster, folder, keys, sizes, say }) {
  const { buildDatabaseUrl, ensureDatabase } = await local('postgres.js');
  const stamp = path.join(folder, `filled-${sizes.connections}.json`);
  const migrations = readdirSync(path.join(ROOT, 'migrations'))
    .map((name) => readFileSync(path.join(ROOT, 'migrations', name), 'utf8'))
    .join('');
  if (existsSync(stamp)) {
    const kept = readJson(stamp);
    const isFresh = Date.now() - kept.atMs < FRESH_MS;
    if (isFresh && kept.migrations === migrations && isDeepStrictEqual(kept.sizes, sizes)) {
      return { databaseUrl: buildDatabaseUrl(cluster, kept.database), ...kept };
    }
    rmSync(stamp);
  }
  const { openDatabase } = await dist('store/driver/sql.js');
  const { migrate } = await dist('store/migrate.js');
  const { Secret } = await dist('basics/secret.js');
  const { fill } = await loadSource('bench/fill/fill.ts');
  const { createQuickSeal } = await loadSource('bench/fill/quick-seal.ts');
  const { createSeal } = await dist('vault/seal.js');
  const { createMac } = await dist('vault/mac.js');
  await dropUnknownDatabases(buildDatabaseUrl(cluster, 'postgres'), folder);
  const database = `bench_${Date.now()}`;
  const url = await ensureDatabase(cluster, database);
  const sql = openDatabase(new Secret(url), { poolSize: 4, applicationName: 'fill' });
  try {
    await migrate(sql);
    say(`Filling: ${JSON.stringify(sizes)}`);
    const fillKeys = {
      sealGrant: createQuickSeal(JSON.parse(keys.VAULT_GRANT_KEYS)),
      sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
      mac: createMac(JSON.parse(keys.VAULT_MAC_KEYS)),
    };
    const wanted = { ...sizes, jobs: sizes.connections / 5, due: 0, seed: 1 };
    const { apps } = await fill(sql, wanted, fillKeys, (line) => say(`  ${line}`));
    await sql`update app set requests_per_second = 1000000`; // No request may hit the rate limit.
    await sql`checkpoint`;
    const appKeys = Object.fromEntries(apps.map(({ appId, key }) => [appId, key]));
    const filled = { database, appKeys, atMs: Date.now(), sizes, migrations };
    writeFileSync(stamp, JSON.stringify(filled), { mode: 0o600 });
    return { databaseUrl: url, ...filled };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Drops databases without a stamp: they are too old, or left by an aborted run. */
async function dropUnknownDatabases(url, folder) {
  const kept = readdirSync(folder)
    .filter((name) => /^filled-\d+\.json$/.test(name))
    .map((name) => readJson(path.join(folder, name)).database);
  const { default: postgres } = await import('postgres');
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const rows = await sql`select datname from pg_database where datname like 'bench\\_%' and datname <> all(${kept})`;
  for (const { datname } of rows) await sql`drop database ${sql(datname)}`;
  await sql.end();
}

/** Starts a program under test and waits until it answers. `startMs` is that time. */
async function startProgram(name, child, url, folder) {
  const log = createWriteStream(path.join(folder, `${name}.log`));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const startedAtMs = performance.now();
  const giveUpAt = Date.now() + 120_000; // Other programs may share the machine.
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`${name} does not start; see ${log.path}`);
    }
    await delay(10);
  }
  const startMs = performance.now() - startedAtMs;
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { name, pid: child.pid, startMs, stop };
}

const forked = (file, args, env, execArgv = []) =>
  fork(file, args, { env: { PATH: process.env.PATH, TZ: 'UTC', ...env }, execArgv, silent: true });

/** Starts the built api with its checks, limits and log lines. Its output goes to a file. */
export async function startApi(
  { databaseUrl, keys, folder },
  /** @type {{ name?: string, execArgv?: string[], port?: number, dist?: string, settings?: object }} */ {
    name = 'api',
    execArgv = [],
    port,
    dist: build = 'dist',
    settings = {},
  } = {},
) {
  const { findFreePort } = await local('ports.js');
  const chosen = port ?? (await findFreePort());
  const url = `http://127.0.0.1:${chosen}`;
  const { VAULT_EDGE_KEYS, VAULT_MAC_KEYS, VAULT_INBOX_PUBLIC_KEYS } = keys;
  const env = {
    NODE_ENV: 'production',
    DEPLOYMENT: 'development', // Production requires https and TLS.
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    CONNECT_URL: url,
    CONNECT_ATTEMPTS_PER_APP: '1000000', // It measures the service, not its limit.
    API_HOST: '127.0.0.1',
    API_PORT: String(chosen),
    TEMPORAL_ADDRESS: '127.0.0.1:1', // Nothing listens there, and no request waits for it.
    VAULT_EDGE_KEYS,
    VAULT_MAC_KEYS,
    VAULT_INBOX_PUBLIC_KEYS,
    ...settings,
  };
  const child = forked(path.join(ROOT, build, 'main.js'), ['api'], env, execArgv);
  return { ...(await startProgram(name, child, `${url}/healthz`, folder)), url: `${url}/graphql` };
}

/** Starts a program of `bench/baselines`. */
export async function startBaseline(name, { databaseUrl, folder }, settings = {}) {
  const { findFreePort } = await local('ports.js');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    POOL_SIZE: String(POOL_SIZE),
    PORT: String(port),
    ...settings,
  };
  const child = forked(path.join(import.meta.dirname, 'baselines', `${name}.mjs`), [], env);
  return { ...(await startProgram(name, child, url, folder)), url };
}
