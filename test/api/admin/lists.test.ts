import { describe, expect } from 'vitest';
import { areRowsKept, describeEnd } from '../../../src/domain/texts/ended-work-texts.ts';
import { insertTenant } from '../../../src/store/apps/tenants.ts';
import { type Answer, createTestAdmin, type Operator } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedLookups, seedScope } from '../../kit/seed.ts';

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
        first_failed_at = created_at + (hashtext(job_id::text) % 1000) * interval '1 second'
      where app_id = ${appId}
    `;
    const stuck =
      await sql`select job_id from admin_job where app_id = ${appId} and stuck order by stuck_since, job_id`;
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, stuck: true })).toEqual(
      stuckIn(stuck as unknown as { jobId: string }[]),
    );
    expect(await readAll(operator, 'jobs', 'JobFilter', { appId, stuck: false })).toHaveLength(2);
  });

  test('has the jobs that ended in a period by their end, and the same ones as their count', async ({ database }) => {
    const { sql } = database;
    const seeded = await seedApp(sql);
    const operator = (await createTestAdmin(sql)).as('VIEWER');
    const { appId } = seeded.app;
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await seedLookups(sql, seeded, connectionId, 6);
    // The four that end do so in the order of their ids, at minutes of their own; two of them succeed.
    const ended = await sql`
      update read_job j set status = case when n % 2 = 0 then 'FAILED' else 'SUCCEEDED' end,
        error_code = case when n % 2 = 0 then 'CONTENT_NOT_FOUND' end, finished_at = date_trunc('hour', now()) + n * interval '1 second'
      from (select job_id, row_number() over (order by job_id) as n from read_job where app_id = ${appId}) numbered
      where j.job_id = numbered.job_id and n <= 4 returning j.job_id, n::int
    `;
    const inOrder = ended.toSorted((one, other) => other.n - one.n).map(({ jobId }) => jobId);
    const { endedWork } = await operator(
      'query ($a: ID) { endedWork(period: DAY, appId: $a) { counts { at kind outcome succeeded message count rowsKept } } }',
      { a: appId },
    );
    expect(endedWork.counts).toMatchObject([
      {
        kind: 'READ',
        outcome: 'CONTENT_NOT_FOUND',
        succeeded: false,
        message: 'The provider does not return this post for this account.',
        count: 2,
        rowsKept: true,
      },
      { kind: 'READ', outcome: 'SUCCEEDED', succeeded: true, count: 2, rowsKept: true },
    ]);
    const [{ at }] = endedWork.counts;
    const hour = { appId, endedSince: at, endedBefore: new Date(Date.parse(at) + 3_600_000).toISOString() };
    expect(await readAll(operator, 'jobs', 'JobFilter', hour)).toEqual(inOrder);
    expect(await readAll(operator, 'jobs', 'JobFilter', { ...hour, lastFailure: 'CONTENT_NOT_FOUND' })).toHaveLength(2);
    expect(await readAll(operator, 'jobs', 'JobFilter', { ...hour, endedSince: hour.endedBefore })).toEqual([]);
    expect(await readAll(operator, 'jobs', 'JobFilter', { ...hour, endedBefore: at })).toEqual([]);
  });

  test('has the attempts of a result and of the time in which they began', async ({ database }) => {
    const { sql } = database;
    const seeded = await seedApp(sql);
    const operator = (await createTestAdmin(sql)).as('VIEWER');
    const { appId } = seeded.app;
    const scopeId = await seedScope(sql, seeded, seeded.newScope());
    const rows = await sql`
      insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, status,
        result_code, launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at)
      select gen_random_uuid(), ${scopeId}, ${appId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, '{}', 'x', 'FAILED',
        code, sha256(gen_random_uuid()::text::bytea), gen_random_uuid(), at::timestamptz, now(), now()
      from (values ('EXCHANGE_FAILED', '2026-01-01T10:00:00Z'), ('EXPIRED', '2026-01-01T10:59:59Z'),
        ('EXPIRED', '2026-01-01T11:00:00Z')) as made (code, at)
      returning attempt_id
    `;
    const [first, second, third] = rows.map(({ attemptId }) => attemptId);
    const read = (filter: object) => readAll(operator, 'attempts', 'AttemptFilter', { appId, ...filter }, 1);
    expect(await read({})).toEqual([third, second, first]);
    expect(await read({ resultCode: 'EXPIRED' })).toEqual([third, second]);
    expect(await read({ since: '2026-01-01T10:00:00Z', before: '2026-01-01T11:00:00Z' })).toEqual([second, first]);
    expect(await read({ since: '2026-01-01T11:00:00Z' })).toEqual([third]);
  });

  test('has the connections of a filter, newest first', async ({ database }) => {
    const { sql } = database;
    const seeded = await seedApp(sql);
    const operator = (await createTestAdmin(sql)).as('VIEWER');
    const scope = seeded.newScope();
    const made = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope, status: 'RECONNECT_REQUIRED' }),
      await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' }),
      await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    ];
    const { appId } = seeded.app;
    const read = (filter: object) => readAll(operator, 'connections', 'ConnectionFilter', filter, 2);
    expect((await read({ appId })).sort()).toEqual([...made].sort());
    expect((await read({ appId, ...scope })).sort()).toEqual(made.slice(0, 3).sort());
    expect(await read({ appId, statuses: ['RECONNECT_REQUIRED'] })).toEqual([made[1]]);
    expect(await read({ appId, provider: 'PROVIDER_A' })).toEqual([made[2]]);
    expect((await read({ registrationId: seeded.registrations.PROVIDER_B })).length).toBe(3);
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

  test('has the audit log, newest entry first', async ({ database }) => {
    const operator = (await createTestAdmin(database.sql)).as('ADMIN');
    for (let i = 0; i < 5; i += 1) await operator('mutation { createApp(input: { name: "Harbour" }) { id } }');
    const ids = (await readAll(operator, 'auditLog', 'AuditFilter', {}, 2)).map(Number);
    expect(ids.length).toBeGreaterThanOrEqual(5);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has the tenants of one app by key, with their connections', async ({ sql }) => {
    const operator = (await createTestAdmin(sql)).as('ADMIN');
    const [first, second] = [await seedApp(sql), await seedApp(sql)];
    const keys = ['c', 'a', 'b'];
    const add = 'mutation ($a: ID!, $t: String!) { addTenant(appId: $a, tenantKey: $t) { tenantKey connectionCount } }';
    for (const tenantKey of keys) {
      await insertTenant(sql, first.app.appId, tenantKey);
      await seedConnection(sql, first, { scope: { tenantKey, externalSubjectId: 'someone' } });
    }
    for (const t of keys) {
      const { addTenant } = await operator(add, { a: second.app.appId, t });
      expect(addTenant).toEqual({ tenantKey: t, connectionCount: 0 }); // The other app's tenant of this key has one.
    }
    const page = async (after: string | null) =>
      (
        await operator(
          `query ($a: ID!, $after: String) { tenants(appId: $a, first: 2, after: $after) {
            items { tenantKey connectionCount } pageInfo { endCursor hasNextPage }
          } }`,
          { a: first.app.appId, after },
        )
      ).tenants;
    const one = await page(null);
    expect(one.items).toEqual([
      { tenantKey: 'a', connectionCount: 1 },
      { tenantKey: 'b', connectionCount: 1 },
    ]);
    const two = await page(one.pageInfo.endCursor);
    expect(two.items).toEqual([
      { tenantKey: 'c', connectionCount: 1 },
      { tenantKey: first.tenantKey, connectionCount: 0 },
    ]);
    expect(two.pageInfo.hasNextPage).toBe(false);
  });
});

describe('the outcome of ended work', () => {
  test.for([
    ['CONNECT', 'COMPLETED', true, /connected/],
    ['CONNECT', 'EXPIRED', false, /did not finish within 10 minutes/],
    ['CONNECT', 'DENIED', false, /denied access/],
    ['CONNECT', 'SOMETHING_NEW', false, /unknown result/],
    ['READ', 'SUCCEEDED', true, /read succeeded/],
    ['READ', 'CANCELED', false, /was canceled/],
    ['READ', 'PROVIDER_UNAVAILABLE', false, /did not answer, or answered with an error of its own\.$/],
    ['TOKEN_REFRESH', 'SUCCEEDED', true, /token was refreshed/],
    ['TOKEN_REFRESH', 'RECONNECT_REQUIRED', false, /Only the person can connect again/],
    ['REVOKE', 'SUCCEEDED', true, /revoked/],
    ['REVOKE', 'FAILED', false, /without a reason/],
    ['WEBHOOK', 'DELIVERED', true, /accepted the event/],
    ['WEBHOOK', 'HTTP_410', false, /410 Gone/],
    ['WEBHOOK', 'TIMEOUT', false, /within 15 seconds/],
    ['WEBHOOK', 'FAILED', false, /without a reason/],
    ['REVOKE', 'REMOVE_APP_AT_PROVIDER', false, /the person must remove the app there/],
  ] as const)('%s %s: that it succeeded is %s, and a sentence says why', ([kind, outcome, succeeded, message]) => {
    expect(describeEnd(kind, outcome)).toEqual({
      succeeded,
      leftToPerson: outcome === 'REMOVE_APP_AT_PROVIDER',
      message: expect.stringMatching(message),
    });
  });

  test.for([
    ['CONNECT', 24],
    ['READ', 7 * 24],
    ['REVOKE', 4 * 24],
    ['WEBHOOK', 30 * 24],
  ] as const)('is kept with the rows of %s for less than %d hours', ([kind, hours]) => {
    const now = new Date('2026-03-01T12:00:00Z');
    const at = new Date(now.getTime() - hours * 3_600_000);
    expect(areRowsKept(kind, at, now)).toBe(false);
    expect(areRowsKept(kind, new Date(at.getTime() + 1), now)).toBe(true);
  });
});
