import { describe, expect } from 'vitest';
import type { Filled } from '../../bench/fill/fill.ts';
import { fillDatabase, measureSweeps } from '../../bench/measured-sweeps.ts';
import { newId } from '../../src/basics/ids.ts';
import { countUnfinishedAttempts } from '../../src/store/attempts/attempt-counts.ts';
import type { Connection } from '../../src/store/connections/connections.ts';
import { listSiblings, lockConnectionWithSiblings } from '../../src/store/connections/siblings.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { listConnectionsToDelete } from '../../src/store/erasures/platform-callbacks.ts';
import { findDependents } from '../../src/store/grants/principals.ts';
import { accountMacsOfJob, type DisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
import { test as databaseTest } from '../kit/postgres.ts';
import { findFullReads, findWaste, openExplained } from './explained.ts';
import { addBusySubject, measureAdminLists, measureCalls, OFTEN, type Target } from './measured-calls.ts';

const DUE = 1_500;
/** Several pages of each kind, and ten times as many rows that are not due. */
const SIZES = { connections: 15_000, posts: 60_000, jobs: 1_200, due: DUE, seed: 1 };
const LARGE = 5_000;

/** The rows read for one due row: to find it, to look it up by its key, and its dependents. */
const TOUCHED_EACH = 12;

/** An automatic refresh also reads the policy, the app and the registration, and starts a job. */
const TOUCHED_BY_REFRESH = 24;

/** Rows that a list may pass over, newest first, until it has a page of those that match its filter. */
const SKIPPED = 2_000;
const FRUGAL = { touchedEach: TOUCHED_EACH, touchedBesides: 30, page: 101, largeFrom: LARGE };

/** A fill takes a minute: the tests of this file share one. Those that only read and add rows come first, also in a shuffled run. */
const test = databaseTest.extend<{ $file: { filled: Filled; busy: Target } }>({
  filled: [async ({ database }, use) => use(await fillDatabase(database.sql, SIZES)), { scope: 'file' }],
  busy: [async ({ database, filled }, use) => use(await addBusySubject(database.sql, filled)), { scope: 'file' }],
});

describe('among tens of thousands of rows', { shuffle: false }, () => {
  test('every call of an app and of a browser reads a few rows for each that it returns', async ({
    database,
    filled,
    busy,
  }) => {
    for (const { call, statements } of await measureCalls(database, filled, busy)) {
      expect(statements, call).not.toEqual([]);
      expect.soft(await findWaste(database.sql, statements, FRUGAL), call).toEqual([]);
    }
  });

  test('every list of the admin API reads a few rows for each that it shows', async ({ database, filled, busy }) => {
    for (const { call, statements, skips } of await measureAdminLists(database, filled, busy)) {
      expect(statements, call).not.toEqual([]);
      const most = skips ? { ...FRUGAL, touchedBesides: SKIPPED } : FRUGAL;
      expect.soft(await findWaste(database.sql, statements, most), call).toEqual([]);
    }
  });

  test('the limit of unfinished attempts and the siblings of a disconnect are found by their indexes', async ({
    database,
    filled,
  }) => {
    expect(filled.rows.connection).toBe(SIZES.connections);
    const [own] = await database.sql`
      select connection_id, scope_id, provider, account_grant.registration_id, principal_mac
      from connection join account_grant using (connection_id, scope_id, provider)
      where connection.status = 'CONNECTED' and account_grant.status = 'LIVE' and principal_mac is not null limit 1
    `;
    const { connectionId, scopeId, provider, registrationId, principalMac } = own as unknown as DisconnectJob &
      Connection;
    // One person's attempts that have ended but are still kept, and an unfinished attempt of each other person.
    await database.sql`
      insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url,
        status, launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at)
      select gen_random_uuid(), scope_id, app_id, provider, registration_id, '{}', '', attempt.status,
        sha256((scope_id || '-' || i)::bytea), gen_random_uuid(), created_at, '2100-01-01', '2100-01-01'
      from connection, lateral (
        select 'CREATED' as status, 0 as i where connection_id <> ${connectionId}
        union all
        select 'EXPIRED', i from generate_series(1, ${LARGE}) i where connection_id = ${connectionId}
      ) attempt
      where provider = ${provider} and connection.status = 'CONNECTED'
      on conflict do nothing
    `;
    await database.sql`vacuum analyze connect_attempt`;
    const { sql, statementsOf } = openExplained(database.url, { poolSize: 1 });
    try {
      const statements = await statementsOf(async () => {
        for (let times = 0; times < OFTEN; times += 1) {
          await inTransaction(sql, async (tx) => {
            await countUnfinishedAttempts(tx, scopeId, provider);
            await lockConnectionWithSiblings(tx, { connectionId, scopeId, provider }, [registrationId]);
            await listSiblings(tx, { jobId: newId(), scopeId, provider, principalMac }, [registrationId]);
            const grant = {
              grantId: null,
              principalMac,
              accountMacs: accountMacsOfJob(tx, newId()),
              bulkDisconnectId: null,
            };
            await findDependents(tx, { ...grant, reached: [registrationId] });
          });
        }
      });
      expect(statements.filter(({ runs }) => runs === OFTEN).length).toBeGreaterThanOrEqual(4);
      expect(await findWaste(database.sql, statements, FRUGAL)).toEqual([]);
    } finally {
      await sql.end();
    }
  });

  test('every step of the sweeps reads due rows and their dependents only', async ({ database, filled }) => {
    expect(filled.rows.content_item).toBe(SIZES.posts);
    const steps = await measureSweeps(database);
    const worked = steps.filter(({ rows }) => rows > 0);
    expect(worked.map(({ step, rows }) => [step, rows])).toEqual(
      expect.arrayContaining([
        // More jobs become overdue as the clock advances.
        ['disconnectJobs', expect.toSatisfy((rows) => rows >= DUE)],
        ['readJobs', expect.toSatisfy((rows) => rows >= DUE - 10)], // Some of them are old enough to be deleted.,
        ['unansweredAttempts', DUE / 2],
        ['attempts', DUE / 2],
        ['holds', DUE],
        ['oldReceipts', DUE],
        ['oldPosts', DUE],
        ['oldProfiles', DUE],
        ['oldAttempts', DUE],
        ['oldGrants', DUE],
        ['oldCoverage', DUE],
        ['oldJournalEntries', DUE],
        ['oldWebhookEvents', DUE],
        ['replan/PROVIDER_C', expect.toSatisfy((rows) => rows >= SIZES.connections)],
        ['refresh/PROVIDER_B', expect.toSatisfy((rows) => rows >= 30)],
      ]),
    );
    for (const { step, rows, touched, statements } of steps) {
      const each = step.startsWith('refresh') ? TOUCHED_BY_REFRESH : TOUCHED_EACH;
      expect(touched, step).toBeLessThanOrEqual(each * rows + DUE / 5);
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

  test('the sweep of deletion requests reads the open ones, and none of the many that are complete', async ({
    database,
    filled,
  }) => {
    expect(filled.rows.connection).toBe(SIZES.connections);
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
});
