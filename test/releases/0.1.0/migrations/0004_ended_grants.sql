-- Data of ended grants: what is not proven alive is disconnected, why a connection was disconnected, and blanked posts without ids.

-- The service disconnects a connection whose grant was not proven alive for so many days; 0 for never. Null is the default of
-- `disconnect_days`. YouTube's Developer Policies, III.D.2, allow 30 days after a revoke at Google.
alter table registration add column disconnect_after_days integer;
alter table registration add constraint registration_disconnect_after_days check (
  disconnect_after_days between 0 and 3650 and (provider <> 'PROVIDER_A' or disconnect_after_days between 1 and 29)
) not valid;

create function disconnect_days(of_provider provider_name, setting integer) returns integer
  language sql immutable parallel safe
  return coalesce(setting, case when of_provider = 'PROVIDER_A' then 29 else 90 end);

-- When the grant was last proven alive: by consent, a refresh, or an accepted call. Within the hour it is not written again.
alter table connection add column proven_at timestamptz(3);
alter table connection alter column proven_at set default business_now();
-- Since when calls that would have proven it have failed, try after try.
alter table connection add column proof_failed_at timestamptz(3);
-- The last proof, of a connection whose grant has ended, or was not proven alive for a day of tries. The days count from it.
-- A column of its own, so that the proof of a healthy connection changes no index.
alter table connection add column unproven_since timestamptz(3);
-- When the platform last reported that the person had removed the app.
alter table connection add column removal_reported_at timestamptz(3);

create function note_proof() returns trigger language plpgsql as $$
begin
  if new.status = 'RECONNECT_REQUIRED' then
    new.unproven_since := coalesce(new.proven_at, business_now());
  else
    new.proven_at := business_now();
    new.proof_failed_at := null;
    new.unproven_since := null;
  end if;
  return new;
end
$$;
-- A grant has ended, or the person has connected the account again.
create trigger connection_proof before update of status on connection
  for each row when (new.status <> old.status
    and (new.status = 'RECONNECT_REQUIRED' or (new.status = 'CONNECTED' and old.status = 'RECONNECT_REQUIRED')))
  execute function note_proof();

-- Why the connection was disconnected. Null of one that was disconnected before this column, and of one that only a journal knows.
alter table disconnect_job add column reason text collate "C";
alter table disconnect_job add constraint disconnect_job_known_reason check (
  reason in ('APP', 'OPERATOR', 'PLATFORM_REMOVAL', 'PLATFORM_DELETION', 'UNUSED')
) not valid;

-- What a deletion request found: how many connections, and whether an account had a newer consent, which the request spares.
alter table deletion_request add column found_count integer;
alter table deletion_request add column spared_newer boolean;

-- A post that was not read for 30 days keeps a keyed hash of its id instead of the id.
alter table content_item add column content_mac bytea;
alter table content_item alter column provider_content_id drop not null;
alter table content_item add constraint content_item_known check (provider_content_id is not null or content_mac is not null) not valid;

create or replace function tell_moved_connection() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  event_type text := case
    when new.status = 'RECONNECT_REQUIRED' then 'connection.reconnect_required'
    when new.status = 'SUSPENDED' then 'connection.suspended'
    when new.status = 'DISCONNECTED' then 'connection.disconnected'
    when old.status = 'SUSPENDED' then 'connection.resumed'
    else 'connection.connected'
  end;
  because text := case
    when 'SUSPENDED' in (old.status, new.status) and new.status in ('SUSPENDED', 'CONNECTED') then 'ACCOUNT_DISCONNECTING'
    when new.status = 'DISCONNECTED' then (
      select reason from disconnect_job where connection_id = new.connection_id and kind = 'ERASE'
    )
  end;
  erases jsonb := '{}';
begin
  if new.status = 'RECONNECT_REQUIRED' then
    select jsonb_build_object('erasesAt', to_char(
        greatest(business_now(), new.unproven_since + make_interval(days => days)) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      into erases
      from (select nullif(disconnect_days(provider, disconnect_after_days), 0) as days
        from registration where registration_id = new.registration_id) as setting;
  end if;
  perform write_webhook_event(new.app_id, event_type, new.connection_id, jsonb_strip_nulls(
    jsonb_build_object('provider', new.provider, 'status', new.status, 'reason', because)) || erases);
  return null;
end
$$;

create or replace function tell_erased_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_events(array_agg(app_id), array_agg('connection.erased'::text), array_agg(connection_id),
      array_agg(jsonb_strip_nulls(jsonb_build_object('provider', provider, 'reason', (
        select reason from disconnect_job j where j.connection_id = removed.connection_id and kind = 'ERASE'
      )))))
    from removed having count(*) > 0;
  return null;
end
$$;
