import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { findFreePort, LOOPBACK } from '../../local/src/ports.ts';
import type { Service } from '../../local/src/service.ts';
import { ROOT } from '../../local/src/services.ts';
import { createTemporalService, NAMESPACE } from '../../local/src/temporal.ts';
import { Secret } from '../../src/basics/secret.ts';
import { openDatabase } from './sql.ts';

const OPS = path.join(ROOT, 'ops', 'compose');

/** A Temporal server of a test, with data that outlive it. */
export interface TemporalServer {
  readonly service: Service;
  /** Files that contain all its data now. */
  listDataFiles(): Promise<string[]>;
  /** Deletes its files outside its folder. It must not run. */
  drop(): Promise<void>;
}

interface TemporalServerOptions {
  /**
   * The folder of `temporal-server` and `temporal-sql-tool`: then it is the production server, on Postgres. Otherwise it is the
   * development server, with a file.
   */
  readonly programs: string | undefined;
  /** The `temporal` command. */
  readonly command: string;
  /** The maintenance database of the cluster for the production server's own two databases. */
  readonly maintenanceUrl: string;
  readonly port: number;
  readonly folder: string;
  /** The port of the server's own metrics. */
  readonly metricsPort?: number | undefined;
}

/** Chooses the server's settings. The server does not run yet. */
export async function createTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { programs, command, port, folder, metricsPort } = options;
  if (programs !== undefined) return await createProductionTemporal({ ...options, programs });
  const databaseFile = path.join(folder, 'temporal.db');
  const service = createTemporalService({
    program: command,
    port,
    uiPort: undefined,
    databaseFile,
    cwd: folder,
    ...(metricsPort !== undefined && { metricsPort }),
  });
  return {
    service,
    listDataFiles: async () =>
      readdirSync(folder)
        .filter((name) => name.startsWith(path.basename(databaseFile)))
        .map((name) => path.join(folder, name)),
    drop: async () => undefined,
  };
}

/** Temporal's production server with two databases of its own, set up by the scripts that operators run. */
async function createProductionTemporal(
  options: TemporalServerOptions & { readonly programs: string },
): Promise<TemporalServer> {
  const { programs, command, maintenanceUrl, port, folder, metricsPort } = options;
  const cluster = new URL(maintenanceUrl);
  const databases = [`temporal_${port}`, `temporal_visibility_${port}`];
  const names = { DBNAME: databases[0] ?? '', VISIBILITY_DBNAME: databases[1] ?? '' };
  const run = async (script: string, program: string, env: Record<string, string>) => {
    const PATH = `${path.dirname(program)}${path.delimiter}${process.env.PATH}`;
    await promisify(execFile)('sh', [path.join(OPS, script)], { cwd: folder, env: { ...env, PATH, HOME: folder } });
  };
  mkdirSync(folder, { recursive: true });
  await run('temporal-schema.sh', path.join(programs, 'temporal-sql-tool'), {
    SQL_HOST: cluster.hostname,
    SQL_PORT: cluster.port,
    SQL_USER: cluster.username,
    SQL_PASSWORD: cluster.password,
    ...names,
  });
  const address = `${LOOPBACK}:${port}`;
  const createNamespace = () =>
    run('temporal-namespace.sh', command, { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: NAMESPACE });
  const drop = async () => {
    const maintenance = openDatabase(new Secret(maintenanceUrl), { poolSize: 1, applicationName: 'tests' });
    for (const name of databases) await maintenance`drop database if exists ${maintenance(name)} with (force)`;
    await maintenance.end();
  };

  let hasNamespace = false;
  const service: Service = {
    name: 'temporal',
    program: path.join(programs, 'temporal-server'),
    args: ['--allow-no-auth', 'start'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LOG_LEVEL: 'warn',
      DB: 'postgres12',
      DB_PORT: cluster.port,
      POSTGRES_SEEDS: cluster.hostname,
      POSTGRES_USER: cluster.username,
      POSTGRES_PWD: cluster.password,
      ...names,
      BIND_ON_IP: LOOPBACK,
      ...(metricsPort !== undefined && { PROMETHEUS_ENDPOINT: `${LOOPBACK}:${metricsPort}` }),
      DYNAMIC_CONFIG_FILE_PATH: path.join(OPS, 'temporal-dynamic-config.yaml'),
      ...(await choosePorts(port)),
    },
    cwd: folder,
    stop: { signal: 'SIGTERM', patienceMs: 8_000 },
    async isReady() {
      const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
      try {
        await connection.workflowService.listNamespaces({});
        if (!hasNamespace) await createNamespace();
        hasNamespace = true;
        await connection.workflowService.listWorkflowExecutions({ namespace: NAMESPACE });
        return true;
      } finally {
        await connection.close();
      }
    },
  };
  return {
    service,
    async listDataFiles() {
      const files: string[] = [];
      for (const database of databases) {
        const url = Object.assign(new URL(maintenanceUrl), { pathname: database }).href;
        files.push(...(await dump(url, path.join(folder, database))));
      }
      return files;
    },
    drop,
  };
}

async function choosePorts(port: number): Promise<Record<string, string>> {
  const ports: Record<string, string> = { FRONTEND_HTTP_PORT: String(await findFreePort()) };
  for (const role of ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER']) {
    ports[`${role}_GRPC_PORT`] = String(await findFreePort());
    ports[`${role}_MEMBERSHIP_PORT`] = String(await findFreePort());
  }
  return { ...ports, FRONTEND_GRPC_PORT: String(port) };
}

/** Writes each table of a database to a file, values as they are. */
async function dump(url: string, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const sql = openDatabase(new Secret(url), { poolSize: 1, applicationName: 'tests' });
  try {
    const tables = await sql`
      select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
    `;
    const files = tables.map(({ tableName }) => ({ tableName, file: path.join(folder, String(tableName)) }));
    for (const { tableName, file } of files) {
      rmSync(file, { force: true });
      // The driver's stream of `copy … to stdout` stops after the first large part.
      await sql`select * from ${sql(tableName)}`.cursor(500, (rows) => {
        appendFileSync(file, Buffer.concat(rows.flatMap((row) => Object.values(row).map(toBytes))), { mode: 0o600 });
      });
    }
    return files.map(({ file }) => file).filter((file) => existsSync(file));
  } finally {
    await sql.end();
  }
}

const toBytes = (value: unknown): Buffer => {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(` ${typeof value === 'object' ? JSON.stringify(value) : String(value)} `);
};
