import { ScopeId } from '../basics/ids.ts';
import type { SweepStep } from '../basics/sweeps.ts';
import { deleteUnusedScopes, isUnusedGrant } from './connections/disconnects.ts';
import { type Database, inTransaction, type Sql } from './driver/sql.ts';
import { type Due, type DuePage, hasNoRow, idsOf, pageClause, parseDue } from './due.ts';
import { ENDED_WORK_DAYS } from './ended-work.ts';
import { WEBHOOK_RETENTION_DAYS } from './webhooks/webhook-deliveries.ts';

/**
 * One kind of row with a limited life. Conditions on other tables use a subquery for each row: Postgres would turn them
 * into a join, and sort all due rows for each batch.
 */
export interface RetentionStep {
  /** Lists due rows, longest due first. */
  list(sql: Sql, page: DuePage): Promise<Due[]>;
  /** Deletes or blanks the rows, all or none; skips rows that are no longer due. @returns the number of rows. */
  take(sql: Database, rows: readonly Due[]): Promise<number>;
}

/** Rows that are deleted by key. */
const deleting = (
  list: RetentionStep['list'],
  take: (sql: Sql, ids: readonly string[]) => Promise<{ count: number }>,
): RetentionStep => ({ list, take: async (sql, rows) => (await take(sql, idsOf(rows))).count });

/** Of a post, only its id and the time of the last read remain until the erase. */
const posts: RetentionStep = {
  list: async (sql, page) =>
    parseDue(
      await sql`
      select content_item_id as id, observed_at as due_at from content_item
      where blanked_at is null and observed_at <= business_now() - interval '30 days'
        ${pageClause(sql, sql`observed_at`, sql`content_item_id`, page)}
    `,
    ),
  take: async (sql, rows) => {
    const { count } = await sql`
      update content_item set kind = 'UNKNOWN', canonical_url = null, thumbnail_url = null, title = null,
        description = null, published_at = null, availability = 'UNAVAILABLE', reason = 'EXPIRED', metrics = '[]',
        metrics_observed_at = null, blanked_at = business_now()
      where content_item_id = any(${idsOf(rows)}::uuid[]) and blanked_at is null
        and observed_at <= business_now() - interval '30 days'
    `;
    return count;
  },
};

const profiles: RetentionStep = {
  list: async (sql, page) =>
    parseDue(
      await sql`
      select connection_id as id, profile_observed_at as due_at from connection
      where profile is not null and profile_observed_at <= business_now() - interval '30 days'
        ${pageClause(sql, sql`profile_observed_at`, sql`connection_id`, page)}
    `,
    ),
  take: async (sql, rows) => {
    const { count } = await sql`
      update connection set profile = null
      where connection_id = any(${idsOf(rows)}::uuid[]) and profile is not null
        and profile_observed_at <= business_now() - interval '30 days'
    `;
    return count;
  },
};

/** Also deletes unused scopes. Attempts with a PENDING grant remain, because that grant still has to be handled. */
const attempts: RetentionStep = {
  list: async (sql, page) =>
    parseDue(
      await sql`
      select attempt_id as id, result_expires_at as due_at from connect_attempt a
      where status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and result_expires_at <= business_now()
        and ${hasNoRow(sql, sql`select 1 from account_grant g where g.attempt_id = a.attempt_id and g.status = 'PENDING'`)}
        ${pageClause(sql, sql`result_expires_at`, sql`attempt_id`, page)}
    `,
    ),
  take: (sql, rows) =>
    inTransaction(sql, async (tx) => {
      const gone = await tx`
        delete from connect_attempt
        where attempt_id = any(${idsOf(rows)}::uuid[]) and status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
        returning scope_id
      `;
      await deleteUnusedScopes(tx, [...new Set(gone.map((row) => ScopeId.parse(row.scopeId)))]);
      return gone.length;
    }),
};

const identityAttempts = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select attempt_id as id, result_expires_at as due_at from identity_attempt
      where status <> 'PENDING' and result_expires_at <= business_now()
        ${pageClause(sql, sql`result_expires_at`, sql`attempt_id`, page)}
    `,
    ),
  (sql, ids) => sql`delete from identity_attempt where attempt_id = any(${[...ids]}::uuid[]) and status <> 'PENDING'`,
);

const jobs = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select job_id as id, finished_at as due_at from read_job
      where finished_at <= business_now() - interval '7 days'
        ${pageClause(sql, sql`finished_at`, sql`job_id`, page)}
    `,
    ),
  (sql, ids) => sql`delete from read_job where job_id = any(${[...ids]}::uuid[]) and finished_at is not null`,
);

