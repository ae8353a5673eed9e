import { describe, expect } from 'vitest';
import { type Answer, createTestAdmin, type Operator } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedLookups } from '../../kit/seed.ts';

/** Reads a list to its end, page by page. */
async function readAll(operator: Operator, field: string, filterType: string, filter: object, first = 3) {
  const document = `query ($f: ${filterType}, $first: Int, $after: String) {
    ${field}(filter: $f, first: $first, after: $after) { items { id } pageInfo { endCursor hasNextPage } }
  }`;
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Answer = (await operator(document, { f: filter, first, after }))[field];
    ids.push(...page.items.map(({ id }: Answer) => id));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}

const stuckIn = (jobs: readonly { jobId: string }[]) => jobs.map(({ jobId }) => jobId);

describe('a paged list', () => {
  test('has every job of both tables once, newest first', async ({ database }) => {
    const { sql } = database;
    const seeded = await seedApp(sql);
    const operator = (await createTestAdmin(sql)).as('ADMIN');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const other = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await seedLookups(sql, seeded, connectionId, 6);
    const disconnect = 'mutation ($id: ID!) { disconnectConnection(id: $id) { id } }';
    await operator(disconnect, { id: other });
    await seedLookups(sql, seeded, connectionId, 2);
    const rows = await sql`
      select job_id from admin_job where app_id = ${seeded.app.appId} order by created_at desc, job_id desc
    `;
    expect(rows).toHaveLength(10);
    const expected = stuckIn(rows as unknown as { jobId: string }[]);
    const appId = seeded.app.appId;
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId })).toEqual(expected);
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, stuck: false })).toEqual(expected);
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, kinds: ['REVOKE', 'ERASE'] })).toHaveLength(2);
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, connectionId: other })).toHaveLength(2);
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId: 'nonsense' })).toEqual([]);

    await sql`
      update read_job set tries = 1, last_failure = 'INTERNAL',
        first_failed_at = created_at - interval '1 hour' + (hashtext(job_id::text) % 1000) * interval '1 second'
      where app_id = ${appId}
    `;
    const stuck =
      await sql`select job_id from admin_job where app_id = ${appId} and stuck order by stuck_since, job_id`;
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, stuck: true })).toEqual(
      stuckIn(stuck as unknown as { jobId: string }[]),
    );
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, stuck: false })).toHaveLength(2);
  });

  test('has the entries of the audit log with dry runs, or without', async ({ database }) => {
    const operator = (await createTestAdmin(database.sql)).as('ADMIN');
    const { registrations } = await seedApp(database.sql);
    const pause = 'mutation ($id: ID!, $dry: Boolean) { pauseRegistration(id: $id, dryRun: $dry) { connectionCount } }';
    for (const dry of [true, false]) await operator(pause, { id: registrations.PROVIDER_A, dry });
    const filter = { target: registrations.PROVIDER_A };
    const [done, dryRun] = await readAll(operator, 'auditLog', 'AuditFilter', filter);
    expect(await readAll(operator, 'auditLog', 'AuditFilter', { ...filter, dryRuns: true })).toEqual([dryRun]);
    expect(await readAll(operator, 'auditLog', 'AuditFilter', { ...filter, dryRuns: false })).toEqual([done]);
  });

  test('shows the code that each connection’s app receives on a read', async ({ database }) => {
    const { sql } = database;
    const seeded = await seedApp(sql);
    const operator = (await createTestAdmin(sql)).as('VIEWER');
    const answered = {
      CONNECTED: null,
      SUSPENDED: 'AUTHORIZATION_SUSPENDED',
      RECONNECT_REQUIRED: 'RECONNECT_REQUIRED',
      DISCONNECTED: 'DISCONNECT_IN_PROGRESS',
      DELETING: 'DISCONNECT_IN_PROGRESS',
    } as const;
    for (const status of Object.keys(answered) as (keyof typeof answered)[]) {
      await seedConnection(sql, seeded, { scope: seeded.newScope(), status });
    }
    const document =
      'query ($f: ConnectionFilter) { connections(filter: $f, first: 50) { items { status readErrorCode } } }';
    const { connections } = await operator(document, { f: { appId: seeded.app.appId } });
    expect(
      Object.fromEntries(connections.items.map(({ status, readErrorCode }: Answer) => [status, readErrorCode])),
    ).toEqual(answered);
  });
});
