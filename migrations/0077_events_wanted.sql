-- An event that no endpoint of the app wants costs one probe of an index.
create or replace function write_webhook_events(told_apps uuid[], event_types text[], connections uuid[], event_data jsonb[])
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- Microseconds of the clock: after a restore, and after old events are deleted, it is ahead of every number in use.
  clock_number bigint := (extract(epoch from business_now()) * 1000000)::bigint;
begin
  -- Also of a disabled one: an operator can ask for what it has missed.
  if not exists (select from webhook_endpoint e where e.app_id = any(told_apps)
      and e.event_types && write_webhook_events.event_types) then
    return;
  end if;
  with told as materialized (
    select told.*, row_number() over (partition by told.connection_id order by place) as rank
    from unnest(told_apps, event_types, connections, event_data) with ordinality
      as told (app_id, type, connection_id, data, place)
    where (app_id, type) in (select e.app_id, unnest(e.event_types) from webhook_endpoint e where e.app_id = any(told_apps))
  ), numbered as (
    -- The row is locked until the end of the transaction: events of one connection become visible in their order.
    insert into webhook_sequence as last (connection_id, last_number)
    select connection_id, clock_number + count(*) - 1 from told
    where connection_id is not null group by connection_id order by connection_id
    on conflict (connection_id) do update
      set last_number = greatest(excluded.last_number, last.last_number + excluded.last_number - clock_number + 1)
    returning connection_id, last_number
  ), event as (
    insert into webhook_event (app_id, type, connection_id, sequence, data)
    select app_id, type, connection_id, last_number - count(*) over (partition by connection_id) + rank, data
    from told left join numbered using (connection_id)
    returning event_id, app_id, type, connection_id, occurred_at
  ), delivery as (
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, connection_id, occurred_at)
    select event_id, endpoint_id, event.app_id, event.type, connection_id, occurred_at
    from event join webhook_endpoint e on e.app_id = event.app_id and e.collects and event.type = any(e.event_types)
    returning endpoint_id
  )
  insert into webhook_wake (endpoint_id)
  select endpoint_id from webhook_endpoint
  -- The workflow of a paused endpoint has a timer. Thousands of events for a dead endpoint wake nobody.
  where endpoint_id in (select endpoint_id from delivery) and enabled
    and coalesce(paused_until <= business_now() + interval '10 seconds', true);
end
$$;

create or replace function write_webhook_event(told_app uuid, event_type text, about_connection uuid, event_data jsonb)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Most facts interest no endpoint: they cost one probe.
  if exists (select from webhook_endpoint e where e.app_id = told_app and event_type = any(e.event_types)) then
    perform write_webhook_events(array[told_app], array[event_type], array[about_connection], array[event_data]);
  end if;
end
$$;
