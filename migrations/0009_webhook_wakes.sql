-- Events take no lock that another process or role could hold, wake nobody inside their transaction, and cost the same for
-- one row and for each of 50,000.

-- An endpoint whose workflow is to be woken. Each event adds rows without reading any, so no transaction waits for another; a
-- worker turns all rows of an endpoint into one entry of the outbox.
create table webhook_wake (
  wake_id bigint generated always as identity primary key,
  -- Not a foreign key: it would lock the endpoint for each event.
  endpoint_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The number of a connection's last event. It goes with that event.
create table webhook_sequence (
  connection_id uuid primary key,
  last_number bigint not null
) with (fillfactor = 70);

-- Writes events, a delivery for each endpoint that wants one, and what wakes the endpoints. For an app without such an endpoint it
-- reads one index. It acts as the owner: no process needs the right to write events of its own.
create function write_webhook_events(told_apps uuid[], event_types text[], connections uuid[], event_data jsonb[])
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- Microseconds of the clock: after a restore, and after old events are deleted, it is ahead of every number in use.
  clock_number bigint := (extract(epoch from business_now()) * 1000000)::bigint;
begin
  -- Also of a disabled one: an operator can ask for what it has missed.
  if not exists (select from webhook_endpoint where app_id = any(told_apps)) then
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
revoke execute on function write_webhook_events from public;

create or replace function write_webhook_event(told_app uuid, event_type text, about_connection uuid, event_data jsonb)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_events(array[told_app], array[event_type], array[about_connection], array[event_data]);
end
$$;

create or replace function tell_added_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_events(array_agg(app_id), array_agg('connection.connected'::text), array_agg(connection_id),
      array_agg(jsonb_build_object('provider', provider, 'status', status)))
    from added where status = 'CONNECTED' having count(*) > 0;
  return null;
end
$$;

create or replace function tell_erased_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_events(array_agg(app_id), array_agg('connection.erased'::text), array_agg(connection_id),
      array_agg(jsonb_build_object('provider', provider)))
    from removed having count(*) > 0;
  return null;
end
$$;
