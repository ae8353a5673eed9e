import type { AppId, AttemptId, ConnectionId, JobId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import type { Sql } from './sql.ts';
import { OPEN_JOB, UNFINISHED_ATTEMPT } from './transitions.ts';

/** Rows that are not final and past their own deadline or next try. A sweep looks at so many of each kind at once. */
const LIMIT = 200;
/** How long past it: a workflow that is at work is left to it. */
const GRACE = '90 seconds';

/** Unfinished ones, and those whose grant was stored when nobody waited for it any more. */
export async function listOverdueAttempts(sql: Sql): Promise<AttemptId[]> {
  const rows = await sql`
    (select attempt_id from connect_attempt
      where status = any(${[...UNFINISHED_ATTEMPT]}) and expires_at <= business_now() - ${GRACE}::interval
      order by expires_at limit ${LIMIT})
    union
    (select attempt_id from account_grant join connect_attempt using (attempt_id)
      where account_grant.status = 'PENDING' and expires_at <= business_now() - ${GRACE}::interval
      limit ${LIMIT})
  `;
  return rows.map((row) => row.attemptId as AttemptId);
}

export async function listOverdueReadJobs(sql: Sql): Promise<JobId[]> {
  const rows = await sql`
    select job_id from read_job
    where status = any(${[...OPEN_JOB]})
      and coalesce(next_retry_at, started_at, created_at) <= business_now() - ${GRACE}::interval
    order by created_at limit ${LIMIT}
  `;
  return rows.map((row) => row.jobId as JobId);
}

/** Erasures are listed by their revoke's side: one workflow does both. */
export async function listOverdueReleaseJobs(sql: Sql): Promise<JobId[]> {
  const rows = await sql`
    select job_id from release_job
    where status = any(${[...OPEN_JOB]})
      and coalesce(next_retry_at, started_at, created_at) <= business_now() - ${GRACE}::interval
    order by created_at limit ${LIMIT}
  `;
  return rows.map((row) => row.jobId as JobId);
}

/** A connection on hold, and since when. */
export interface Hold {
  readonly connectionId: ConnectionId;
  readonly appId: AppId;
  readonly provider: ProviderName;
  readonly since: Date;
}

/** Those that no unsettled revoke holds any more, whoever was to see whether they live: `resumeSibling` decides alike. */
export async function listOverdueHolds(sql: Sql): Promise<Hold[]> {
  const rows = await sql`
    select connection_id, app_id, provider, changed_at from connection held
    where status = 'SUSPENDED' and changed_at <= business_now() - ${GRACE}::interval
      and not exists (
        select from connection c
        where c.scope_id = held.scope_id and c.provider = held.provider and c.status = 'DISCONNECTED'
      )
      and not exists (
        select from account_grant own join account_grant g using (principal_mac)
          join connection c on c.connection_id = g.connection_id
        where own.connection_id = held.connection_id and own.status = 'LIVE' and g.status <> 'DEAD'
          and c.status = 'DISCONNECTED'
      )
    order by changed_at limit ${LIMIT}
  `;
  return rows.map((row) => ({
    connectionId: row.connectionId as ConnectionId,
    appId: row.appId as AppId,
    provider: row.provider as ProviderName,
    since: row.changedAt as Date,
  }));
}
