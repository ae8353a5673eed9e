import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, newId } from '../../src/basics/ids.ts';
import type { SweepStep } from '../../src/basics/sweeps.ts';
import { type AttemptEnd, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { findContent, findKnownContent } from '../../src/store/content/content.ts';
import { forgetContent, recallContent } from '../../src/store/content/forgotten-content.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { RETENTION } from '../../src/store/retention.ts';
import { createMac } from '../../src/vault/mac.ts';
import { openStage } from '../kit/activity-stage.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { asWorker, test as postgresTest } from '../kit/postgres.ts';
import { type SeededApp, seedConnection, seedContent, seedLookups, seedScope } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertRow } from '../kit/seed-jobs.ts';
import { applyRetention } from '../kit/sweeping.ts';

/** Each test starts without due rows. */
const test = postgresTest.extend<{ sql: Database }>({
  sql: async ({ sql }, use) => {
    await sql`truncate scope, connection, connect_attempt, account_grant, identity_attempt, disconnect_job, journal_entry, admin_token,
      erasure, bulk_disconnect, deletion_request, webhook_endpoint, webhook_event, imported_token, ended_work_count,
      unknown_answer cascade`;
    await moveClock(sql, 0);
    await sql`update test_clock set moved = ${START} - clock_timestamp()`;
    await use(sql);
  },
});

const NONE = {};
const TEST_MAC = createMac({ keys: [{ kid: 'test', kty: 'oct', k: 'k'.repeat(43) }] } as never);
/** A year later is the same day of a leap year. */
const START = new Date('2027-06-15T12:00:00Z');
const YEAR_MS = 366 * DAY_MS;
const YOUNGER = new Date(START.getTime() + HOUR_MS);
const retain = (sql: Database) => applyRetention(asWorker(sql));

async function seedWithoutProfile(sql: Database, seeded: SeededApp): Promise<ConnectionId> {
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await sql`update connection set profile = null`;
  return connectionId;
}

