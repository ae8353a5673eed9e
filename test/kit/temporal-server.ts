import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
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
/** Its parts. Each talks to the others at ports of its own; those of the first are shared. */
const ROLES = ['frontend', 'history', 'matching', 'worker'] as const;
/** Where its parts announce themselves if the network between them can be broken. Linux has all of 127.0.0.0/8. */
const ANNOUNCED = '127.0.0.2';
/** Each part has connections of its own, and they share the server with ours. */
const CONNECTIONS = {
  SQL_MAX_CONNS: '10',
  SQL_MAX_IDLE_CONNS: '10',
  SQL_VIS_MAX_CONNS: '4',
  SQL_VIS_MAX_IDLE_CONNS: '4',
};

/** A Temporal server of a test, with data that outlive it. */
export interface TemporalServer {
  /** The part that others call: all of it, or its frontend. */
  readonly service: Service;
  /** Its other parts, if they are processes of their own. */
  readonly backends: readonly Service[];
  /** Files that contain all its data now. */
  listDataFiles(): Promise<string[]>;
  /** Deletes its files outside its folder. It must not run. */
  drop(): Promise<void>;
}

/** Opens another port to a server and returns it; or by that address and the same port. */
export type Detour = (link: Link, port: number, address?: string) => Promise<number>;

/** Connections of one to another. */
export interface Link {
  readonly from: string;
  readonly to: string;
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
  /** Whether the parts of the production server are processes of their own. */
  readonly apart?: boolean;
  /** How those reach Postgres and each other. */
  readonly detour?: Detour | undefined;
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
    backends: [],
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
  const { programs, command, maintenanceUrl, port, folder, metricsPort, apart = false, detour } = options;
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
  const ports = await choosePorts(port);
  const whole: Service = {
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
      ...ports,
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
  const [service, ...backends] = apart ? await divide(whole, ports, Number(cluster.port), detour) : [whole];
  if (service === undefined) throw new Error('Temporal has no part.');
  return {
    service,
    backends,
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
  for (const role of ROLES.map((one) => one.toUpperCase())) {
    ports[`${role}_GRPC_PORT`] = String(await findFreePort());
    ports[`${role}_MEMBERSHIP_PORT`] = String(await findFreePort());
  }
  return { ...ports, FRONTEND_GRPC_PORT: String(port) };
}

/** Makes each part of a server a process of its own. @returns its frontend first */
async function divide(whole: Service, ports: Record<string, string>, postgres: number, detour?: Detour) {
  const parts: Service[] = [];
  for (const role of ROLES) {
    const name = role === 'frontend' ? whole.name : `${whole.name}-${role}`;
    const [port, membership] = ['GRPC', 'MEMBERSHIP'].map((kind) =>
      Number(ports[`${role.toUpperCase()}_${kind}_PORT`]),
    );
    await detour?.({ from: 'others', to: name }, port ?? 0, ANNOUNCED);
    await detour?.({ from: 'membership', to: name }, membership ?? 0, ANNOUNCED);
    parts.push({
      ...whole,
      name,
      args: [...whole.args, '--service', role],
      env: {
        ...whole.env,
        ...CONNECTIONS,
        ...(detour && {
          DB_PORT: String(await detour({ from: name, to: 'postgres' }, postgres)),
          TEMPORAL_BROADCAST_ADDRESS: ANNOUNCED,
        }),
      },
      ...(role !== 'frontend' && { isReady: () => accepts(port ?? 0) }),
    });
  }
  return parts;
}

/** Whether a process listens at a port. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
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
