-- A fail-over may lose the last commits, although others have heard of them: Temporal has run their workflows, and apps have been told
-- of them by webhooks. A worker looks for such commits after each fail-over.

-- One row: the timeline that a worker has looked at last. A later one has begun with a fail-over.
create table failover_state (
  only_row boolean primary key default true check (only_row),
  handled_timeline text,
  -- Until then, one worker looks.
  taken_until timestamptz(3) not null default '-infinity'
);
insert into failover_state (handled_timeline) values (current_timeline());

-- Tells an endpoint the status of connections of which it was told something that is lost: null for a connection that is lost as well.
-- The event is newer than the lost one, also if the clock of this server is behind. It acts as the owner: no process needs the
-- right to write events of its own.
create function write_corrections(to_endpoint uuid, about_connections uuid[], lost_numbers bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock_number bigint := (extract(epoch from business_now()) * 1000000)::bigint;
begin
  with endpoint as materialized (
    select endpoint_id, app_id from webhook_endpoint where endpoint_id = to_endpoint and collects
  ), told as materialized (
    select app_id, connection_id, greatest(clock_number, lost_number + 1) as next_number,
      jsonb_build_object('provider', c.provider, 'status', c.status) as data
    from endpoint cross join unnest(about_connections, lost_numbers) as lost (connection_id, lost_number)
      left join connection c using (connection_id, app_id)
  ), numbered as (
    insert into webhook_sequence as last (connection_id, last_number)
    select connection_id, next_number from told order by connection_id
    on conflict (connection_id) do update set last_number = greatest(excluded.last_number, last.last_number + 1)
    returning connection_id, last_number
  ), event as (
    insert into webhook_event (app_id, type, connection_id, sequence, data)
    select app_id, 'connection.corrected', connection_id, last_number, data from told join numbered using (connection_id)
    returning event_id, app_id, type, connection_id, occurred_at
  ), delivery as (
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, connection_id, occurred_at)
    select event_id, to_endpoint, app_id, type, connection_id, occurred_at from event returning endpoint_id
  )
  insert into webhook_wake (endpoint_id) select distinct endpoint_id from delivery;
end
$$;
revoke execute on function write_corrections from public;

-- Revokes a credential that the journal names. A worker repeats so what a fail-over has lost, and can do nothing else with it.
create function repeat_revocation(of_key uuid, of_token uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_repeated boolean;
begin
  update app_key set revoked_at = business_now() where key_id = of_key and revoked_at is null;
  is_repeated := found;
  update admin_token set revoked_at = business_now() where token_id = of_token and revoked_at is null;
  return is_repeated or found;
end
$$;
revoke execute on function repeat_revocation from public;

-- Names the cluster and the database, which a fail-over keeps. Null where a server does not say.
create function current_cluster() returns text
language plpgsql stable parallel safe as $$
begin
  return concat_ws('/', (select system_identifier from pg_control_system()),
    (select oid from pg_database where datname = current_database()));
exception when others then
  return null;
end
$$;
