import { z } from 'zod';
import {
  CONNECTION_STATUSES,
  JOB_KINDS,
  JOB_STATUSES,
  OPEN_JOB,
  PROVIDER_NAMES,
  type ProviderName,
  REVOKE_KINDS,
} from '../basics/codes.ts';
import { isUnfinished } from './attempts/attempts.ts';
import type { Sql } from './driver/sql.ts';
import { aDayAgo } from './ended-work.ts';
import { refusedClient } from './jobs/admin-jobs.ts';
import { isUsed } from './registrations/registrations.ts';
import { getRow, listOf, listRows } from './rows.ts';

const provider = z.enum(PROVIDER_NAMES);
const kind = z.enum(JOB_KINDS);
const count = z.number();

const ConnectionCount = z.object({
  provider,
  status: z.enum(CONNECTION_STATUSES),
  count,
});
const JobCount = z.object({ kind, status: z.enum(JOB_STATUSES), count });
const Failing = z.object({
  provider,
  kind,
  code: z.string(),
  lastAnswer: z.string().nullable(),
  /** The platform's code in that answer, if it refuses our client. */
  lastAnswerCode: z.string().nullable(),
  isClientRefused: z.boolean(),
  count,
  since: z.date(),
});
const Totals = z.object({
  at: z.date(),
  openAttempts: count,
  retryingJobs: count,
  stuckRevokes: count,
  oldestStuckRevokeAt: z.date().nullable(),
  stuckJobs: count,
  oldestStuckJobAt: z.date().nullable(),
  outboxWaiting: count,
  outboxOldestAt: z.date().nullable(),
});
const Health = z.object({
  provider,
  openJobs: count,
  pausedRegistrations: count,
  rejectedRegistrations: count,
  doubtedRegistrations: count,
  spentRegistrations: count,
  blockedErases: count,
  /** Accepted callbacks whose last try to exchange the code, or to read the account, failed; and the most frequent cause. */
  waitingConnects: count,
  /** Whose they are. */
  waitingPersons: count,
  /** With the platform's own code: `HTTP_200 invalid_client`. */
  connectAnswer: z.string().nullable(),
  /** The last refusal of our client that ended within a day. */
  refusedFrom: z.date().nullable(),
  refusedUntil: z.date().nullable(),
});
const PastFailures = z.object({
  provider,
  tries: count,
  lastAnswer: z.string().nullable(),
  since: z.date(),
  until: z.date(),
});

/** Sums the counts that triggers keep, without reading connections. */
export async function countConnections(sql: Sql): Promise<z.infer<typeof ConnectionCount>[]> {
  return await listRows(sql, ConnectionCount)`
    select provider, status, sum(change)::int as count from connection_count
    group by provider, status having sum(change) <> 0 order by provider, status
  `;
}

/** Counts jobs that are open or failed. */
export async function countJobs(sql: Sql): Promise<z.infer<typeof JobCount>[]> {
  return await listRows(sql, JobCount)`
    select kind, status, count(*)::int as count from (
      select kind, status from read_job where status in ${listOf(sql, OPEN_JOB)}
      union all select kind, status from read_job where status = 'FAILED'
      union all select kind, status from disconnect_job where status in ${listOf(sql, OPEN_JOB)}
      union all select kind, status from disconnect_job where status = 'FAILED'
    ) job
    group by kind, status order by kind, status
  `;
}

export async function getTotals(sql: Sql): Promise<z.infer<typeof Totals>> {
  return await getRow(sql, Totals)`
    with stuck as (
      select kind, stuck_since from admin_job where status in ${listOf(sql, OPEN_JOB)} and stuck
      union all
      select kind, stuck_since from admin_job where status = 'FAILED' and revocable
    )
    select business_now() as at,
      (select count(*)::int from connect_attempt
        where ${isUnfinished(sql)} and expires_at > business_now()) as open_attempts,
      (select count(*)::int from admin_job where open and not stuck and tries > 0 and last_failure is not null)
        as retrying_jobs,
      count(*) filter (where kind in ${listOf(sql, REVOKE_KINDS)})::int as stuck_revokes,
      min(stuck_since) filter (where kind in ${listOf(sql, REVOKE_KINDS)}) as oldest_stuck_revoke_at,
      count(*)::int as stuck_jobs, min(stuck_since) as oldest_stuck_job_at,
      (select count(*)::int from outbox) as outbox_waiting,
      (select min(created_at) from outbox) as outbox_oldest_at
    from stuck
  `;
}

/** Counts open jobs by kind, and by the code and the answer of their last failed try. */
export async function listFailures(sql: Sql): Promise<z.infer<typeof Failing>[]> {
  return await listRows(sql, Failing)`
    select provider, kind, last_failure as code, last_answer, refused ->> 'answerCode' as last_answer_code,
      refused is not null as is_client_refused, count(*)::int as count, min(stuck_since) as since
    from (
      select provider, kind, last_failure, last_answer, stuck_since, ${refusedClient(sql)} as refused from admin_job
      where open and tries > 0 and last_failure is not null
    ) failing
    group by 1, 2, 3, 4, 5, 6 order by provider, count desc, kind, last_failure, last_answer, last_answer_code
  `;
}

/** Fewer failed tries are no outage. */
export const LEAST_TRIES = 3;

/** The most jobs with failed tries that are summed, the last first. */
const MOST_SUMMED = 10_000;

/**
 * Sums the failed tries of jobs that ended within a day, by provider and outage, oldest first. After five minutes in
 * which none of the jobs failed, another outage begins.
 */
