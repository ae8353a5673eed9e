import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../local/src/ports.ts';
import { buildDatabaseUrl, type ClusterOptions, ensureDatabase } from '../../local/src/postgres.ts';
import { findPostgresUser } from '../../local/src/postgres-programs.ts';
import { ROOT } from '../../local/src/services.ts';
import { Secret } from '../../src/basics/secret.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { migrate } from '../../src/store/migrate.ts';
import { watchBystanders } from './bystanders.ts';
import { LOGINS } from './logins.ts';
import { createNeighbour } from './neighbour.ts';
import { CACHE } from './run-folder.ts';

/** A Postgres server with a migrated template database. */
export interface TestCluster {
  /** The server's maintenance database, used to create and drop others. */
  readonly maintenanceUrl: string;
  /** A clone needs it without other connections. */
  readonly templateDatabase: string;
}

const TEMPLATE = 'template';
const CROWDED = 'crowded_template';

/** The variables of `faketime`, for a server with the clock of the tests. */
const CLOCK = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'];

/** Chooses the settings of a cluster for tests in `folder`. */
export const planCluster = async (folder: string, { durable }: { durable: boolean }): Promise<ClusterOptions> => ({
  data: path.join(folder, 'postgres'),
  cache: CACHE,
  user: findPostgresUser(),
  port: await findFreePort(),
  password: randomBytes(16).toString('hex'),
  durable,
  // The services of four files at once have up to 120, and one test opens as many more. `npm run test:odd` sets others.
  settings: { max_connections: '250', ...readSettings(process.env.TEST_POSTGRES_SETTINGS ?? '') },
  env: Object.fromEntries(CLOCK.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  // `npm run test:postgres` sets them.
  package: process.env.POSTGRES_PACKAGE || undefined,
  locale: (process.env.POSTGRES_LOCALE || undefined)?.split(' '),
});

/** Reads `name=value,name=value`: settings of the server that must not matter to any test. */
const readSettings = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(',').flatMap((one) => (one === '' ? [] : [one.split('=') as [string, string]])));

/** Migrates the template of a running cluster, and creates the logins of each process. */
export async function prepareCluster(options: ClusterOptions): Promise<TestCluster> {
  const template = openDatabase(new Secret(await ensureDatabase(options, TEMPLATE)), {
    poolSize: 1,
    applicationName: 'tests',
  });
  try {
    await migrate(template);
    await template.unsafe(readFileSync(path.join(ROOT, 'ops', 'postgres', 'roles.sql'), 'utf8'));
    for (const [login, role] of Object.entries(LOGINS)) {
      await template.unsafe(`create role ${login} login password '${options.password}' in role ${role}`);
    }
  } finally {
    await template.end();
  }
  return { maintenanceUrl: buildDatabaseUrl(options, 'postgres'), templateDatabase: TEMPLATE };
}

/** Copies the template of a cluster, and fills the copy with bystanders. @returns its name */
export async function crowdTemplate({ maintenanceUrl, templateDatabase }: TestCluster): Promise<string> {
  const options = { poolSize: 1, applicationName: 'tests' };
  const maintenance = openDatabase(new Secret(maintenanceUrl), options);
  await maintenance`create database ${maintenance(CROWDED)} template ${maintenance(templateDatabase)}`;
  await maintenance.end();
  const sql = openDatabase(new Secret(maintenanceUrl.replace(/[^/]*$/, CROWDED)), options);
  try {
    await createNeighbour(sql);
    await watchBystanders(sql);
  } finally {
    await sql.end();
  }
  return CROWDED;
}
