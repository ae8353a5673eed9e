import type postgres from 'postgres';
import { z } from 'zod';
import { OPEN_JOB, PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { AppId, ConnectionId, RegistrationId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, idsOf, pageClause } from '../due.ts';
import { type DailyQuotas, today } from '../registrations/registration-usage.ts';
import { hasRows, listOf, listRows } from '../rows.ts';

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Plans the automatic refresh of connections by their policies, after this part of the interval. Without a policy they have none. */
async function planRefreshes(sql: Sql, connectionIds: readonly string[], part: Fragment): Promise<void> {
  await sql`
    update connection set refresh_due_at = planned.due_at
    from (
      select c.connection_id, case when c.capabilities @> '[{ "capability": "CONTENT_LIST" }]'
        then business_now() + ${part} * make_interval(mins => p.refresh_minutes) end as due_at
      from connection c left join app_policy p on p.app_id = c.app_id and p.provider = c.provider
      where c.connection_id = any(${[...connectionIds]}::uuid[])
    ) as planned
    where connection.connection_id = planned.connection_id
  `;
}

/** Plans the first automatic refresh of connections at a random time within the interval: those of a new policy do not come together. */
export const scheduleRefreshes = (sql: Sql, connectionIds: readonly string[]): Promise<void> =>
  planRefreshes(sql, connectionIds, sql`random()`);

/** Null is off. */
export interface RefreshPolicy {
  readonly refreshMinutes: number | null;
  readonly refreshDays: number;
  readonly refreshPosts: number;
}

/** Sets an app's policy. A sweep plans its connections anew. @returns false if the app may not use the provider. */
export async function updateRefreshPolicy(
  sql: Sql,
  appId: AppId,
  provider: ProviderName,
  policy: RefreshPolicy,
): Promise<boolean> {
  return await hasRows(sql)`
    update app_policy set refresh_minutes = ${policy.refreshMinutes}, refresh_days = ${policy.refreshDays},
      refresh_posts = ${policy.refreshPosts}, replanned_to = '-infinity', replanned_id = null
    where app_id = ${appId} and provider = ${provider}
  `;
}

/** Lists policies whose connections are to be planned anew. `id` is the app's. There are few. */
export async function listPoliciesToReplan(sql: Sql, provider: ProviderName, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select app_id as id, to_timestamp(0) as due_at from app_policy
    where replanned_to is not null and provider = ${provider}
      ${pageClause(sql, sql`to_timestamp(0)`, sql`app_id`, page)}
  `;
}

const REPLANNED = 1_000;

/** Plans the next connections of a policy that has changed. @returns their number; 0 when the last is planned. */
export async function replanConnections(tx: Transaction, appId: string, provider: ProviderName): Promise<number> {
  const rows = await tx`
    with policy as (
      select replanned_to, replanned_id from app_policy
      where app_id = ${appId} and provider = ${provider} and replanned_to is not null for no key update
    )
    select connection_id, created_at, provider from policy cross join lateral (
      select c.connection_id, c.created_at, c.provider from connection c
      where c.app_id = ${appId} and (c.created_at, c.connection_id) > (policy.replanned_to, policy.replanned_id)
      order by c.created_at, c.connection_id limit ${REPLANNED}
    ) as next
  `;
  const last = rows.at(-1);
  await scheduleRefreshes(
    tx,
    rows.flatMap((row) => (row.provider === provider ? [String(row.connectionId)] : [])),
  );
  await tx`
    update app_policy set replanned_to = ${rows.length < REPLANNED ? null : last?.createdAt},
      replanned_id = ${rows.length < REPLANNED ? null : last?.connectionId}
    where app_id = ${appId} and provider = ${provider}
  `;
  return rows.length;
}

const Room = z.object({ registrationId: RegistrationId, room: z.number() });

/**
 * How many refreshes of each registration of a provider may start now: as many as its share of the daily quota allows up to this instant
 * of the day, a minute's work at its share of the rate limit, and as many as make five minutes' work with those in flight. The
 * registrations with due refreshes divide the rate among them (D-540). None while the registration is paused, refused or used up.
 *
 * Why more than a daily share? Without "up to this instant", a quota that is too small for all is spent in the first hours, and no post is
 * refreshed until the next day. Without the rate, all that an outage of ours has delayed starts at once, and each outage of the platform
 * leaves a waiting job for every connection (test/activities/automatic-refresh.test.ts shows all three).
 * @param rate calls per second to the provider, and the calls that one refresh takes.
 */
export async function listRoom(
  sql: Sql,
  provider: ProviderName,
  quotas: DailyQuotas,
  rate: { callsPerSecond: number; callsEach: number },
): Promise<z.infer<typeof Room>[]> {
  return await listRows(sql, Room)`
    with used as (
      select r.registration_id, r.refresh_percent / 100.0 as share, t.ends_at,
        coalesce(r.daily_quota, (${sql.json(quotas as never)}::jsonb -> r.provider ->> 'units')::numeric) as units,
        (select coalesce(sum(u.refresh_units), 0) from registration_usage u
          where u.registration_id = r.registration_id and u.day = t.day) as used_units,
        ceil(${rate.callsPerSecond}::numeric * 60 * r.refresh_percent / 100 / ${rate.callsEach}::numeric / count(*) over ()) as in_minute
      from registration r cross join lateral (${today(sql, quotas)}) t
      where r.provider = ${provider} and r.paused_at is null and r.rejected_at is null
        and coalesce(r.quota_spent_until <= business_now(), true)
        and exists (select from connection c where c.registration_id = r.registration_id and ${isDue(sql)})
    ), flying as (
      select c.registration_id, count(*) as jobs from read_job j join connection c using (connection_id)
      where j.provider = ${provider} and j.status in ${listOf(sql, OPEN_JOB)} and j.is_refresh
      group by c.registration_id
    )
    select registration_id, greatest(0, least(
      in_minute,
      5 * in_minute - coalesce(jobs, 0),
      floor((units * share * (1 - extract(epoch from ends_at - business_now()) / 86400) - used_units)
        / ${rate.callsEach}::numeric) - coalesce(jobs, 0)
    ))::int as room
    from used left join flying using (registration_id)
  `;
}

const isDue = (sql: Sql) => sql`c.status = 'CONNECTED' and c.refresh_due_at <= business_now()`;

/** Lists the connections of a registration whose refresh is due. */
export async function listDueRefreshes(sql: Sql, registrationId: RegistrationId, limit: number): Promise<Due[]> {
  return await listRows(sql, Due)`
    select c.connection_id as id, c.refresh_due_at as due_at from connection c
    where c.registration_id = ${registrationId} and ${isDue(sql)}
      ${pageClause(sql, sql`c.refresh_due_at`, sql`c.connection_id`, { after: null, limit })}
  `;
}

const DueRefresh = z.object({
  connectionId: ConnectionId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  refreshDays: z.number(),
  refreshPosts: z.number(),
});
export type DueRefresh = z.infer<typeof DueRefresh>;

/**
 * Takes due connections, and plans the refresh after this one, an interval later, so that other rounds skip them and none is lost with its job.
 * Locks each row, and skips those that other transactions lock.
 */
export async function takeDueRefreshes(tx: Transaction, due: readonly Due[]): Promise<DueRefresh[]> {
  const rows = await tx`
    with taken as (
      select connection_id from connection
      where connection_id = any(${idsOf(due)}::uuid[]) and status = 'CONNECTED' and refresh_due_at <= business_now()
      order by connection_id for no key update skip locked
    )
    select c.connection_id, c.app_id, c.provider, p.refresh_days, p.refresh_posts
    from taken join connection c using (connection_id)
      left join app_policy p on p.app_id = c.app_id and p.provider = c.provider and p.refresh_minutes is not null
  `;
  await planRefreshes(
    tx,
    rows.map(({ connectionId }) => String(connectionId)),
    tx`1`,
  );
  // A policy that was switched off since the connection was planned wants none.
  return rows.filter(({ refreshDays }) => refreshDays !== null).map((row) => DueRefresh.parse(row));
}