export async function listPastFailures(sql: Sql): Promise<z.infer<typeof PastFailures>[]> {
  return await listRows(sql, PastFailures)`
    with failed as (
      select provider, job_id, failed_tries, last_answer, first_failed_at, last_tried_at, max(last_tried_at) over (
          partition by provider order by first_failed_at, job_id rows between unbounded preceding and 1 preceding
        ) as failed_before
      from (
        select provider, job_id, failed_tries, last_answer, first_failed_at, last_tried_at from admin_job
        where finished_at >= ${aDayAgo(sql)} and failed_tries > 0 and first_failed_at is not null
          and last_tried_at is not null
        order by finished_at desc limit ${MOST_SUMMED}
      ) last
    ),
    numbered as (
      select failed.*, count(*) filter (where first_failed_at > failed_before + interval '5 minutes')
        over (partition by provider order by first_failed_at, job_id) as outage
      from failed
    )
    select provider, sum(failed_tries)::int as tries, mode() within group (order by last_answer) as last_answer,
      min(first_failed_at) as since, max(last_tried_at) as until
    from numbered group by provider, outage having sum(failed_tries) >= ${LEAST_TRIES} order by provider, since
  `;
}

/** One row for each provider. */
export async function listHealth(sql: Sql, providers: readonly ProviderName[]): Promise<z.infer<typeof Health>[]> {
  return await listRows(sql, Health)`
    with job as (
      select provider, count(*)::int as open_jobs from (
        select provider from read_job where status in ${listOf(sql, OPEN_JOB)}
        union all select provider from disconnect_job where status in ${listOf(sql, OPEN_JOB)}
      ) open group by provider
    ),
    client as (
      select provider,
        count(*) filter (where paused_at is not null)::int as paused_registrations,
        -- One that the platform has never accepted, and nobody is connected through, is listed by itself: the others may work.
        count(*) filter (where rejected_at is not null and is_used and (accepted_at is not null
          or exists (select from connection c where c.registration_id = r.registration_id)))::int as rejected_registrations,
        max(array[refused_until, refused_from]) filter (
          where refused_until > business_now() - interval '1 day' and rejected_at is null and is_used
        ) as refused,
        count(*) filter (where downgrades_held_at is not null)::int as doubted_registrations,
        count(*) filter (where quota_spent_until > business_now())::int as spent_registrations
      -- One that serves nothing, as a mistyped one before its first app, is a matter of its page.
      from registration r cross join lateral (select ${isUsed(sql)} as is_used) used
      group by provider
    ),
    exchange as (
      select provider, count(*)::int as waiting_connects,
        count(distinct scope_id)::int as waiting_persons,
        mode() within group (order by concat_ws(' ', last_answer, last_answer_code)) as connect_answer
      from connect_attempt
      where ${isUnfinished(sql)} and status = 'EXCHANGING' and expires_at > business_now() and last_answer is not null
      group by provider
    ),
    blocked as (
      select provider, count(*)::int as blocked_erases from disconnect_job erase
      where kind = 'ERASE' and status in ${listOf(sql, OPEN_JOB)} and exists (
        select from disconnect_job revoke
        where revoke.connection_id = erase.connection_id and revoke.kind = 'REVOKE'
          and revoke.status in ${listOf(sql, OPEN_JOB)} and revoke.tries > 0
      )
      group by provider
    )
    select provider, coalesce(open_jobs, 0) as open_jobs, coalesce(paused_registrations, 0) as paused_registrations,
      coalesce(rejected_registrations, 0) as rejected_registrations,
      coalesce(doubted_registrations, 0) as doubted_registrations, coalesce(spent_registrations, 0) as spent_registrations,
      coalesce(blocked_erases, 0) as blocked_erases, coalesce(waiting_connects, 0) as waiting_connects,
      coalesce(waiting_persons, 0) as waiting_persons, connect_answer,
      refused[2] as refused_from, refused[1] as refused_until
    from unnest(${[...providers]}::text[]) as provider left join job using (provider) left join client using (provider)
      left join blocked using (provider) left join exchange using (provider)
    order by provider
  `;
}

const Expiring = z.object({
  kind: z.enum(['APP_KEY', 'REGISTRATION_SECRET', 'ISSUER_SECRET', 'ADMIN_TOKEN']),
  id: z.string(),
  label: z.string(),
  appId: z.string().nullable(),
  expiresAt: z.date(),
  expired: z.boolean(),
});
type Expiring = z.infer<typeof Expiring>;

/**
 * Lists credentials that expire soon, soonest first. Keys and tokens stay listed for a week after they expire; secrets
 * until they are replaced. Tokens of single sessions are left out, because they are not renewed.
 */
export async function listExpiring(sql: Sql, withinDays: number): Promise<Expiring[]> {
  return await listRows(sql, Expiring)`
    select *, expires_at <= business_now() as expired from (
      select 'APP_KEY' as kind, key_id as id, app.name as label, app_id, expires_at from app_key join app using (app_id)
        where revoked_at is null and expires_at > business_now() - interval '7 days'
      union all
      select 'REGISTRATION_SECRET', registration_id, label, null, secret_expires_at from registration
      union all
      select 'ISSUER_SECRET', issuer_id, issuer, null, secret_expires_at from identity_issuer
      union all
      select 'ADMIN_TOKEN', token_id, label, null, expires_at from admin_token
        where openid_sub is null and revoked_at is null and expires_at > business_now() - interval '7 days'
    ) credential
    where expires_at <= business_now() + make_interval(days => ${withinDays})
    order by expires_at, id
  `;
}
