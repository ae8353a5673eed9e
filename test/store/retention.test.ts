import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../src/basics/ids.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { asWorker, test as postgresTest } from '../kit/postgres.ts';
import { proves } from '../kit/proofs.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedLookups, seedScope } from '../kit/seed.ts';
import { applyRetention } from '../kit/sweeping.ts';

/** Each test starts without due rows. */
const test = postgresTest.extend<{ sql: Database; seeded: SeededApp }>({
  sql: async ({ database: { sql } }, use) => {
    await sql`truncate scope, connection, connect_attempt, account_grant, identity_attempt, disconnect_job, journal_entry, admin_token,
      erasure, bulk_disconnect, deletion_request cascade`;
    await use(sql);
  },
  seeded: async ({ sql }, use) => use(await seedApp(sql)),
});

const NONE = {};
const SECOND_MS = 1_000;
const retain = (sql: Database) => applyRetention(asWorker(sql));

/** Expects that retention takes nothing a moment before the time, this many rows at it, and none in the next run. */
async function expectTaken(sql: Database, afterMs: number, taken: Record<string, number>): Promise<void> {
  await moveClock(sql, afterMs - 2 * SECOND_MS);
  expect(await retain(sql)).toEqual(NONE);
  await moveClock(sql, 2 * SECOND_MS);
  expect(await retain(sql)).toEqual(taken);
  expect(await retain(sql)).toEqual(NONE);
}

const seedAttempt = async (sql: Database, seeded: SeededApp, status: string) => {
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  await sql`
    insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, status,
      connection_id, launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at)
    values (${randomUUID()}, ${scopeId}, ${seeded.app.appId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, ${['PROFILE']},
      ${seeded.returnUrl}, ${status}, ${status === 'COMPLETED' ? randomUUID() : null}, sha256(${randomUUID()}::bytea), ${randomUUID()}, business_now(),
      business_now() + interval '10 minutes', business_now() + interval '24 hours')
  `;
  return scopeId;
};

const seedReceipt = (sql: Database, seeded: SeededApp, status: string) => sql`
  insert into disconnect_job (job_id, kind, status, connection_id, app_id, provider, registration_id, sealed_tokens, correlation_id,
    finished_at)
  values (${randomUUID()}, 'REVOKE', ${status}, ${randomUUID()}, ${seeded.app.appId}, 'PROVIDER_B',
    ${seeded.registrations.PROVIDER_B}, ${status === 'SUCCEEDED' ? null : 'sealed'}, ${randomUUID()},
    case when ${status} in ('QUEUED', 'RUNNING') then null else business_now() end)
`;

/** Like the only grant, but dead. */
const seedDeadGrant = (sql: Database, connectionId: ConnectionId | null, attemptId: string = randomUUID()) => sql`
  insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions,
    obtained_at)
  select gen_random_uuid(), ${attemptId}, scope_id, provider, registration_id, ${connectionId}, 'DEAD', permissions, obtained_at
  from account_grant limit 1
`;

