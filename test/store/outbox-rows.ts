import type { Database } from '../../src/store/driver/sql.ts';
import { test as postgresTest } from '../kit/postgres.ts';

/** Each test starts with an empty outbox. */
export const outboxTest = postgresTest.extend<{ sql: Database }>({
  sql: async ({ database }, use) => {
    await database.sql`truncate outbox`;
    await use(database.sql);
  },
});
