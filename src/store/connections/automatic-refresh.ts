import type postgres from 'postgres';
import { z } from 'zod';
import { PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { AppId, ConnectionId, RegistrationId } from '../../basics/ids.ts';
import { withoutPictures } from '../content/stored-content.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, idsOf, pageClause } from '../due.ts';
import { type DailyQuotas, today } from '../registrations/registration-usage.ts';
import { hasRows, listRows } from '../rows.ts';

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/**
 * The longest interval of an account that does not change: half of the 24 hours for which a scan counts, so that a window
 * that is covered stays covered. A policy with a longer interval keeps its own.
 */
const LONGEST_BACKED_OFF_MINUTES = 12 * 60;

/** The interval by `app_policy p`, in minutes, after so many refreshes that found nothing new: at most 16. */
const intervalMinutes = (sql: Sql, unchanged: Fragment) => sql`
  greatest(p.refresh_minutes, least(p.refresh_minutes * 2 ^ ${unchanged}, ${LONGEST_BACKED_OFF_MINUTES}::int))
`;

/**
 * The next slot of `connection c` after an instant, by `app_policy p`: slots are an interval apart and begin at a fraction of it
 * that is fixed for each connection, so that connections spread evenly whenever they were planned. Null without a policy.
 */
const slotAfter = (sql: Sql, instant: Fragment) => sql`
  case when p.refresh_minutes is not null and c.capabilities @> '[{ "capability": "CONTENT_LIST" }]' then (
    select to_timestamp((floor(extract(epoch from ${instant}) / seconds - share) + 1 + share) * seconds)
    from (select
      (abs(hashtextextended(c.connection_id::text, 0) % 1000000) / 1000000.0) as share,
      60.0 * ${intervalMinutes(sql, sql`c.refresh_unchanged`)} as seconds
    ) s
  ) end
`;

/**
 * The earliest instant of the refresh after the one that is due, or after the next one if that is planned already: the policy's
 * interval later, also where the slots of another interval are nearer. After a late refresh, half an interval from now.
 */
const afterInterval = (sql: Sql) => sql`
  case when c.refresh_due_at > business_now() then c.refresh_due_at - interval '1 second'
    else greatest(business_now() + make_interval(mins => p.refresh_minutes) / 2,
      c.refresh_due_at + make_interval(mins => p.refresh_minutes) - interval '1 second') end
`;

/** Plans the next automatic refresh of these connections by their policies; without one they have none. */
export const scheduleRefreshes = (sql: Sql, connectionIds: readonly string[]): Promise<void> =>
  planRefreshes(sql, connectionIds, sql`business_now()`);

async function planRefreshes(sql: Sql, connectionIds: readonly string[], earliest: Fragment): Promise<void> {
  await sql`
    update connection set refresh_due_at = planned.due_at
    from (
      select c.connection_id, ${slotAfter(sql, earliest)} as due_at
      from connection c left join app_policy p on p.app_id = c.app_id and p.provider = c.provider
      where c.connection_id = any(${[...connectionIds]}::uuid[])
    ) as planned
    where connection.connection_id = planned.connection_id
  `;
}

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

const Room = z.object({ registrationId: RegistrationId, room: z.number(), most: z.number() });

/**
 * How many refreshes of each registration of a provider may start now: as many as its share of the daily quota allows up to this
 * instant of the day, less its own in flight, and as many as the largest share of the rate limit allows in five minutes, less all in
 * flight; at most `most`, its share of the rate limit in a minute. None while the registration is paused, refused or used up.
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
          where u.registration_id = r.registration_id and u.day = t.day) as used_units
      from registration r cross join lateral (${today(sql, quotas)}) t
      where r.provider = ${provider} and r.paused_at is null and r.rejected_at is null
        and coalesce(r.quota_spent_until <= business_now(), true)
    ), flying as (
      select c.registration_id, count(*) as jobs from read_job j join connection c using (connection_id)
      where j.provider = ${provider} and j.status in ('QUEUED', 'RUNNING') and j.is_refresh
      group by c.registration_id
    )
    select registration_id, most, greatest(0, least(
      most,
      floor(${rate.callsPerSecond}::numeric * 300 * max(share) over () / ${rate.callsEach}::numeric)
        - (select coalesce(sum(jobs), 0) from flying),
      floor((units * share * (1 - extract(epoch from ends_at - business_now()) / 86400) - used_units)
        / ${rate.callsEach}::numeric) - coalesce(jobs, 0)
    ))::int as room
    from used left join flying using (registration_id)
      cross join lateral (select floor(${rate.callsPerSecond}::numeric * 60 * share / ${rate.callsEach}::numeric)::int as most) m
  `;
}

/** Lists the connections of a registration whose refresh is due. */
export async function listDueRefreshes(sql: Sql, registrationId: RegistrationId, limit: number): Promise<Due[]> {
  return await listRows(sql, Due)`
    select connection_id as id, refresh_due_at as due_at from connection
    where registration_id = ${registrationId} and status = 'CONNECTED' and refresh_due_at <= business_now()
      ${pageClause(sql, sql`refresh_due_at`, sql`connection_id`, { after: null, limit })}
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
 * Takes due connections, and plans the refresh after this one, so that other rounds skip them and none is lost with its job.
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
    afterInterval(tx),
  );
  // A policy that was switched off since the connection was planned wants none.
  return rows.filter(({ refreshDays }) => refreshDays !== null).map((row) => DueRefresh.parse(row));
}

/**
 * Compares the results of a refresh with those of the one before: posts, texts and metrics of the window. An account that has
 * not changed is refreshed less often. The caller holds the connection's lock.
 */
export async function compareRefresh(
  tx: Transaction,
  { connectionId, publishedAfter }: { connectionId: ConnectionId; publishedAfter: Date | null },
): Promise<void> {
  await tx`
    update connection c set refresh_found = now.found, refresh_unchanged = now.unchanged,
      -- The next one was planned by the interval of before: if that changes, it is planned as from now.
      refresh_due_at = case when now.has_other_interval then business_now() else c.refresh_due_at end
    from (
      select o.connection_id, found, unchanged,
        ${intervalMinutes(tx, tx`unchanged`)} <> ${intervalMinutes(tx, tx`o.refresh_unchanged`)} as has_other_interval
      from connection o join app_policy p on p.app_id = o.app_id and p.provider = o.provider,
        lateral (
          select sha256(convert_to(coalesce(string_agg(concat_ws(' ', provider_content_id, kind, ${withoutPictures(tx, tx`i`)}, availability,
            (select string_agg(concat(m ->> 'name', '=', m ->> 'value'), ',' order by (m ->> 'name') collate "C")
              from jsonb_array_elements(metrics) m)), '|' order by provider_content_id), ''), 'UTF8')) as found
          from content_item i where i.connection_id = o.connection_id and published_at >= ${publishedAfter}
        ) posts,
        lateral (
          select case when o.refresh_found = found then least(o.refresh_unchanged + 1, 16) else 0 end as unchanged
        ) counted
      where o.connection_id = ${connectionId}
    ) as now
    where c.connection_id = now.connection_id
  `;
  await planRefreshes(tx, [connectionId], afterInterval(tx));
}