describe('retention', () => {
  test('blanks a post 30 days after the last read, except its id and that time', async ({ sql, seeded }) => {
    proves('Posts and profiles: 30 days');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`update connection set profile = null`;
    const metrics = [{ name: 'VIEWS', value: '1', availability: 'AVAILABLE', reason: null, sourceField: null }];
    const id = await seedContent(sql, connectionId, { publishedAt: new Date(), metrics });
    const [before] = await sql`select observed_at from content_item`;
    await expectTaken(sql, 30 * DAY_MS, { oldPosts: 1 });
    const [post] = await sql`select * from content_item`;
    expect(post).toMatchObject({
      providerContentId: id,
      kind: 'UNKNOWN',
      canonicalUrl: null,
      thumbnailUrl: null,
      title: null,
      description: null,
      publishedAt: null,
      availability: 'UNAVAILABLE',
      reason: 'EXPIRED',
      metrics: [],
      metricsObservedAt: null,
    });
    expect(post?.observedAt).toEqual(before?.observedAt);
  });

  test('deletes a profile 30 days after it was read, and keeps the connection', async ({ sql, seeded }) => {
    proves('Posts and profiles: 30 days', 'Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await expectTaken(sql, 30 * DAY_MS, { oldProfiles: 1 });
    const [row] = await sql`select status, profile from connection where connection_id = ${connectionId}`;
    expect(row).toEqual({ status: 'CONNECTED', profile: null });
  });

  test('deletes an attempt when its result expires, and its scope if nothing else uses it', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    await seedAttempt(sql, seeded, 'COMPLETED');
    const needed = await seedAttempt(sql, seeded, 'FAILED');
    await sql`
      insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, status, permissions, obtained_at)
      values (${randomUUID()}, ${randomUUID()}, ${needed}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, 'REVOKING',
        ${['x']}, business_now())
    `;
    await expectTaken(sql, 24 * HOUR_MS, { oldAttempts: 2 });
    expect(await sql`select scope_id from scope`).toEqual([{ scopeId: needed }]);
  });

  test('leaves an unfinished attempt to reconciliation', async ({ sql, seeded }) => {
    await seedAttempt(sql, seeded, 'EXCHANGING');
    await moveClock(sql, 25 * HOUR_MS);
    expect(await retain(sql)).toEqual(NONE);
  });

  test('deletes a sign-in, redeemed or not, 20 minutes after its creation, and leaves an unfinished one to reconciliation', async ({
    sql,
    seeded,
  }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    for (const [status, redeemed] of [
      ['COMPLETED', true],
      ['COMPLETED', false],
      ['PENDING', false],
    ] as const) {
      await sql`
        insert into identity_attempt (attempt_id, app_id, tenant_key, issuer_id, return_url, launch_token_sha256,
          result_proof_sha256, status, sealed_claims, redeemed_at, correlation_id, created_at, expires_at, result_expires_at)
        values (${randomUUID()}, ${seeded.app.appId}, ${seeded.tenantKey}, ${seeded.issuerId}, ${seeded.identityReturnUrl},
          sha256(${randomUUID()}::bytea), sha256('x'), ${status}, ${status === 'PENDING' || redeemed ? null : 'sealed'},
          ${redeemed ? sql`business_now()` : null}, ${randomUUID()},
          business_now(), business_now() + interval '10 minutes', business_now() + interval '20 minutes')
      `;
    }
    await expectTaken(sql, 20 * MINUTE_MS, { oldIdentityAttempts: 2 });
    expect(await sql`select status from identity_attempt`).toEqual([{ status: 'PENDING' }]);
  });

  test('deletes a read job 7 days after its end, and no open one', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await seedLookups(sql, seeded, connectionId, 2);
    await sql`
      update read_job set status = 'SUCCEEDED', finished_at = business_now()
      where job_id = (select job_id from read_job limit 1)
    `;
    await expectTaken(sql, 7 * DAY_MS, { oldReadJobs: 1 });
    expect(await sql`select status from read_job`).toEqual([{ status: 'QUEUED' }]);
  });

  test('deletes a receipt 7 days after its creation, with the tokens of a failed revoke', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    for (const status of ['SUCCEEDED', 'FAILED', 'QUEUED', 'RUNNING']) await seedReceipt(sql, seeded, status);
    await expectTaken(sql, 7 * DAY_MS, { oldReceipts: 2 });
    const left = await sql`select status from disconnect_job order by status`;
    expect(left).toEqual([{ status: 'QUEUED' }, { status: 'RUNNING' }]);
  });

  test('keeps the dead grant of a connection in RECONNECT_REQUIRED', async ({ sql, seeded }) => {
    const connectionId: ConnectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${connectionId}`;
    await moveClock(sql, 400 * DAY_MS);
    expect(await retain(sql)).not.toHaveProperty('oldGrants');
    expect(await sql`select connection_id from account_grant`).toEqual([{ connectionId }]);
  });

  test('deletes a dead grant without a connection at once, unless its attempt continues', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await seedDeadGrant(sql, null);
    await seedAttempt(sql, seeded, 'EXCHANGING');
    const [attempt] = await sql`select attempt_id from connect_attempt`;
    await seedDeadGrant(sql, null, attempt?.attemptId);
    expect(await retain(sql)).toEqual({ oldGrants: 1 });
    await sql`update connect_attempt set status = 'FAILED'`;
    expect(await retain(sql)).toEqual({ oldGrants: 1 });
    expect(await sql`select status from account_grant`).toEqual([{ status: 'LIVE' }]);
  });

  test('deletes any number of rows in one run, and a row that cannot be deleted delays no other', async ({
    sql,
    seeded,
  }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`update connection set profile = null`;
    await sql`
      insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, status, url, url_sha256, correlation_id,
        finished_at)
      select gen_random_uuid(), 'LOOKUP', ${connectionId}, app_id, provider, 'CALLER', 'SUCCEEDED', 'https://platform.example/',
        sha256(number::text::bytea), gen_random_uuid(), business_now()
      from connection, generate_series(1, 2500) number where connection_id = ${connectionId}
    `;
    await seedReceipt(sql, seeded, 'FAILED');
    await seedDeadGrant(sql, null);
    const [kept] = await sql`select job_id from read_job offset 1234 limit 1`;
    await sql`create table kept_job as select ${kept?.jobId}::uuid as job_id`;
    await sql.unsafe(`
      create function keep_job() returns trigger language plpgsql security definer as $$
      begin
        if old.job_id = (select job_id from kept_job) then raise check_violation; end if;
        return old;
      end $$;
      create trigger keep_job before delete on read_job for each row execute function keep_job();
    `);
    await moveClock(sql, 7 * DAY_MS);
    expect(await retain(sql)).toEqual({ oldReceipts: 1, oldReadJobs: 2_499, oldGrants: 1 });
    expect(await sql`select job_id from read_job`).toEqual([kept]);
    await sql`drop trigger keep_job on read_job`;
    expect(await retain(sql)).toEqual({ oldReadJobs: 1 });
  });

  test('deletes bulk disconnects 90 days after their end', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    await sql`
      insert into bulk_disconnect (bulk_disconnect_id, app_id, tenant_key, total, correlation_id, finished_at) values
        (gen_random_uuid(), ${seeded.app.appId}, 'ended', 1, gen_random_uuid(), business_now()),
        (gen_random_uuid(), ${seeded.app.appId}, 'going on', 1, gen_random_uuid(), null)
    `;
    await expectTaken(sql, 90 * DAY_MS, { oldBulkDisconnects: 1 });
    expect(await sql`select tenant_key from bulk_disconnect`).toEqual([{ tenantKey: 'going on' }]);
  });

  test('deletes the receipt of a person’s erasure a year after its end', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    for (const completed of [true, false]) {
      await sql`
        insert into erasure (erasure_id, app_id, scope_mac, connection_ids, completed_at)
        values (gen_random_uuid(), ${seeded.app.appId}, sha256('x'), '{}', ${completed ? sql`business_now()` : null})
      `;
    }
    await expectTaken(sql, 365 * DAY_MS, { oldErasures: 1 });
    expect(await sql`select completed_at from erasure`).toEqual([{ completedAt: null }]);
  });

  test('deletes a platform’s deletion request a year on, unless something is still to be erased for it', async ({
    sql,
    seeded,
  }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`update connection set profile = null`;
    const [open, met] = ['a'.repeat(32), 'b'.repeat(32)];
    await sql`insert into deletion_request (code) values (${open}), (${met})`;
    await sql`insert into deletion_request_connection (code, connection_id, correlation_id)
      values (${open}, ${connectionId}, ${randomUUID()})`;
    await expectTaken(sql, 365 * DAY_MS, { oldDeletionRequests: 1 });
    expect(await sql`select code from deletion_request`).toEqual([{ code: open }]);
  });

  test('deletes coverage 30 days after its scan', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`update connection set profile = null`;
    await sql`
      insert into coverage (coverage_id, connection_id, published, scanned_at)
      values (${randomUUID()}, ${connectionId}, tstzrange(business_now(), null), business_now())
    `;
    await expectTaken(sql, 30 * DAY_MS, { oldCoverage: 1 });
  });

  test('deletes an administrator’s session 8 hours after it began', async ({ sql }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const tokenId = randomUUID();
    await sql`
      insert into admin_token (token_id, secret_sha256, label, role, expires_at)
      values (${tokenId}, sha256('x'), 'Test', 'VIEWER', business_now() + interval '30 days')
    `;
    await sql`insert into admin_session (session_sha256, token_id) values (sha256('y'), ${tokenId})`;
    await expectTaken(sql, 8 * HOUR_MS, { oldAdminSessions: 1 });
  });

  test('deletes the token of a session at an OpenID issuer a day after its end, and no other', async ({ sql }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    const tokenId = randomUUID();
    await sql`
      insert into admin_token (token_id, secret_sha256, label, role, expires_at, openid_sub) values
        (${tokenId}, sha256('x'), 'OpenID rowan', 'VIEWER', business_now() + interval '8 hours', 'rowan'),
        (${randomUUID()}, sha256('x'), 'Issued', 'VIEWER', business_now() + interval '8 hours', null)
    `;
    await sql`
      insert into admin_idempotency (token_id, idempotency_key, request_mac, created_at)
      values (${tokenId}, 'key', sha256('r'), business_now() + interval '7 hours')
    `;
    await expectTaken(sql, 31 * HOUR_MS, { oldAdminIdempotencyKeys: 1 });
    await expectTaken(sql, HOUR_MS, { oldSessionTokens: 1 });
    expect(await sql`select label from admin_token where label in ('OpenID rowan', 'Issued')`).toEqual([
      { label: 'Issued' },
    ]);
  });

  test('deletes journal entries after 90 days without a journal, and never with one', async ({ sql }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    await sql`insert into journal_entry (kind, id) values ('GRANT', ${randomUUID()})`;
    await moveClock(sql, 90 * DAY_MS);
    expect(await applyRetention(asWorker(sql), { keepsJournal: true })).toEqual(NONE);
    expect(await retain(sql)).toEqual({ oldJournalEntries: 1 });
  });

  test('deletes counts of units from more than 90 days ago', async ({ sql, seeded }) => {
    proves('Attempts, jobs, receipts, kept tokens, dead grants, coverage');
    for (const days of [90, 91]) {
      await sql`
        insert into registration_usage (registration_id, day, app_id, units)
        values (${seeded.registrations.PROVIDER_B}, (business_now() - make_interval(days => ${days}))::date,
          ${seeded.app.appId}, 1)
      `;
    }
    expect(await retain(sql)).toEqual({ oldUsage: 1 });
    const left = await sql`select day = (business_now() - interval '90 days')::date as kept from registration_usage`;
    expect(left).toEqual([{ kept: true }]);
  });
});
