import { z } from 'zod';
import type { ProviderName } from '../../basics/codes.ts';
import { AppId, type RegistrationId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { getRow } from '../rows.ts';

/** A provider's daily quota. */
export interface DailyQuota {
  /** The time zone in which the quota's day ends at midnight. */
  readonly timeZone: string;
  /** Units per day of a client with the default quota; null if the provider has no daily quota. */
  readonly units: number | null;
}
export type DailyQuotas = Readonly<Record<ProviderName, DailyQuota>>;

/** The current quota day of registration `r`, and the start of the next. */
export const today = (sql: Sql, quotas: DailyQuotas) => sql`
  select day, zone, (day + 1)::timestamp at time zone zone as ends_at
  from (select (${sql.json(quotas as never)}::jsonb -> r.provider ->> 'timeZone') as zone) z
  cross join lateral (select (business_now() at time zone zone)::date as day) d
`;

/**
 * The percentage of the daily quota of registration `r` that app `a` may use. Without a policy it is 50 if the
 * registration serves other apps, otherwise 100.
 */
const percent = (sql: Sql) => sql`
  coalesce(
    (select p.quota_percent from app_policy p where p.app_id = a.app_id and p.provider = r.provider),
    case when exists (select from registration_app o where o.registration_id = r.registration_id and o.app_id <> a.app_id)
      then 50 else 100 end
  )
`;

/** The units of `percent`; null for no limit. */
const share = (sql: Sql, quotas: DailyQuotas) => sql`
  case when s.percent < 100
    then floor(coalesce(r.daily_quota, (${sql.json(quotas as never)}::jsonb -> r.provider ->> 'units')::numeric)
      * s.percent / 100)::int end
`;

const Counted = z.object({ counted: z.boolean(), resetSeconds: z.number() });

/**
 * Counts units of the daily quota as used by an app, if its share allows.
 * @returns whether it counted them, and the seconds until the quota's day ends.
 */
export async function countUnits(
  sql: Sql,
  use: {
    registrationId: RegistrationId;
    appId: AppId;
    units: number;
    forRefresh?: boolean;
  },
  quotas: DailyQuotas,
): Promise<z.infer<typeof Counted>> {
  const { registrationId, appId, units, forRefresh = false } = use;
  const refreshUnits = forRefresh ? units : 0;
  return await getRow(sql, Counted)`
    with asked as (
      select r.registration_id, a.app_id, t.day, t.ends_at, ${share(sql, quotas)} as share,
        ${refreshUnits}::int = 0 or coalesce(
          floor(coalesce(r.daily_quota, (${sql.json(quotas as never)}::jsonb -> r.provider ->> 'units')::numeric)
            * r.refresh_percent / 100) >= ${refreshUnits}::int + (
            select coalesce(sum(u.refresh_units), 0) from registration_usage u
            where u.registration_id = r.registration_id and u.day = t.day), true) as has_room
      from registration r
      cross join (select ${appId}::uuid as app_id) a
      cross join lateral (${today(sql, quotas)}) t
      cross join lateral (select ${percent(sql)} as percent) s
      where r.registration_id = ${registrationId}
    ), used as (
      insert into registration_usage as u (registration_id, day, app_id, units, refresh_units)
      select registration_id, day, app_id, ${units}, ${refreshUnits} from asked
      where has_room and coalesce(share >= ${units}, true)
      on conflict (registration_id, day, app_id) do update set units = u.units + excluded.units,
          refresh_units = u.refresh_units + excluded.refresh_units
        where coalesce((select share from asked) >= u.units + excluded.units, true)
      returning units
    )
    select exists (select from used) as counted,
      greatest(1, ceil(extract(epoch from ends_at - business_now())))::int as reset_seconds
    from asked
  `;
}

const AppUsage = z.object({
  appId: AppId,
  units: z.number(),
  percent: z.number(),
  share: z.number().nullable(),
});
/** The use of one app. `share` is its limit in units; null for no limit. */

const Usage = z.object({
  registrationId: z.string(),
  day: z.string(),
  zone: z.string(),
  endsAt: z.date(),
  units: z.number(),
  apps: z.array(AppUsage),
});
/** The use of a registration on its current quota day, such as `2026-01-31`, in total and by app. */
export type RegistrationUse = z.infer<typeof Usage>;

/** Lists the use of every registration on its current quota day. */
export async function listRegistrationUsage(sql: Sql, quotas: DailyQuotas): Promise<Map<string, RegistrationUse>> {
  const rows = await sql`
    select r.registration_id, to_char(t.day, 'YYYY-MM-DD') as day, t.zone, t.ends_at,
      (select coalesce(sum(u.units), 0)::int from registration_usage u
        where u.registration_id = r.registration_id and u.day = t.day) as units,
      coalesce((
        select jsonb_agg(jsonb_build_object('appId', a.app_id, 'percent', s.percent, 'share', ${share(sql, quotas)},
          'units', coalesce(u.units, 0)) order by a.app_id)
        from registration_app a
        cross join lateral (select ${percent(sql)} as percent) s
        left join registration_usage u
          on u.registration_id = a.registration_id and u.app_id = a.app_id and u.day = t.day
        where a.registration_id = r.registration_id
      ), '[]') as apps
    from registration r cross join lateral (${today(sql, quotas)}) t
  `;
  return new Map(rows.map((row) => [String(row.registrationId), Usage.parse(row)]));
}
