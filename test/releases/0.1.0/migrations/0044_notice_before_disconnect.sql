-- A grant that was found dead late, such as after an outage of ours, leaves its connection a day to be connected again.
create or replace function note_proof() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  days integer;
begin
  if new.status = 'RECONNECT_REQUIRED' then
    select disconnect_days(provider, disconnect_after_days) into days
      from registration where registration_id = new.registration_id;
    new.unproven_since := greatest(coalesce(new.proven_at, business_now()), business_now() - make_interval(days => days - 1));
  else
    new.proven_at := business_now();
    new.proof_failed_at := null;
    new.unproven_since := null;
  end if;
  return new;
end
$$;