/** Receipts of an existing connection remain, because a repeated disconnect returns them. */
const receipts = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select job_id as id, created_at as due_at from disconnect_job j
      where created_at <= business_now() - interval '7 days' and status not in ('QUEUED', 'RUNNING')
        and ${hasNoRow(sql, sql`select 1 from connection c where c.connection_id = j.connection_id`)}
        ${pageClause(sql, sql`created_at`, sql`job_id`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from disconnect_job where job_id = any(${[...ids]}::uuid[]) and status not in ('QUEUED', 'RUNNING')
  `,
);

/** The last copy of a failed revoke's tokens is deleted after 7 days, even if the receipt remains. */
const keptTokens = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select job_id as id, created_at as due_at from disconnect_job
      where status = 'FAILED' and sealed_tokens is not null and created_at <= business_now() - interval '7 days'
        ${pageClause(sql, sql`created_at`, sql`job_id`, page)}
    `,
    ),
  (sql, ids) => sql`
    update disconnect_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
    where job_id = any(${[...ids]}::uuid[]) and status = 'FAILED' and sealed_tokens is not null
  `,
);

/**
 * Dead grants without a connection, after their attempts have ended. A connection in RECONNECT_REQUIRED keeps its last
 * grant, because a platform's deletion request finds the connection by that grant's keyed hashes.
 */
const grants: RetentionStep = {
  list: async (sql, page) =>
    parseDue(
      await sql`
      select grant_id as id, obtained_at as due_at from account_grant g
      where ${isUnusedGrant(sql)}
        ${pageClause(sql, sql`obtained_at`, sql`grant_id`, page)}
    `,
    ),
  take: (sql, rows) =>
    inTransaction(sql, async (tx) => {
      const gone = await tx`
        delete from account_grant g where grant_id = any(${idsOf(rows)}::uuid[]) and ${isUnusedGrant(tx)}
        returning scope_id
      `;
      await deleteUnusedScopes(tx, [...new Set(gone.map((row) => ScopeId.parse(row.scopeId)))]);
      return gone.length;
    }),
};

/** Coverage counts for 24 hours. Older ranges only distinguish a stale window from one that was never scanned. */
const coverage = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select coverage_id as id, scanned_at as due_at from coverage
      where scanned_at <= business_now() - interval '30 days'
        ${pageClause(sql, sql`scanned_at`, sql`coverage_id`, page)}
    `,
    ),
  (sql, ids) => sql`delete from coverage where coverage_id = any(${[...ids]}::uuid[])`,
);

/** 90 days show how a registration's use has grown. */
const usageKey = (sql: Sql) => sql`registration_id || '/' || day || '/' || app_id`;
const usage = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select ${usageKey(sql)} as id, day::timestamptz as due_at from registration_usage
      where day < (business_now() - interval '90 days')::date
        ${pageClause(sql, sql`day::timestamptz`, usageKey(sql), page)}
    `,
    ),
  (sql, ids) => sql`
    delete from registration_usage
    where day < (business_now() - interval '90 days')::date and ${usageKey(sql)} = any(${[...ids]})
  `,
);

const endedWork = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select count_id::text as id, hour as due_at from ended_work_count
      where hour <= business_now() - make_interval(days => ${ENDED_WORK_DAYS})
        ${pageClause(sql, sql`hour`, sql`count_id::text`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from ended_work_count
    where hour <= business_now() - make_interval(days => ${ENDED_WORK_DAYS}) and count_id = any(${[...ids]}::bigint[])
  `,
);

/** The key of a row that does not show its credential or an operator's text: token and creation time. */
const tokenKey = (sql: Sql) => sql`token_id || '/' || created_at`;

/** Sessions end after 8 hours. */
const adminSessions = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select ${tokenKey(sql)} as id, created_at as due_at from admin_session
      where created_at <= business_now() - interval '8 hours'
        ${pageClause(sql, sql`created_at`, tokenKey(sql), page)}
    `,
    ),
  (sql, ids) => sql`
    delete from admin_session
    where created_at <= business_now() - interval '8 hours' and ${tokenKey(sql)} = any(${[...ids]})
  `,
);

const adminIdempotencyKeys = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select ${tokenKey(sql)} as id, created_at as due_at from admin_idempotency
      where created_at <= business_now() - interval '24 hours'
        ${pageClause(sql, sql`created_at`, tokenKey(sql), page)}
    `,
    ),
  (sql, ids) => sql`
    delete from admin_idempotency
    where created_at <= business_now() - interval '24 hours' and ${tokenKey(sql)} = any(${[...ids]})
  `,
);

/**
 * Tokens of single sessions, when nothing refers to them any more; the audit log names the operator without them. It
 * names issued tokens by id, so they remain.
 */
const sessionTokens = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select token_id as id, expires_at as due_at from admin_token t
      where openid_sub is not null and expires_at <= business_now() - interval '24 hours'
        and not exists (select from admin_session s where s.token_id = t.token_id)
        and not exists (select from admin_idempotency i where i.token_id = t.token_id)
        ${pageClause(sql, sql`expires_at`, sql`token_id`, page)}
    `,
    ),
  (sql, ids) => sql`delete from admin_token where token_id = any(${[...ids]}::uuid[]) and openid_sub is not null`,
);

