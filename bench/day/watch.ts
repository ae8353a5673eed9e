import type { ProviderName } from '../../src/basics/codes.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { Work } from './platforms.ts';

/** Records each connection that a sweep takes because it is due, and which connections are due on this day. */
export async function watchSweeps(sql: Database): Promise<void> {
  await sql.unsafe(`
    create unlogged table day_taken (n bigint generated always as identity primary key, kind text not null,
      connection_id uuid not null, due_at timestamptz not null, is_told boolean not null default false);
    create index on day_taken (kind) where not is_told;
    create index on day_taken (connection_id);
    grant insert on day_taken to public;
    create function day_take() returns trigger language plpgsql as $$
    begin
      if old.upkeep_due_at <= business_now() and new.upkeep_due_at > business_now() then
        insert into day_taken (kind, connection_id, due_at) values ('UPKEEP', old.connection_id, old.upkeep_due_at);
      end if;
      if old.refresh_due_at <= business_now() and new.refresh_due_at is distinct from old.refresh_due_at then
        insert into day_taken (kind, connection_id, due_at) values ('REFRESH', old.connection_id, old.refresh_due_at);
      end if;
      return null;
    end $$;
    create trigger day_take after update of upkeep_due_at, refresh_due_at on connection for each row execute function day_take();
    set statement_timeout = 0;
    create unlogged table day_upkeep as select connection_id, upkeep_due_at as due_at from connection
      where upkeep_due_at < business_now() + interval '1 day';
    create unlogged table day_refresh as select connection_id, refresh_due_at as due_at from connection
      where refresh_due_at < business_now() + interval '1 day';
    reset statement_timeout;
  `);
}

/** Empties the outbox. @returns the work in it, and when its connections had become due */
export async function takeDispatches(sql: Database): Promise<(Work & { provider: ProviderName })[]> {
  const rows = await sql`
    with latest as (select kind, connection_id, min(due_at) as due_at from day_taken where not is_told group by 1, 2)
    select case when j.job_id is null then 'UPKEEP' else 'REFRESH' end as kind, j.job_id, c.connection_id, c.app_id,
      c.registration_id, c.provider, l.due_at
    from outbox o left join read_job j on j.job_id = (o.input ->> 'jobId')::uuid
      join connection c on c.connection_id = coalesce(j.connection_id, (o.input ->> 'connectionId')::uuid)
      join latest l on l.connection_id = c.connection_id and l.kind = case when j.job_id is null then 'UPKEEP' else 'REFRESH' end
    order by o.outbox_id
  `;
  const [counted] = await sql`select count(*)::int as count from outbox`;
  if (counted?.count !== rows.length) throw new Error('The outbox holds something else than upkeep and refreshes.');
  await sql`truncate outbox`;
  await sql`update day_taken set is_told = true where not is_told`;
  return rows.map((row) => ({
    kind: row.kind,
    connectionId: row.connectionId,
    jobId: row.jobId,
    appId: row.appId,
    registrationId: row.registrationId,
    provider: row.provider,
    dueAtMs: (row.dueAt as Date).getTime(),
  }));
}

/** Due connections that no sweep has taken, and since when the first of them is due, by registration. */
export async function listWaiting(sql: Database) {
  const rows = await sql`
    with pair as (select distinct ra.registration_id, ra.app_id, r.provider from registration_app ra join registration r using (registration_id))
    select 'REFRESH' as kind, p.registration_id, r.count::int, r.oldest from pair p cross join lateral (
      select count(*), min(refresh_due_at) as oldest from connection c where c.status = 'CONNECTED' and c.refresh_due_at <= business_now()
        and c.registration_id = p.registration_id and c.app_id = p.app_id) r where r.count > 0
    union all
    select 'UPKEEP', null, u.count::int, u.oldest from (select distinct provider, app_id from pair) p cross join lateral (
      select count(*), min(upkeep_due_at) as oldest from connection c where c.status = 'CONNECTED' and c.upkeep_due_at <= business_now()
        and c.provider = p.provider and c.app_id = p.app_id) u where u.count > 0
  `;
  return rows.map((row) => ({
    kind: row.kind as Work['kind'],
    registrationId: row.registrationId as string | null,
    count: Number(row.count),
    oldestMs: (row.oldest as Date).getTime(),
  }));
}

/** For how long the longest waiting row has been due for retention, in ms. */
export async function measureRetention(sql: Database): Promise<number> {
  const [row] = await sql`
    select greatest(0, extract(epoch from business_now() - least(
      (select min(finished_at) from read_job where finished_at is not null) + interval '7 days',
      (select min(scanned_at) from coverage) + interval '30 days',
      (select min(observed_at) from content_item where blanked_at is null) + interval '30 days',
      (select min(profile_observed_at) from connection where profile is not null) + interval '30 days'
    )))::float8 * 1000 as ms
  `;
  return Number(row?.ms);
}

/** What was due on this day, and is neither done, nor under way, nor still waiting. @returns how many connections of each kind */
export async function countForgotten(sql: Database, startedAtMs: number) {
  const [row] = await sql`
    select
      (select count(*)::int from day_upkeep d join connection c using (connection_id)
        where d.due_at <= business_now() and c.profile_observed_at < ${new Date(startedAtMs)} and c.upkeep_due_at > business_now() and c.upkeep_failing_since is null) as upkeep,
      (select count(*)::int from day_refresh d join connection c using (connection_id)
        where d.due_at <= business_now() and (c.refresh_due_at is null or c.refresh_due_at > business_now() and not exists (
          select from day_taken t where t.connection_id = d.connection_id and t.kind = 'REFRESH'))) as refreshes,
      (select count(*)::int from day_upkeep where due_at <= business_now()) as upkeep_due,
      (select count(*)::int from day_refresh where due_at <= business_now()) as refreshes_due
  `;
  return {
    upkeep: Number(row?.upkeep),
    refreshes: Number(row?.refreshes),
    due: { upkeep: Number(row?.upkeepDue), refreshes: Number(row?.refreshesDue) },
  };
}
