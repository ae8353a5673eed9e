import type postgres from 'postgres';
import { OPEN_JOB, UNFINISHED_ATTEMPT } from '../basics/codes.ts';
import { ScopeId } from '../basics/ids.ts';
import type { SweepStep } from '../basics/sweeps.ts';
import type { Mac } from '../vault/mac.ts';
import { deleteUnusedScopes, isUnusedGrant } from './connections/disconnects.ts';
import { forgetContent } from './content/forgotten-content.ts';
import { type Database, inTransaction, type Sql } from './driver/sql.ts';
import { Due, type DuePage, hasNoRow, idsOf, pageClause } from './due.ts';
import { ENDED_WORK_DAYS } from './ended-work.ts';
import { listOf, listRows } from './rows.ts';
import { WEBHOOK_RETENTION_DAYS } from './webhooks/webhook-deliveries.ts';

type Fragment = postgres.PendingQuery<postgres.Row[]>;
type Write = (sql: Sql, isDue: Fragment) => PromiseLike<{ readonly count: number }>;

/** Rows with a limited life. The SQL in strings is ours. */
interface Retention {
  readonly table: string;
  /** The columns that identify a row, in the order of the index on `since`. */
  readonly key: string;
  /** The type of the key, if it is not `uuid`. */
  readonly type?: string;
  /** Finds rows by their keys, if no index has the key. */
  readonly hasKey?: (sql: Sql, ids: readonly string[]) => Fragment;
  /** The instant at which the row's life begins, and its length. */
  readonly since: string;
  readonly after: string;
  /**
   * Which of these rows. A condition on another table is a subquery for each row: Postgres would turn a join's into a sort of
   * all due rows for each batch.
   */
  readonly where?: (sql: Sql) => Fragment;
  /** Their treatment, if they are not deleted. */
  readonly take?: Write;
  /** The same, if it needs more than a statement. It skips rows that are no longer due. */
  readonly handle?: (sql: Database, mac: Mac, rows: readonly Due[]) => Promise<number>;
}

/** Blanks columns, and keeps the row. */
const blank =
  (table: string, columns: string): Write =>
  (sql, isDue) =>
    sql`update ${sql.unsafe(table)} set ${sql.unsafe(columns)} where ${isDue}`;

/** Also deletes the scopes that nothing uses any more. */
const deleteWithScopes =
  (table: string): Write =>
  async (sql, isDue) => {
    const gone = await sql`delete from ${sql.unsafe(table)} where ${isDue} returning scope_id`;
    await deleteUnusedScopes(sql, [...new Set(gone.map((row) => ScopeId.parse(row.scopeId)))]);
    return gone;
  };

/** The key of a row that does not show its credential or an operator's text. */
const TOKEN_KEY = { key: `token_id || '/' || created_at`, type: 'text' };

/** The steps of retention, and the one that a worker takes more often, because it deletes a person's claims. */
export type RetainedStep = SweepStep<'retention'> | 'oldIdentityAttempts';

/**
 * The kinds of data with a limited life, by the step that ends it. Steps take turns in the order of `SWEEPS`. docs/data.md is made of it.
 * @internal
 */
