import type { ScopeId } from '../ids.ts';
import { deleteUnusedScopes, isLeftOver } from './disconnects.ts';
import { type Database, inTransaction, type Sql } from './sql.ts';

/** One sweep takes this many rows of each kind; what is left over, the next one takes. */
const BATCH = 1_000;

/**
 * Deletes or blanks what may no longer be kept: posts and profiles not read for 30 days, results, jobs and receipts past
 * their time. @returns how many rows of each kind.
 * @param options.keepsJournal whether entries of the journal leave only by being brought out: those that cannot be, wait.
 */
export async function applyRetention(
  sql: Database,
  options: { keepsJournal: boolean },
): Promise<Record<string, number>> {
  return {
    posts: await blankPosts(sql),
    profiles: await dropProfiles(sql),
    attempts: await deleteAttempts(sql),
    identityAttempts: await deleteIdentityAttempts(sql),
    jobs: await deleteJobs(sql),
    receipts: await deleteReceipts(sql),
    grants: await deleteDeadGrants(sql),
    coverage: await deleteCoverage(sql),
    usage: await deleteUsage(sql),
    adminSessions: await deleteAdminSessions(sql),
    adminIdempotencyKeys: await deleteAdminIdempotencyKeys(sql),
    sessionTokens: await deleteSessionTokens(sql),
    journalEntries: options.keepsJournal ? 0 : await deleteJournalEntries(sql),
  };
}

/** What stays until the erase is the id and when it was last read. */
async function blankPosts(sql: Sql): Promise<number> {
  const { count } = await sql`
    update content_item set kind = 'UNKNOWN', canonical_url = null, thumbnail_url = null, title = null, description = null,
      published_at = null, availability = 'UNAVAILABLE', reason = 'EXPIRED', metrics = '[]', metrics_observed_at = null,
      blanked_at = business_now()
    where content_item_id in (
      select content_item_id from content_item
      where blanked_at is null and observed_at <= business_now() - interval '30 days' limit ${BATCH}
    )
  `;
  return count;
}

async function dropProfiles(sql: Sql): Promise<number> {
  const { count } = await sql`
    update connection set profile = null
    where profile is not null and profile_observed_at <= business_now() - interval '30 days'
  `;
  return count;
}

async function deleteAttempts(sql: Database): Promise<number> {
  return await inTransaction(sql, async (tx) => {
    const rows = await tx`
      delete from connect_attempt where attempt_id in (
        select attempt_id from connect_attempt
        where result_expires_at <= business_now() and status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING') limit ${BATCH}
      )
      returning scope_id
    `;
    await deleteUnusedScopes(tx, [...new Set(rows.map((row) => row.scopeId as ScopeId))]);
    return rows.length;
  });
}

async function deleteIdentityAttempts(sql: Sql): Promise<number> {
  const { count } = await sql`delete from identity_attempt where result_expires_at <= business_now()`;
  return count;
}

async function deleteJobs(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from read_job where job_id in (
      select job_id from read_job where finished_at <= business_now() - interval '7 days' limit ${BATCH}
    )
  `;
  return count;
}

/**
 * Receipts of a connection that is still here stay, however old: a disconnect asked for again answers with them. The last
 * copy of a FAILED revoke's tokens goes after seven days all the same.
 */
async function deleteReceipts(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from release_job where job_id in (
      select job_id from release_job j
      where created_at <= business_now() - interval '7 days' and status not in ('QUEUED', 'RUNNING')
        and not exists (select from connection c where c.connection_id = j.connection_id)
      limit ${BATCH}
    )
  `;
  await sql`
    update release_job set sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
    where created_at <= business_now() - interval '7 days' and status = 'FAILED' and sealed_tokens is not null
  `;
  return count;
}

/**
 * Those of a connection after 7 days, but for its last: a deletion request sent to us by the platform finds the connection
 * by that one's keyed hashes, however long after. Those of no connection at once.
 */
async function deleteDeadGrants(sql: Database): Promise<number> {
  return await inTransaction(sql, async (tx) => {
    const rows = await tx`
      delete from account_grant where grant_id in (
        select grant_id from account_grant g where ${isLeftOver(tx)} or (
          status = 'DEAD' and obtained_at <= business_now() - interval '7 days' and exists (
            select from account_grant later where later.connection_id = g.connection_id and later.obtained_at > g.obtained_at
          )
        )
        limit ${BATCH}
      )
      returning scope_id
    `;
    await deleteUnusedScopes(tx, [...new Set(rows.map((row) => row.scopeId as ScopeId))]);
    return rows.length;
  });
}

/** Coverage answers for 24 hours; older ranges only tell a stale window from one never scanned. */
async function deleteCoverage(sql: Sql): Promise<number> {
  const { count } = await sql`delete from coverage where scanned_at <= business_now() - interval '30 days'`;
  return count;
}

/** Long enough to see how a registration's use has grown. */
async function deleteUsage(sql: Sql): Promise<number> {
  const { count } = await sql`delete from registration_usage where day < (business_now() - interval '90 days')::date`;
  return count;
}

/** They ended by then. */
async function deleteAdminSessions(sql: Sql): Promise<number> {
  const { count } = await sql`delete from admin_session where created_at <= business_now() - interval '8 hours'`;
  return count;
}

async function deleteAdminIdempotencyKeys(sql: Sql): Promise<number> {
  const { count } = await sql`delete from admin_idempotency where created_at <= business_now() - interval '24 hours'`;
  return count;
}

/**
 * Tokens that were a session's alone, once nothing refers to them any more; the audit log names the operator without.
 * Those that were issued stay: there they are named by their ids.
 */
async function deleteSessionTokens(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from admin_token t where openid_sub is not null and expires_at <= business_now() - interval '24 hours'
      and not exists (select from admin_session s where s.token_id = t.token_id)
      and not exists (select from admin_idempotency i where i.token_id = t.token_id)
  `;
  return count;
}

/** Where no journal is kept they only pile up. One that is set up later begins with what is left of them. */
async function deleteJournalEntries(sql: Sql): Promise<number> {
  const { count } = await sql`delete from journal_entry where happened_at <= business_now() - interval '90 days'`;
  return count;
}
