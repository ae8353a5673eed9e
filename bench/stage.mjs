// The stage of a benchmark of the api: Postgres with generated rows, kept between runs, and the built api.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../scripts/run.mjs';

const dist = (file) => import(path.join(ROOT, 'dist', file));
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

/** Starts Postgres with the rows of this size. Fills it first if they are missing or too old. */
export async function openStage(size, say) {
  const { createPostgresService } = await dist('local/postgres.js');
  const { findPostgresUser, ensureReachableFolder } = await dist('local/postgres-programs.js');
  const { findFreePort } = await dist('local/ports.js');
  const { loadDevelopmentKeys } = await dist('local/development-keys.js');
  const { RunningService } = await dist('local/service.js');
  const { ProcessRecord } = await dist('local/process.js');
  const folder = path.join(CACHE, 'bench', size);
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
  };
  const record = new ProcessRecord(path.join(folder, 'processes.json'));
  await record.endOrphans();
  const postgres = new RunningService(await createPostgresService(cluster), { logs: folder, record, say });
  await postgres.start();
  try {
    const filled = await readyDatabase({ cluster, folder, keys, size, say });
    const pid = Number(readFileSync(path.join(cluster.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return { ...filled, keys, folder, postgresPid: pid, stop: () => postgres.stop() };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function readyDatabase({ cluster, folder, keys, size, say }) {
  const { buildDatabaseUrl, ensureDatabase } = await dist('local/postgres.js');
  const stamp = path.join(folder, 'filled.json');
  const made = readdirSync(path.join(ROOT, 'migrations')).map((name) =>
    readFileSync(path.join(ROOT, 'migrations', name), 'utf8'),
  );
  const kept = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : undefined;
  if (kept?.migrations === made.join('') && Date.now() - kept.atMs < FRESH_MS) {
    return { databaseUrl: buildDatabaseUrl(cluster, kept.database), ...kept };
  }
  const { openDatabase } = await dist('store/sql.js');
  const { migrate } = await dist('store/migrate.js');
  const { Secret } = await dist('secret.js');
  const { fill } = await dist('local/fill/fill.js');
  const { createQuickSeal } = await dist('local/fill/quick-seal.js');
  const { createSeal } = await dist('vault/seal.js');
  const { createMac } = await dist('vault/mac.js');
  await dropDatabase(buildDatabaseUrl(cluster, 'postgres'), kept?.database);
  const database = `bench_${Date.now()}`;
  const url = await ensureDatabase(cluster, database);
  const sql = openDatabase(new Secret(url), { poolSize: 4, applicationName: 'fill' });
  try {
    await migrate(sql);
    say(`Filling: ${JSON.stringify(SIZES[size])}`);
    const sizes = { ...SIZES[size], jobs: SIZES[size].connections / 5, due: 0, seed: 1 };
    const fillKeys = {
      sealGrant: createQuickSeal(JSON.parse(keys.VAULT_GRANT_KEYS)),
      sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
      mac: createMac(JSON.parse(keys.VAULT_MAC_KEYS)),
    };
    const { key, tenantKey } = await fill(sql, sizes, fillKeys, (line) => say(`  ${line}`));
    await sql`update app set requests_per_second = 1000000`; // No request may hit the rate limit.
    await sql`checkpoint`;
    const filled = { database, key, tenantKey, atMs: Date.now(), migrations: made.join('') };
    writeFileSync(stamp, JSON.stringify(filled), { mode: 0o600 });
    return { databaseUrl: url, ...filled };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function dropDatabase(url, name) {
  if (name === undefined) return;
  const { default: postgres } = await import('postgres');
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql`drop database if exists ${sql(name)}`;
  await sql.end();
}

/** Starts a program under test and waits until it answers. `startMs` is that time. */
async function startProgram(name, child, url, folder) {
  const log = createWriteStream(path.join(folder, `${name}.log`));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const startedAtMs = performance.now();
  const giveUpAt = Date.now() + 30_000;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(`${name} does not start; see ${log.path}`);
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
export async function startApi({ databaseUrl, keys, folder }, { execArgv = [], port, dist: build = 'dist' } = {}) {
  const { findFreePort } = await dist('local/ports.js');
  const chosen = port ?? (await findFreePort());
  const url = `http://127.0.0.1:${chosen}`;
  const { VAULT_EDGE_KEYS, VAULT_MAC_KEYS, VAULT_INBOX_PUBLIC_KEYS } = keys;
  const env = {
    NODE_ENV: 'production',
    DEPLOYMENT: 'development', // Production requires https and TLS.
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    CONNECT_URL: url,
    API_HOST: '127.0.0.1',
    API_PORT: String(chosen),
    TEMPORAL_ADDRESS: '127.0.0.1:1', // No read needs it.
    VAULT_EDGE_KEYS,
    VAULT_MAC_KEYS,
    VAULT_INBOX_PUBLIC_KEYS,
  };
  const child = forked(path.join(ROOT, build, 'main.js'), ['api'], env, execArgv);
  return { ...(await startProgram('api', child, `${url}/healthz`, folder)), url: `${url}/graphql` };
}

/** Starts a program of `bench/baselines`. */
export async function startBaseline(name, { databaseUrl, folder }) {
  const { findFreePort } = await dist('local/ports.js');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    POOL_SIZE: String(POOL_SIZE),
    PORT: String(port),
  };
  const child = forked(path.join(import.meta.dirname, 'baselines', `${name}.mjs`), [], env);
  return { ...(await startProgram(name, child, url, folder)), url };
}