export const RETENTIONS: Readonly<Record<RetainedStep, Retention>> = {
  /** Receipts of an existing connection remain, because a repeated disconnect returns them. */
  oldReceipts: {
    table: 'disconnect_job j',
    key: 'job_id',
    since: 'created_at',
    after: '7 days',
    where: (sql) => sql`
      status not in ${listOf(sql, OPEN_JOB)}
      and ${hasNoRow(sql, sql`select 1 from connection c where c.connection_id = j.connection_id`)}
    `,
  },
  /** The last copy of a failed revoke's tokens is deleted after 7 days, even if the receipt remains. */
  oldKeptTokens: {
    table: 'disconnect_job',
    key: 'job_id',
    since: 'created_at',
    after: '7 days',
    where: (sql) => sql`status = 'FAILED' and sealed_tokens is not null`,
    take: blank('disconnect_job', 'sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null'),
  },
  /** Of a post, only a keyed hash of its id and the time of the last read remain until the erase. */
  oldPosts: {
    table: 'connection',
    key: 'connection_id',
    since: 'posts_read_since',
    after: '30 days',
    handle: forgetContent,
  },
  oldProfiles: {
    table: 'connection',
    key: 'connection_id',
    since: 'profile_observed_at',
    after: '30 days',
    where: (sql) => sql`profile is not null`,
    take: blank('connection', 'profile = null'),
  },
  /** Attempts with a PENDING grant remain, because that grant still has to be handled. */
  oldAttempts: {
    table: 'connect_attempt a',
    key: 'attempt_id',
    since: 'result_expires_at',
    after: '0',
    where: (sql) => sql`
      status not in ${listOf(sql, UNFINISHED_ATTEMPT)}
      and ${hasNoRow(sql, sql`select 1 from account_grant g where g.attempt_id = a.attempt_id and g.status = 'PENDING'`)}
    `,
    take: deleteWithScopes('connect_attempt a'),
  },
  oldIdentityAttempts: {
    table: 'identity_attempt',
    key: 'attempt_id',
    since: 'result_expires_at',
    after: '0',
    where: (sql) => sql`status <> 'PENDING'`,
  },
  oldReadJobs: { table: 'read_job', key: 'job_id', since: 'finished_at', after: '7 days' },
  /**
   * Dead grants without a connection, after their attempts have ended. A connection in RECONNECT_REQUIRED keeps its last
   * grant, because a platform's deletion request finds the connection by that grant's keyed hashes.
   */
  oldGrants: {
    table: 'account_grant g',
    key: 'grant_id',
    since: 'obtained_at',
    after: '0',
    where: isUnusedGrant,
    take: deleteWithScopes('account_grant g'),
  },
  /** Coverage counts for 24 hours. Older ranges only distinguish a stale window from one that was never scanned. */
  oldCoverage: { table: 'coverage', key: 'coverage_id', since: 'scanned_at', after: '30 days' },
  /** 90 days show how a registration's use has grown. */
  oldUsage: {
    table: 'registration_usage',
    key: `registration_id || '/' || day || '/' || app_id`,
    type: 'text',
    since: '(day + 1)::timestamptz',
    after: '90 days',
    where: (sql) => sql`day < (business_now() - interval '90 days')::date`, // The index has this expression.
  },
  oldEndedWork: {
    table: 'ended_work_count',
    key: 'count_id',
    type: 'bigint',
    since: 'hour',
    after: `${ENDED_WORK_DAYS} days`,
  },
  oldAdminSessions: { table: 'admin_session', ...TOKEN_KEY, since: 'created_at', after: '8 hours' },
  oldAdminIdempotencyKeys: { table: 'admin_idempotency', ...TOKEN_KEY, since: 'created_at', after: '24 hours' },
  /**
   * Tokens of single sessions, when nothing refers to them any more; the audit log names the operator without them. It
   * names issued tokens by id, so they remain.
   */
  oldSessionTokens: {
    table: 'admin_token t',
    key: 'token_id',
    since: 'expires_at',
    after: '24 hours',
    where: (sql) => sql`
      openid_sub is not null
      and not exists (select from admin_session s where s.token_id = t.token_id)
      and not exists (select from admin_idempotency i where i.token_id = t.token_id)
    `,
  },
  /** Without a journal, entries only accumulate. A journal that is set up later starts with the remaining ones. */
  oldJournalEntries: { table: 'journal_entry', key: 'entry_id', since: 'happened_at', after: '90 days' },
  /** Each of its disconnects had receipts of its own, which expired long before. */
  oldBulkDisconnects: {
    table: 'bulk_disconnect',
    key: 'bulk_disconnect_id',
    since: 'finished_at',
    after: '90 days',
  },
  /** The receipt of an erasure remains for a year, as proof of it. */
  oldErasures: { table: 'erasure', key: 'erasure_id', since: 'completed_at', after: '1 year' },
  /** A platform's deletion request remains for a year after everything it named has been erased. */
  oldDeletionRequests: {
    table: 'deletion_request r',
    key: 'code',
    type: 'text',
    since: 'requested_at',
    after: '1 year',
    where: (sql) => sql`not exists (select from deletion_request_connection c where c.code = r.code)`,
  },
  /** Webhook events, and with them their deliveries. */
  oldWebhookEvents: {
    table: 'webhook_event',
    key: 'event_id',
    since: 'occurred_at',
    after: `${WEBHOOK_RETENTION_DAYS} days`,
    take: (sql, isDue) => sql`
      with old as materialized (
        select event_id, connection_id, sequence from webhook_event where ${isDue}
      ), ended as (
        -- With a connection's last event. By then the clock is ahead of its number, from which the next one continues.
        delete from webhook_sequence s using (select connection_id, max(sequence) as number from old group by 1) last
        where s.connection_id = any(array(select connection_id from old)::uuid[])
          and s.connection_id = last.connection_id and s.last_number <= last.number
      )
      delete from webhook_event where event_id = any(array(select event_id from old)::uuid[])
    `,
  },
  /** Secrets that no longer sign. */
  oldWebhookSecrets: { table: 'webhook_secret', key: 'secret_id', since: 'retires_at', after: '0' },
  /** Tokens of imports that no longer work. Those without an end stay. */
  oldImportedTokens: {
    table: 'imported_token',
    key: `encode(import_mac, 'hex') collate "C"`,
    type: 'text',
    hasKey: (sql, ids) => sql`import_mac = any(array(select decode(id, 'hex') from unnest(${[...ids]}::text[]) id))`,
    since: 'expires_at',
    after: '0',
  },
  /** Entries of actions stay. */
  oldPersonReads: {
    table: 'audit_log',
    key: 'audit_id',
    type: 'bigint',
    since: 'happened_at',
    after: '1 year',
    where: (sql) => sql`is_read`,
  },
  /** Answers that platforms no longer give. */
  oldUnknownAnswers: {
    table: 'unknown_answer',
    key: 'unknown_answer_id',
    since: 'last_seen_at',
    after: '30 days',
  },
};