/** Without a journal, entries only accumulate. A journal that is set up later starts with the remaining ones. */
const journalEntries = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select entry_id as id, happened_at as due_at from journal_entry
      where happened_at <= business_now() - interval '90 days'
        ${pageClause(sql, sql`happened_at`, sql`entry_id`, page)}
    `,
    ),
  (sql, ids) => sql`delete from journal_entry where entry_id = any(${[...ids]}::uuid[])`,
);

/** Bulk disconnects. Each disconnect had receipts of its own, which expired long before. */
const bulkDisconnects = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select bulk_disconnect_id as id, finished_at as due_at from bulk_disconnect
      where finished_at <= business_now() - interval '90 days'
        ${pageClause(sql, sql`finished_at`, sql`bulk_disconnect_id`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from bulk_disconnect where bulk_disconnect_id = any(${[...ids]}::uuid[]) and finished_at is not null
  `,
);

/** The receipt of an erasure remains for a year, as proof of it. */
const erasures = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select erasure_id as id, completed_at as due_at from erasure
      where completed_at <= business_now() - interval '1 year'
        ${pageClause(sql, sql`completed_at`, sql`erasure_id`, page)}
    `,
    ),
  (sql, ids) => sql`delete from erasure where erasure_id = any(${[...ids]}::uuid[]) and completed_at is not null`,
);

/** A platform's deletion request remains for a year after everything it named has been erased. */
const deletionRequests = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select code as id, requested_at as due_at from deletion_request r
      where requested_at <= business_now() - interval '1 year'
        and not exists (select from deletion_request_connection c where c.code = r.code)
        ${pageClause(sql, sql`requested_at`, sql`code`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from deletion_request r where code = any(${[...ids]})
      and not exists (select from deletion_request_connection c where c.code = r.code)
  `,
);

/** Webhook events, and with them their deliveries. */
const webhookEvents = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select event_id as id, occurred_at as due_at from webhook_event
      where occurred_at <= business_now() - make_interval(days => ${WEBHOOK_RETENTION_DAYS})
        ${pageClause(sql, sql`occurred_at`, sql`event_id`, page)}
    `,
    ),
  (sql, ids) => sql`
    with old as materialized (
      select event_id, connection_id, sequence from webhook_event where event_id = any(${[...ids]}::uuid[])
        and occurred_at <= business_now() - make_interval(days => ${WEBHOOK_RETENTION_DAYS})
    ), ended as (
      -- With a connection's last event. By then the clock is ahead of its number, from which the next one continues.
      delete from webhook_sequence s using (select connection_id, max(sequence) as number from old group by 1) last
      where s.connection_id = any(array(select connection_id from old)::uuid[])
        and s.connection_id = last.connection_id and s.last_number <= last.number
    )
    delete from webhook_event where event_id = any(array(select event_id from old)::uuid[])
  `,
);

/** Secrets that no longer sign. */
const webhookSecrets = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select secret_id as id, retires_at as due_at from webhook_secret
      where retires_at <= business_now()
        ${pageClause(sql, sql`retires_at`, sql`secret_id`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from webhook_secret where secret_id = any(${[...ids]}::uuid[]) and retires_at <= business_now()
  `,
);

/** Tokens of imports that no longer work. Those without an end stay. */
const importedTokens = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select encode(import_mac, 'hex') as id, expires_at as due_at from imported_token
      where expires_at <= business_now()
        ${pageClause(sql, sql`expires_at`, sql`encode(import_mac, 'hex')`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from imported_token
    where import_mac = any(array(select decode(id, 'hex') from unnest(${[...ids]}::text[]) id)) and expires_at <= business_now()
  `,
);

/** What platforms no longer answer. */
const unknownAnswers = deleting(
  async (sql, page) =>
    parseDue(
      await sql`
      select unknown_answer_id as id, last_seen_at as due_at from unknown_answer
      where last_seen_at <= business_now() - interval '30 days'
        ${pageClause(sql, sql`last_seen_at`, sql`unknown_answer_id`, page)}
    `,
    ),
  (sql, ids) => sql`
    delete from unknown_answer
    where unknown_answer_id = any(${[...ids]}::uuid[]) and last_seen_at <= business_now() - interval '30 days'
  `,
);

/** Each step of the sweep, in the order in which they take turns. A step without an entry here, or the reverse, does not compile. */
export const RETENTION = {
  oldReceipts: receipts,
  oldKeptTokens: keptTokens,
  oldPosts: posts,
  oldProfiles: profiles,
  oldAttempts: attempts,
  oldIdentityAttempts: identityAttempts,
  oldReadJobs: jobs,
  oldGrants: grants,
  oldCoverage: coverage,
  oldUsage: usage,
  oldEndedWork: endedWork,
  oldAdminSessions: adminSessions,
  oldAdminIdempotencyKeys: adminIdempotencyKeys,
  oldSessionTokens: sessionTokens,
  oldJournalEntries: journalEntries,
  oldBulkDisconnects: bulkDisconnects,
  oldErasures: erasures,
  oldDeletionRequests: deletionRequests,
  oldWebhookEvents: webhookEvents,
  oldWebhookSecrets: webhookSecrets,
  oldImportedTokens: importedTokens,
  oldUnknownAnswers: unknownAnswers,
} as const satisfies Record<SweepStep<'retention'>, RetentionStep>;
