import { describe, expect } from 'vitest';
import { deleteDispatches, type Lane, takeDispatches } from '../../src/store/outbox.ts';
import { type Database, test as postgresTest, type Sql } from '../kit/postgres.ts';
import { openExplained } from './explained.ts';

const MANY = 50_000;

/** Each test starts with an empty outbox. */
const test = postgresTest.extend<{ sql: Database }>({
  sql: async ({ database }, use) => {
    await database.sql`truncate outbox`;
    await use(database.sql);
  },
});

/** As a dispatcher takes that delivers nothing at the moment. */
const PLACES = (['PERSON', 'REQUEST', 'BULK'] as const).map((lane: Lane) => ({ lane, limit: 10 }));
const take = (sql: Sql) => takeDispatches(sql, { places: PLACES, leaseSeconds: 15 });

/** Inserts entries that were due a minute ago. */
const flood = async (sql: Database, { lane, workflowId }: { lane: number; workflowId: string }, count = MANY) => {
  await sql`
    insert into outbox (workflow_id, workflow_type, input, lane, created_at, next_retry_at)
    select replace(${workflowId}, '#', n::text), 'scan', '{}', ${lane}, business_now() - interval '1 minute',
      business_now() - interval '1 minute'
    from generate_series(1, ${count}) n
  `;
};

const FLOODS = [
  ['of work that an app asked for', { lane: 2, workflowId: 'flood/#' }],
  ['of bulk work', { lane: 3, workflowId: 'flood/#' }],
  ['that Temporal refuses', { lane: 4, workflowId: 'flood/#' }],
] as const;

describe('the outbox with 50,000 entries in one lane', () => {
  test.for(FLOODS)('reads as much as one with few: entries %s', async ([, entries], { sql, database }) => {
    await flood(sql, entries);
    // All that autoanalyze may have seen: one workflow, and no app besides.
    await sql`alter table outbox alter column workflow_id set (n_distinct = 1)`;
    await sql`analyze outbox`;
    const explained = openExplained(database.url, { poolSize: 1 });
    try {
      const statements = await explained.statementsOf(async () => {
        // So often that Postgres may keep one plan for all values.
        for (let times = 0; times < 7; times += 1) {
          const entries = await take(explained.sql);
          await deleteDispatches(
            explained.sql,
            entries.map(({ outboxId }) => outboxId),
          );
        }
      });
      const own = statements.filter(({ query }) => query.includes('outbox'));
      expect(own).toHaveLength(2);
      for (const { query, touched, fullReads } of own) {
        // 10 places and 100 entries that may be passed over, each by its index, its row and the first of its workflow.
        expect(touched, query).toBeLessThanOrEqual(7 * 700);
        expect([...fullReads], query).toEqual([]);
      }
    } finally {
      await explained.sql.end();
      await sql`alter table outbox alter column workflow_id reset (n_distinct)`;
    }
  });
});