/** Lists and takes one kind of row. One condition serves both, so they cannot differ. */
export interface RetentionStep {
  /** Lists due rows, longest due first. */
  list(sql: Sql, page: DuePage): Promise<Due[]>;
  /** Deletes or blanks the rows, all or none; skips rows that are no longer due. @returns the number of rows. */
  take(sql: Database, rows: readonly Due[], mac?: Mac): Promise<number>;
}

function createStep({
  table,
  key,
  type = 'uuid',
  hasKey,
  since,
  after,
  where,
  take,
  handle,
}: Retention): RetentionStep {
  const isDue = (sql: Sql) => sql`
    ${sql.unsafe(since)} <= business_now() - interval '${sql.unsafe(after)}' ${where ? sql`and ${where(sql)}` : sql``}
  `;
  // As a subquery, whose length no plan knows: Postgres 16 would read a whole table for hundreds of ids that it knows.
  const isOneOf =
    hasKey ??
    ((sql: Sql, ids: readonly string[]) =>
      sql`${sql.unsafe(key)} = any(array(select unnest(${[...ids]}::${sql.unsafe(type)}[])))`);
  const write = take ?? ((sql: Sql, chosen: Fragment) => sql`delete from ${sql.unsafe(table)} where ${chosen}`);
  return {
    list: (sql, page) => listRows(sql, Due)`
      select (${sql.unsafe(key)})::text as id, ${sql.unsafe(since)} as due_at from ${sql.unsafe(table)}
      where ${isDue(sql)} ${pageClause(sql, sql.unsafe(since), sql.unsafe(key), page)}
    `,
    take: async (sql, rows, mac) => {
      if (handle === undefined)
        return await inTransaction(
          sql,
          async (tx) => (await write(tx, sql`${isOneOf(tx, idsOf(rows))} and ${isDue(tx)}`)).count,
        );
      if (mac === undefined) throw new Error(`Rows of ${table} need a keyed hash.`);
      return await handle(sql, mac, rows);
    },
  };
}

/** Each step of the sweep. A step of `SWEEPS` without a row here, or the reverse, does not compile. */
export const RETENTION = Object.fromEntries(
  Object.entries(RETENTIONS).map(([step, retention]) => [step, createStep(retention)]),
) as Readonly<Record<RetainedStep, RetentionStep>>;
