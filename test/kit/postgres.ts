import { randomUUID } from 'node:crypto';
import { inject, test as plainTest } from 'vitest';
import { Secret } from '../../src/secret.ts';
import { type Database, openDatabase } from '../../src/store/sql.ts';

/** A migrated, empty database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  readonly sql: Database;
  /** Whoever is still connected to it is cut off. */
  drop(): Promise<void>;
}

/** Takes some 50 ms: a clone of a database that was migrated once. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = openDatabase(new Secret(inject('maintenanceUrl')), { poolSize: 1, applicationName: 'tests' });
  await maintenance`create database ${maintenance(name)} template ${maintenance(inject('templateDatabase'))}`;
  const url = inject('maintenanceUrl').replace(/\/[^/]*$/, `/${name}`);
  const sql = openDatabase(new Secret(url), { poolSize: 10, applicationName: 'tests' });
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 5 });
      await maintenance`drop database ${maintenance(name)} with (force)`;
      await maintenance.end();
    },
  };
}

/** `test` with a database that all tests of one file share. */
export const test = plainTest.extend<{ $file: { database: TestDatabase } }>({
  database: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
    async ({}, use) => {
      const database = await createTestDatabase();
      await use(database);
      await database.drop();
    },
    { scope: 'file' },
  ],
});
