import { describe, expect } from 'vitest';
import { listConnectionsToDelete } from '../../src/store/platform-callbacks.ts';
import { fillDatabase, measureSweeps } from '../kit/measured-sweeps.ts';
import { findFullReads, openExplained } from '../kit/plans.ts';
import { test } from '../kit/postgres.ts';

const DUE = 2_500;
/** Several pages of each kind, and ten times as many rows that are not due. */
const SIZES = { connections: 25_000, posts: 100_000, jobs: 2_000, due: DUE, seed: 1 };
const LARGE = 5_000;

/** The rows read for one due row: to find it, to look it up by its key, and its dependents. */
const TOUCHED_EACH = 12;

describe('among a hundred thousand rows', () => {
  test('every step of the sweeps reads due rows and their dependents only', {
    timeout: 300_000,
  }, async ({ database }) => {
    await fillDatabase(database.sql, SIZES);
    const steps = await measureSweeps(database);
    const worked = steps.filter(({ rows }) => rows > 0);
    expect(worked.map(({ step, rows }) => [step, rows])).toEqual(
      expect.arrayContaining([
        ['disconnectJobs', DUE],
        ['attempts', DUE],
        ['holds', DUE],
        ['readJobs', expect.toSatisfy((rows) => rows >= DUE)], // More jobs become overdue as the clock advances.
        ['oldReceipts', DUE],
        ['oldPosts', DUE],
        ['oldProfiles', DUE],
        ['oldAttempts', DUE],
        ['oldGrants', DUE],
        ['oldCoverage', DUE],
        ['oldJournalEntries', DUE],
      ]),
    );
    for (const { step, rows, touched, statements } of steps) {
      expect(touched, step).toBeLessThanOrEqual(TOUCHED_EACH * rows + DUE / 5);
      expect(await findFullReads(database.sql, statements, LARGE), step).toEqual([]);
      // Sorting all due rows for each page would take quadratic time.
      const sorting = statements.filter(({ query, sorted }) => query.includes('as due_at') && sorted > DUE);
      if (step.startsWith('old')) expect(sorting, step).toEqual([]);
    }
    // A second pass with nothing due, except jobs that lost their workflow again.
    await database.sql`vacuum`; // Like autovacuum: deleted rows are still in the indexes.
    const idle = (await measureSweeps(database)).filter(({ step }) => step.startsWith('old'));
    for (const { step, rows, touched } of idle) {
      expect(rows, step).toBeLessThanOrEqual(DUE / 100); // The clock advances.
      expect(touched, step).toBeLessThanOrEqual(DUE / 5);
    }
  });
});

test('the sweep of deletion requests reads the open ones, and none of the many that are complete', {
  timeout: 120_000,
}, async ({ database }) => {
  await fillDatabase(database.sql, { connections: 6_000, posts: 1_000, jobs: 100, due: 50, seed: 2 });
  const { sql, statementsOf } = openExplained(database.url);
  try {
    await sql`
      insert into deletion_request (code, requested_at)
      select md5(i::text), business_now() - i * interval '1 minute' from generate_series(1, 20000) i
    `;
    const OPEN = 30;
    await sql`
      with chosen as (
        select connection_id, md5('open' || connection_id) as code from connection where status = 'CONNECTED' limit ${OPEN}
      ), request as (
        insert into deletion_request (code) select code from chosen
      )
      insert into deletion_request_connection (code, connection_id, correlation_id)
      select code, connection_id, gen_random_uuid() from chosen
    `;
    await sql`analyze`;
    let found = 0;
    const statements = await statementsOf(async () => {
      found = (await listConnectionsToDelete(sql, { after: null, limit: 50 })).length;
    });
    expect(found).toBe(OPEN);
    expect(await findFullReads(database.sql, statements, LARGE)).toEqual([]);
    const touched = statements.reduce((sum, statement) => sum + statement.touched, 0);
    expect(touched).toBeLessThanOrEqual(TOUCHED_EACH * OPEN);
  } finally {
    await sql.end();
  }
});
