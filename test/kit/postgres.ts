import { randomUUID } from 'node:crypto';
import { expect, inject, test as plainTest } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { isAlone } from './alone.ts';
import { checkBystanders } from './bystanders.ts';
import type { TestCluster } from './cluster.ts';
import type { Login } from './logins.ts';
import { type SeededApp, seedApp } from './seed.ts';
import { type Database, openDatabase } from './sql.ts';

// What tests outside test/store need of the store's connection.
export { type Database, inTransaction, openDatabase, type Sql, type Transaction } from './sql.ts';

type Process = 'api' | 'worker' | 'maintenance' | 'importer';
const mates = new WeakMap<Database, Readonly<Record<Process, Database>>>();

/** The same database with the rights of a process in production. */
function as(process: Process, sql: Database): Database {
  const pools = mates.get(sql);
  if (!pools) throw new Error('Not the pool of a test database.');
  return pools[process];
}
export const asApi = (sql: Database): Database => as('api', sql);
export const asWorker = (sql: Database): Database => as('worker', sql);
export const asMaintenance = (sql: Database): Database => as('maintenance', sql);
export const asImporter = (sql: Database): Database => as('importer', sql);

/** A migrated, empty database for a test. */
export type TestDatabase = Awaited<ReturnType<typeof cloneDatabase>>;

/** Clones a database that was migrated once, in about 50 ms: in the run's shared cluster unless another is given. */
export const createTestDatabase = (cluster?: TestCluster): Promise<TestDatabase> =>
  cloneDatabase(
    cluster?.maintenanceUrl ?? inject('maintenanceUrl'),
    cluster?.templateDatabase ?? inject('templateDatabase'),
  );

/** The same with bystanders: see `bystanders.ts`. Its users call `checkBystanders` after each test. */
export const createCrowdedDatabase = (): Promise<TestDatabase> =>
  cloneDatabase(inject('maintenanceUrl'), inject('crowdedTemplate'));

/** A database without any object, for a test of migrations. @param options of `create database`. */
export const createBlankDatabase = (options = ''): Promise<TestDatabase> =>
  cloneDatabase(inject('maintenanceUrl'), 'template0', options);

async function cloneDatabase(maintenanceUrl: string, template: string, options = '') {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openDatabase(new Secret(maintenanceUrl), { poolSize: 1, applicationName: 'tests' });
  await maintenance.unsafe(`create database "${name}" template "${template}" strategy file_copy ${options}`);
  const url = maintenanceUrl.replace(/\/[^/]*$/, `/${name}`);
  const open = (as: string) => openDatabase(new Secret(as), { poolSize: 10, applicationName: 'tests' });
  const loginUrl = (login: Login) => Object.assign(new URL(url), { username: login }).href;
  const urls = {
    api: loginUrl('api'),
    worker: loginUrl('worker'),
    maintenance: loginUrl('maintenance'),
    readonly: loginUrl('readonly'),
    importer: loginUrl('importer'),
  };
  const sql = open(url);
  const pools = {
    api: open(urls.api),
    worker: open(urls.worker),
    maintenance: open(urls.maintenance),
    importer: open(urls.importer),
  };
  mates.set(sql, pools);
  return {
    /** As the owner of all objects. */
    url,
    sql,
    /** As the processes connect in production, with only the rights they need. */
    urls,
    /** Drops the database and closes its remaining connections. */
    async drop() {
      await Promise.all([sql, ...Object.values(pools)].map((pool) => pool.end({ timeout: 5 })));
      await maintenance`drop database ${maintenance(name)} with (force)`;
      await maintenance.end();
    },
  };
}

interface OfTest {
  sql: Database;
  /** An empty database for this test alone. */
  ownDatabase: TestDatabase;
  seeded: SeededApp;
}

/** `test` with a database that all tests of one file share; `sql` is it as the owner of all objects. */
export const test = plainTest.extend<{ $file: { database: TestDatabase }; $test: OfTest }>({
  database: [
    async ({}, use) => {
      const database = await (isAlone(expect.getState().testPath) ? createTestDatabase : createCrowdedDatabase)();
      await use(database);
      await database.drop();
    },
    { scope: 'file' },
  ],
  sql: async ({ database }, use) => {
    await use(database.sql);
    await checkBystanders(database.sql);
  },
  seeded: async ({ sql }, use) => await use(await seedApp(sql)),
  ownDatabase: async ({}, use) => {
    const database = await createTestDatabase();
    await use(database);
    await database.drop();
  },
});
