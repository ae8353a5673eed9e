import { describe, expect } from 'vitest';
import type { Filled } from '../../bench/fill/fill.ts';
import { fillDatabase, measureSweeps } from '../../bench/measured-sweeps.ts';
import { newId } from '../../src/basics/ids.ts';
import { countUnfinishedAttempts } from '../../src/store/attempts/attempt-counts.ts';
import type { Connection } from '../../src/store/connections/connections.ts';
import { listSiblings, lockConnectionWithSiblings } from '../../src/store/connections/siblings.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { findDependents } from '../../src/store/grants/principals.ts';
import { accountMacsOfJob, type DisconnectJob } from '../../src/store/jobs/disconnect-jobs.ts';
import { deleteDispatches, takeDispatches } from '../../src/store/outbox.ts';
import { findWaiting, takeDueDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { test as databaseTest } from '../kit/postgres.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
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

  test('the outbox and the webhooks of an endpoint cost what is taken', async ({ database, filled }) => {
    const [busy, quiet] = [
      await seedEndpoint(database.sql, filled.appId),
      await seedEndpoint(database.sql, filled.appId),
    ];
    for (const [endpointId, waiting] of [
      [busy, LARGE],
      [quiet, 1],
    ] as const)
      await database.sql`
        with event as (
          insert into webhook_event (app_id, type, data)
          select ${filled.appId}, 'job.finished', '{}' from generate_series(1, ${waiting}::int) returning event_id, app_id, type
        )
        insert into webhook_delivery (event_id, endpoint_id, app_id, event_type)
        select event_id, ${endpointId}, app_id, type from event
      `;
    await database.sql`
      insert into outbox (workflow_id, workflow_type, input, lane, created_at, next_retry_at)
      select 'flood/' || n, 'scan', '{}', 2 + n % 3, business_now() - interval '1 minute', business_now() - interval '1 minute'
      from generate_series(1, ${3 * LARGE}::int) n
    `;
    for (const table of ['webhook_event', 'webhook_delivery', 'outbox']) await database.sql.unsafe(`analyze ${table}`);
    const { sql, statementsOf } = openExplained(database.url, { poolSize: 1 });
    try {
      for (const [endpointId, due] of [
        [quiet, 1],
        [busy, 10],
      ] as const) {
        const statements = await statementsOf(async () => {
          expect(await takeDueDeliveries(sql, endpointId, 10)).toHaveLength(due);
          await findWaiting(sql, endpointId);
        });
        const own = statements.filter(({ query }) => query.includes('webhook_delivery'));
        expect(own).toHaveLength(2);
        for (const { query, touched } of own) expect(touched, query).toBeLessThanOrEqual(8 * due + 4);
      }
      const places = (['PERSON', 'REQUEST', 'BULK'] as const).map((lane) => ({ lane, limit: 10 }));
      const taking = await statementsOf(async () => {
        for (let times = 0; times < OFTEN; times += 1) {
          const entries = await takeDispatches(sql, { places, leaseSeconds: 15 });
          await deleteDispatches(
            sql,
            entries.map(({ outboxId }) => outboxId),
          );
        }
      });
      expect(taking).toHaveLength(2);
      // 10 places and 100 entries that may be passed over, each by its index, its row and the first of its workflow.
      for (const { query, touched } of taking) expect(touched, query).toBeLessThanOrEqual(700 * OFTEN);
      expect(await findFullReads(database.sql, taking, LARGE)).toEqual([]);
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
});