const EXCHANGING = 'EXCHANGING';
const COMPLETED = { status: 'COMPLETED', resultCode: null, connectionId: newId<ConnectionId>() } as const;
const CANCELED = { status: 'CANCELED', resultCode: 'CANCELED' } as const;
const FAILED = { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' } as const;

/** An attempt whose code was sent, or that has ended. */
const seedAttemptAt = (sql: Database, seeded: SeededApp, at: typeof EXCHANGING | AttemptEnd) =>
  seedAttempt(sql, seeded, {}, async (tx, attemptId) => {
    const hashes = { stateSha256: randomBytes(32), browserSha256: randomBytes(32) };
    await connectAttempts.moveToAuthorizing(tx, attemptId, { ...hashes, sealedCodeVerifier: null });
    await connectAttempts.moveToExchanging(tx, attemptId, 'sealed');
    if (at !== EXCHANGING) await moveAttemptToEnd(tx, attemptId, at);
  });

const seedGrant = (
  sql: Database,
  seeded: SeededApp,
  status: string,
  { attemptId, scopeId }: { attemptId: string; scopeId: string },
) => sql`
  insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, status, permissions, obtained_at)
  values (${randomUUID()}, ${attemptId}, ${scopeId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, ${status},
    ${['x']}, business_now())
`;

const seedReceipt = (
  sql: Database,
  seeded: SeededApp,
  status: string,
  connectionId: string = randomUUID(),
  kind = 'REVOKE',
) => sql`
  insert into disconnect_job (job_id, kind, status, connection_id, app_id, provider, registration_id, sealed_tokens, correlation_id,
    finished_at)
  values (${randomUUID()}, ${kind}, ${status}, ${connectionId}, ${seeded.app.appId}, 'PROVIDER_B',
    ${seeded.registrations.PROVIDER_B}, ${status === 'SUCCEEDED' ? null : 'sealed'}, ${randomUUID()},
    case when ${status} in ('QUEUED', 'RUNNING') then null else business_now() end)
`;

const seedOperatorToken = async (sql: Database, label: string, openidSub: string | null) => {
  const tokenId = randomUUID();
  await sql`
    insert into admin_token (token_id, secret_sha256, label, role, expires_at, openid_sub)
    values (${tokenId}, sha256('x'), ${label}, 'VIEWER', business_now() + interval '8 hours', ${openidSub})
  `;
  return tokenId;
};

interface Kind {
  /** The rows that end, and when. */
  readonly says: string;
  /** The age at which it ends, counted from its seeding. */
  readonly ageMs: number;
  /** Inserts rows of which `takes`, or one, end, and `left` remain, as `look` shows them. */
  readonly seed: (sql: Database, seeded: SeededApp) => Promise<unknown>;
  readonly takes?: number;
  readonly look: (sql: Database) => PromiseLike<readonly object[]>;
  readonly left: readonly object[];
}

/** Two rows of a table: one ends at `START` and its age, and the other one stays, as it is younger or has no end. */
const twoRows = (
  table: string,
  column: string,
  stays: Date | null,
  columns: (sql: Database, seeded: SeededApp) => object | Promise<object>,
): Pick<Kind, 'seed' | 'look' | 'left'> => ({
  seed: async (sql, seeded) => {
    await insertRow(sql, table, { [column]: START, ...(await columns(sql, seeded)) });
    await insertRow(sql, table, { ...(await columns(sql, seeded)), [column]: stays });
  },
  look: (sql) =>
    sql`select ${sql(column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))} from ${sql(table)}`,
  left: [{ [column]: stays }],
});

const KINDS: Readonly<Record<SweepStep<'retention'>, Kind>> = {
  oldReceipts: {
    says: 'a receipt 7 days after its creation, unless its job continues or its connection still exists',
    ageMs: 7 * DAY_MS,
    seed: async (sql, seeded) => {
      for (const status of ['SUCCEEDED', 'FAILED', 'QUEUED', 'RUNNING']) await seedReceipt(sql, seeded, status);
      await seedReceipt(sql, seeded, 'SUCCEEDED', await seedWithoutProfile(sql, seeded));
    },
    takes: 2,
    look: (sql) => sql`select status from disconnect_job order by status`,
    left: [{ status: 'QUEUED' }, { status: 'RUNNING' }, { status: 'SUCCEEDED' }],
  },
  oldKeptTokens: {
    says: 'the tokens of a failed revoke after 7 days, even if its receipt remains',
    ageMs: 7 * DAY_MS,
    seed: async (sql, seeded) => {
      for (const status of ['FAILED', 'RUNNING'])
        await seedReceipt(sql, seeded, status, await seedWithoutProfile(sql, seeded));
    },
    look: (sql) => sql`select status, sealed_tokens from disconnect_job order by status`,
    left: [
      { status: 'FAILED', sealedTokens: null },
      { status: 'RUNNING', sealedTokens: 'sealed' },
    ],
  },
  oldPosts: {
    says: 'all of a post but a hash of its id and the time of its last read, 30 days after that',
    ageMs: 30 * DAY_MS,
    seed: async (sql, seeded) => {
      const connectionId = await seedWithoutProfile(sql, seeded);
      const metrics = [{ name: 'VIEWS', value: '1', availability: 'AVAILABLE', reason: null, sourceField: null }];
      for (const title of ['read again', 'old']) {
        await seedContent(sql, connectionId, { publishedAt: new Date(), metrics, title });
      }
      await sql`update content_item set observed_at = observed_at + interval '1 day' where details ->> 'title' = 'read again'`;
    },
    look: (sql) => sql`
      select kind, canonical_url is null and details = '{}' and metrics = '[]' and provider_content_id is null as blank,
        reason, observed_at + '30 days' < business_now() as old
      from content_item order by observed_at
    `,
    left: [
      { kind: 'UNKNOWN', blank: true, reason: 'EXPIRED', old: true },
      { kind: expect.not.stringMatching('UNKNOWN'), blank: false, reason: null, old: false },
    ],
  },
  oldProfiles: {
    says: 'a profile 30 days after it was read, and not its connection',
    ageMs: 30 * DAY_MS,
    seed: async (sql, seeded) => {
      for (const days of [0, 1]) {
        const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
        await sql`update connection set profile_observed_at = profile_observed_at + make_interval(days => ${days})
          where connection_id = ${connectionId}`;
      }
    },
    look: (sql) => sql`select status, profile is null as gone from connection order by profile_observed_at`,
    left: [
      { status: 'CONNECTED', gone: true },
      { status: 'CONNECTED', gone: false },
    ],
  },
  oldAttempts: {
    says: 'an attempt 24 hours after its creation, and its unused scope, unless it continues or a grant is to be handled',
    ageMs: 24 * HOUR_MS,
    seed: async (sql, seeded) => {
      await seedAttemptAt(sql, seeded, COMPLETED);
      await seedAttemptAt(sql, seeded, EXCHANGING);
      await seedGrant(sql, seeded, 'PENDING', await seedAttemptAt(sql, seeded, CANCELED));
      await seedGrant(sql, seeded, 'REVOKING', await seedAttemptAt(sql, seeded, FAILED));
    },
    takes: 2,
    look: (sql) => sql`
      select a.status, g.status as grant from scope
      left join connect_attempt a using (scope_id) left join account_grant g using (scope_id) order by a.status
    `,
    left: [
      { status: 'CANCELED', grant: 'PENDING' },
      { status: 'EXCHANGING', grant: null },
      { status: null, grant: 'REVOKING' },
    ],
  },
  oldReadJobs: {
    says: 'a read job 7 days after its end',
    ageMs: 7 * DAY_MS,
    seed: async (sql, seeded) => {
      await seedLookups(sql, seeded, await seedWithoutProfile(sql, seeded), 2);
      await sql`
        update read_job set status = 'SUCCEEDED', finished_at = business_now()
        where job_id = (select job_id from read_job limit 1)
      `;
    },
    look: (sql) => sql`select status from read_job`,
    left: [{ status: 'QUEUED' }],
  },
  oldGrants: {
    says: 'a dead grant at once, unless it has a connection or its attempt continues',
    ageMs: 0,
    seed: async (sql, seeded) => {
      const connectionId = await seedWithoutProfile(sql, seeded);
      await sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${connectionId}`;
      const scopeId = await seedScope(sql, seeded, seeded.newScope());
      await seedGrant(sql, seeded, 'DEAD', { scopeId, attemptId: randomUUID() });
      await seedGrant(sql, seeded, 'DEAD', await seedAttemptAt(sql, seeded, EXCHANGING));
    },
    look: (sql) => sql`
      select connection_id is not null as connected, status from scope
      left join account_grant using (scope_id) order by connected
    `,
    left: [
      { connected: false, status: 'DEAD' },
      { connected: true, status: 'DEAD' },
    ],
  },
  oldCoverage: {
    says: 'coverage 30 days after its scan',
    ageMs: 30 * DAY_MS,
    ...twoRows('coverage', 'scannedAt', YOUNGER, async (sql, seeded) => {
      const [published, connectionId] = ['[2027-06-01,2027-06-02)', await seedWithoutProfile(sql, seeded)];
      return { coverageId: randomUUID(), connectionId, published };
    }),
  },
  oldUsage: {
    says: 'counts of units from more than 90 days ago',
    ageMs: 0,
    seed: (sql, seeded) => sql`
      insert into registration_usage (registration_id, day, app_id, units)
      select ${seeded.registrations.PROVIDER_B}, (business_now() - make_interval(days => days))::date, ${seeded.app.appId}, 1
      from generate_series(90, 91) days
    `,
    look: (sql) => sql`select (business_now() at time zone 'UTC')::date - day as days from registration_usage`,
    left: [{ days: 90 }],
  },
  oldEndedWork: {
    says: 'counts of ended work 35 days after their hour',
    ageMs: 35 * DAY_MS,
    ...twoRows('ended_work_count', 'hour', YOUNGER, () => ({ kind: 'READ', outcome: 'SUCCEEDED', count: 1 })),
  },
  oldAdminSessions: {
    says: 'an operator’s session 8 hours after it began',
    ageMs: 8 * HOUR_MS,
    ...twoRows('admin_session', 'createdAt', YOUNGER, async (sql) => ({
      ...{ sessionSha256: randomBytes(32), tokenId: await seedOperatorToken(sql, 'Test', null) },
    })),
  },
  oldAdminIdempotencyKeys: {
    says: 'an operator’s idempotency key after 24 hours',
    ageMs: 24 * HOUR_MS,
    ...twoRows('admin_idempotency', 'createdAt', YOUNGER, async (sql) => ({
      ...{ tokenId: await seedOperatorToken(sql, 'Test', null), idempotencyKey: 'key', requestMac: randomBytes(32) },
    })),
  },
  oldSessionTokens: {
    says: 'the token of a session at an OpenID issuer a day after its end, unless an idempotency key names it',
    ageMs: 32 * HOUR_MS,
    seed: async (sql) => {
      await seedOperatorToken(sql, 'unused', 'rowan');
      await seedOperatorToken(sql, 'issued', null);
      const named = await seedOperatorToken(sql, 'named', 'sam');
      await sql`
        insert into admin_idempotency (token_id, idempotency_key, request_mac, created_at)
        values (${named}, 'key', sha256('r'), business_now() + interval '9 hours')
      `;
    },
    look: (sql) => sql`select label from admin_token where label in ('unused', 'issued', 'named') order by label`,
    left: [{ label: 'issued' }, { label: 'named' }],
  },
  oldJournalEntries: {
    says: 'a journal entry after 90 days, without a journal',
    ageMs: 90 * DAY_MS,
    ...twoRows('journal_entry', 'happenedAt', YOUNGER, () => ({ kind: 'GRANT', id: randomUUID() })),
  },
  oldBulkDisconnects: {
    says: 'a bulk disconnect 90 days after its end',
    ageMs: 90 * DAY_MS,
    ...twoRows('bulk_disconnect', 'finishedAt', null, (_sql, { app: { appId } }) => {
      const [bulkDisconnectId, correlationId] = [randomUUID(), randomUUID()];
      return { bulkDisconnectId, appId, tenantKey: bulkDisconnectId, total: 1, correlationId };
    }),
  },
  oldErasures: {
    says: 'the receipt of a person’s erasure a year after its end',
    ageMs: YEAR_MS,
    ...twoRows('erasure', 'completedAt', null, (_sql, { app: { appId } }) => ({
      ...{ erasureId: randomUUID(), appId, scopeMac: randomBytes(32), connectionIds: '{}' },
    })),
  },
  oldDeletionRequests: {
    says: 'a platform’s deletion request after a year, unless something is still to be erased for it',
    ageMs: YEAR_MS,
    seed: async (sql, seeded) => {
      const [open, met] = ['a'.repeat(32), 'b'.repeat(32)];
      await sql`insert into deletion_request (code) values (${open}), (${met})`;
      await sql`
        insert into deletion_request_connection (code, connection_id, correlation_id)
        values (${open}, ${await seedWithoutProfile(sql, seeded)}, ${randomUUID()})
      `;
    },
    look: (sql) => sql`select code from deletion_request`,
    left: [{ code: 'a'.repeat(32) }],
  },
  oldWebhookEvents: {
    says: 'a webhook event after 30 days, with its deliveries',
    ageMs: 30 * DAY_MS,
    seed: async (sql, { app }) => {
      await sql`
        insert into webhook_event (app_id, type, data, occurred_at) values
          (${app.appId}, 'old', '{}', business_now()), (${app.appId}, 'younger', '{}', business_now() + interval '1 day')
      `;
      await sql`
        insert into webhook_delivery (event_id, endpoint_id, app_id, event_type)
        select event_id, gen_random_uuid(), app_id, type from webhook_event
      `;
    },
    look: (sql) => sql`select type, event_type from webhook_event left join webhook_delivery using (event_id)`,
    left: [{ type: 'younger', eventType: 'younger' }],
  },
  oldWebhookSecrets: {
    says: 'a webhook’s secret when it no longer signs',
    ageMs: DAY_MS,
    ...twoRows('webhook_secret', 'retiresAt', null, async (sql, { app }) => ({
      ...{ secretId: randomUUID(), endpointId: await seedEndpoint(sql, app.appId), sealedSecret: 'sealed' },
      retiresAt: new Date(START.getTime() + DAY_MS),
    })),
  },
  oldImportedTokens: {
    says: 'the hash of an imported token when the token no longer works',
    ageMs: DAY_MS,
    ...twoRows('imported_token', 'expiresAt', null, () => ({
      ...{ importMac: randomBytes(32), expiresAt: new Date(START.getTime() + DAY_MS) },
    })),
  },
  oldUnknownAnswers: {
    says: 'an answer that no platform has given for 30 days',
    ageMs: 30 * DAY_MS,
    ...twoRows('unknown_answer', 'lastSeenAt', YOUNGER, () => {
      const answer = { provider: 'PROVIDER_B', place: 'a post', status: 500, text: '', madeOfIt: 'RetryLater' };
      return { unknownAnswerId: randomUUID(), code: randomUUID(), ...answer };
    }),
  },
  oldPersonReads: {
    says: 'an operator’s read of a person after a year, and nothing else of the audit log',
    ageMs: YEAR_MS,
    seed: (sql) => sql`
      insert into audit_log (actor, action, outcome, is_read, happened_at) values
        ('reader', 'connection', 'DONE', true, business_now()),
        ('reader', 'find', 'DONE', true, business_now() + interval '1 day'),
        ('reader', 'disconnectConnection', 'DONE', false, business_now())
    `,
    look: (sql) => sql`select action from audit_log where actor = 'reader' order by action`,
    left: [{ action: 'disconnectConnection' }, { action: 'find' }],
  },
};

describe('retention ends', () => {
  for (const [name, { says, ageMs, seed, takes = 1, look, left }] of Object.entries(KINDS)) {
    const step = name as SweepStep<'retention'>;
    test(says, async ({ sql, seeded }) => {
      await seed(sql, seeded);
      const before = await look(sql);
      await moveClock(sql, ageMs - MINUTE_MS);
      if (ageMs > 0) expect(await RETENTION[step].list(sql, { after: null, limit: 10 })).toEqual([]);
      await moveClock(sql, MINUTE_MS);
      const due = await RETENTION[step].list(sql, { after: null, limit: 10 });
      expect(due).toHaveLength(takes);
      if (ageMs > 0) {
        // A row that is listed and then is no longer due, stays.
        await moveClock(sql, -MINUTE_MS);
        expect(await RETENTION[step].take(asWorker(sql), due, TEST_MAC)).toBe(0);
        expect(await look(sql)).toEqual(before);
        await moveClock(sql, MINUTE_MS);
      }
      expect(await retain(sql)).toMatchObject({ [step]: takes });
      expect(await look(sql)).toEqual(left);
      expect(await retain(sql)).toEqual(NONE);
    });
  }
});

describe('retention', () => {
  test('deletes no journal entry that a journal has yet to receive', async ({ sql }) => {
    await sql`insert into journal_entry (kind, id) values ('GRANT', ${randomUUID()})`;
    await moveClock(sql, 90 * DAY_MS);
    expect(await applyRetention(asWorker(sql), { keepsJournal: true })).toEqual(NONE);
    expect(await sql`select kind from journal_entry`).toEqual([{ kind: 'GRANT' }]);
  });

  test('deletes any number of rows in one run, and a row that cannot be deleted delays no other', async ({
    sql,
    seeded,
  }) => {
    const connectionId = await seedWithoutProfile(sql, seeded);
    await sql`
      insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, status, url, url_sha256, correlation_id,
        finished_at)
      select gen_random_uuid(), 'LOOKUP', ${connectionId}, app_id, provider, 'CALLER', 'SUCCEEDED', 'https://platform.example/',
        sha256(number::text::bytea), gen_random_uuid(), business_now()
      from connection, generate_series(1, 2500) number where connection_id = ${connectionId}
    `;
    await seedReceipt(sql, seeded, 'FAILED');
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
    expect(await retain(sql)).toEqual({ oldReceipts: 1, oldReadJobs: 2_499 });
    expect(await sql`select job_id from read_job`).toEqual([kept]);
    await sql`drop trigger keep_job on read_job`;
    expect(await retain(sql)).toEqual({ oldReadJobs: 1 });
  });
});

test('a blanked post is found by a hash of an older key, and gets its id back from a read', async ({ sql }) => {
  const stage = await openStage(sql);
  const { before, mac } = stage.deps;
  const [{ connectionId }, other] = [await stage.newConnection(), await stage.newConnection()];
  const old = { publishedAt: new Date(0), observedAt: new Date(START.getTime() - 31 * DAY_MS) };
  for (const id of [connectionId, other.connectionId]) await seedContent(sql, id, { providerContentId: 'one', ...old });
  // Blanked with the key of then, and, after a rotation, with the key of now.
  const due = [connectionId, other.connectionId].map((id) => ({ id, dueAt: old.observedAt }));
  expect(await forgetContent(sql, before.mac, due)).toBe(2);
  await seedContent(sql, connectionId, { providerContentId: 'two', ...old });
  const kept =
    await sql`select content_item_id as id from content_item where connection_id = ${connectionId} order by 1`;
  expect(await forgetContent(sql, mac, due)).toBe(1);
  for (const id of ['one', 'two']) {
    expect(await findContent(sql, connectionId, id)).toBeUndefined();
    expect(await findKnownContent(sql, mac, connectionId, id)).toMatchObject({ providerContentId: id, expired: true });
  }
  expect(await findKnownContent(sql, mac, other.connectionId, 'two')).toBeUndefined();
  await recallContent(sql, mac, connectionId, ['one', 'two', 'three']);
  const recalled = await sql`
    select content_item_id as id, content_mac from content_item
    where connection_id = ${connectionId} and provider_content_id is not null order by 1
  `;
  expect(recalled).toEqual(kept.map(({ id }) => ({ id, contentMac: null })));
  expect(await findContent(sql, other.connectionId, 'one')).toBeUndefined();
});
