import { z } from 'zod';
import { PROVIDER_NAMES, type ProviderName } from '../basics/codes.ts';
import type { AppId } from '../basics/ids.ts';
import type { Sql } from './driver/sql.ts';
import { Due } from './due.ts';
import { getRow, getValue, listRows } from './rows.ts';

/** The kinds of work that triggers count as it ends. A REVOKE includes the compensation of an unused grant. */
const ENDED_WORK_KINDS = ['CONNECT', 'READ', 'TOKEN_REFRESH', 'REVOKE', 'WEBHOOK'] as const;
export type EndedWorkKind = (typeof ENDED_WORK_KINDS)[number];

/** Counts remain this long. */
export const ENDED_WORK_DAYS = 35;

/** Distinct causes of an hour, a kind and a provider. A platform, or a person's browser, chooses the code of a cause. */
const MOST_CAUSES = 30;

/** The period that a series covers, up to now. */
export type Period = 'DAY' | 'MONTH';

const Series = z.object({
  now: z.date(),
  since: z.date(),
  before: z.date(),
  counts: z.array(
    z.object({
      at: z.coerce.date(),
      kind: z.enum(ENDED_WORK_KINDS),
      outcome: z.string(),
      /** The cause of a failure's last try, with the platform's code; `OTHER` for rare causes. */
      cause: z.string().nullable(),
      count: z.number(),
    }),
  ),
});
/** Counts by hour or day, kind, outcome and cause. Hours and days without any are left out. */
export type EndedWorkSeries = z.infer<typeof Series>;

/** The first part of the period, and the end of the last one. Days begin at 00:00 UTC. */
const PERIODS = {
  DAY: { unit: 'hour', length: '23 hours' },
  MONTH: { unit: 'day', length: '29 days' },
} as const;

/** The column `outcome` holds the reason and, after a blank, the cause. */
const reasonIn = (sql: Sql) => sql`split_part(outcome, ' ', 1)`;
const causeIn = (sql: Sql) => sql`nullif(substr(outcome, length(${reasonIn(sql)}) + 2), '')`;

/**
 * Counts the work that ended in the last 24 hours by the hour, or in the last 30 days by the day. Ends that no sweep has
 * added up yet are included. The cost depends on the hours and the outcomes, not on the work.
 * @param filter.appId null for all apps; `provider` null for all providers, and for webhooks.
 */
export async function getEndedWork(
  sql: Sql,
  period: Period,
  { appId, provider }: { appId: AppId | null; provider: ProviderName | null },
): Promise<EndedWorkSeries> {
  const { unit, length } = PERIODS[period];
  const ofProvider = provider === null ? sql`` : sql`and provider = ${provider}`;
  return await getRow(sql, Series)`
    with clock as (
      select business_now() as now, date_trunc(${unit}, business_now(), 'UTC') as newest, ${`1 ${unit}`}::interval as step
    ), bounds as (
      select now, newest - ${length}::interval as since, newest + step as before from clock
    ), counted as (
      select hour, kind, outcome, count from ended_work_count, bounds
      where app_id is not distinct from ${appId}::uuid and hour >= since and hour < before ${ofProvider}
      union all
      select hour, kind, outcome, count from ended_work, bounds
      where hour >= since and hour < before ${ofProvider} ${appId === null ? sql`` : sql`and app_id = ${appId}`}
    ), summed as (
      select date_trunc(${unit}, hour, 'UTC') as at, kind, ${reasonIn(sql)} as outcome, ${causeIn(sql)} as cause, sum(count)::int as count
      from counted group by 1, 2, 3, 4 having sum(count) > 0
    )
    select now, since, before, coalesce((
      select jsonb_agg(jsonb_build_object('at', at, 'kind', kind, 'outcome', outcome, 'cause', cause, 'count', count)
        order by at, kind, outcome, cause) from summed
    ), '[]') as counts from bounds
  `;
}

/** The beginning of the hour before this one: what is over counts as recent from then on. */
const recently = (sql: Sql) => sql`date_trunc('hour', business_now(), 'UTC') - interval '1 hour'`;

/** An outage of the night is still shown in the morning. */
export const aDayAgo = (sql: Sql) => sql`business_now() - interval '1 day'`;

const RecentEnds = z.object({
  since: z.date(),
  ends: z.array(
    z.object({
      kind: z.enum(ENDED_WORK_KINDS),
      provider: z.enum(PROVIDER_NAMES).nullable(),
      outcome: z.string(),
      isRecent: z.boolean(),
      count: z.number(),
    }),
  ),
});

/** Counts the work that ended since the beginning of the hour before this one, and in the week before that. */
export async function listRecentEnds(sql: Sql): Promise<z.infer<typeof RecentEnds>> {
  return await getRow(sql, RecentEnds)`
    with bounds as (select ${recently(sql)} as since),
    ended as (
      select hour, kind, provider, outcome, count from ended_work_count, bounds
      where app_id is null and hour >= since - interval '7 days'
      union all
      select hour, kind, provider, outcome, count from ended_work, bounds where hour >= since - interval '7 days'
    ), summed as (
      select kind, provider, ${reasonIn(sql)} as outcome, hour >= since as is_recent, sum(count)::int as count
      from ended, bounds group by 1, 2, 3, 4 having sum(count) > 0
    )
    select since, coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'provider', provider, 'outcome', outcome, 'isRecent', is_recent,
        'count', count)) from summed
    ), '[]') as ends from bounds
  `;
}

/** Lists whether there are ends to add up: one row, or none. */
export const listUnsummedWork = (sql: Sql): Promise<Due[]> =>
  listRows(sql, Due)`select end_id::text as id, hour as due_at from ended_work order by end_id limit 1`;

/**
 * Adds up at most `limit` ends, the oldest first. Each app's counts have a row, and so has their sum over all apps. Safe in several
 * processes at once: only one deletes a row, and adds it.
 * @returns the number of ends.
 */
export async function sumEndedWork(sql: Sql, limit: number): Promise<number> {
  return await getValue(sql, z.number())`
    with taken as (
      delete from ended_work
      where end_id = any(array(select end_id from ended_work order by end_id limit ${limit}))
      returning hour, app_id, kind, provider, outcome, count
    ), caused as (
      select hour, kind, provider, outcome, true as is_known, 0 as ends from ended_work_count
      where app_id is null and hour = any(array(select hour from taken)) and strpos(outcome, ' ') > 0
      union all
      select hour, kind, provider, outcome, false, count(*) from taken where strpos(outcome, ' ') > 0 group by 1, 2, 3, 4
    ), ranked as (
      select hour, kind, provider, outcome,
        row_number() over (partition by hour, kind, provider order by is_known desc, ends desc, outcome) as place
      from caused
    ), named as (
      select hour, app_id, kind, provider, count, case
        when strpos(outcome, ' ') = 0 or exists (
          select from ranked r where place <= ${MOST_CAUSES} and r.hour = t.hour and r.kind = t.kind
            and r.provider is not distinct from t.provider and r.outcome = t.outcome
        ) then outcome else ${reasonIn(sql)} || ' OTHER' end as outcome
      from taken t
    ), added as (
      insert into ended_work_count (app_id, hour, kind, provider, outcome, count)
      select app_id, hour, kind, provider, outcome, sum(count) from named
      group by grouping sets ((hour, kind, provider, outcome, app_id), (hour, kind, provider, outcome))
      order by hour, app_id nulls first, kind, provider nulls first, outcome
      on conflict (app_id, hour, kind, provider, outcome) do update set count = ended_work_count.count + excluded.count
    )
    select count(*)::int as count from taken
  `;
}
