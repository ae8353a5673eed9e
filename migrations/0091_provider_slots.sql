-- A provider's calls take slots: the sequences and functions get that name. Owners and rights stay. Older processes call `take_slot` as
-- before. A call that runs its old text at this moment may fail once, and is retried.
do $$
declare
  old name;
begin
  for old in
    select sequencename from pg_sequences
    where schemaname = 'public' and sequencename ~ '_turns(_connects|_grants|_clock)?$'
  loop
    execute format('alter sequence %I rename to %I', old, regexp_replace(old, '_turns(_[a-z]+)?$', '_slots\1'));
  end loop;
end
$$;

-- Creates the slots of a provider, in microseconds since 1970: when its next slot is, when the next one of each guaranteed share is,
-- and when the last one was taken. Worth nothing after a crash, therefore unlogged.
alter function create_turns rename to create_slots;
create or replace function create_slots(of_provider provider_name) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  part text;
begin
  foreach part in array array['slots', 'slots_connects', 'slots_grants', 'slots_clock'] loop
    execute format('create unlogged sequence %I', lower(of_provider collate "C") || '_' || part);
  end loop;
end
$$;

-- Takes a slot to call a provider, by the rules in `src/store/provider-rate-limit.ts`. It acts as the owner: no process has a right
-- to the sequences. It locks the provider's row of `provider_rate_limit`, and never changes it. Times are in microseconds.
create or replace function take_slot(of_provider provider_name, gap bigint, share text, share_gap bigint, most_ahead bigint)
  returns table (taken boolean, wait bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  slots text := lower(of_provider collate "C") || '_slots';
  slots_clock text := slots || '_clock';
  slots_share text := slots || '_' || lower(share collate "C");
  part text;
  clock bigint;
  set_back bigint;
  next_slot bigint;
  next_of_share bigint;
  is_guaranteed boolean;
begin
  loop
    perform from provider_rate_limit where provider = of_provider for update;
    exit when found;
    insert into provider_rate_limit (provider) values (of_provider) on conflict do nothing;
  end loop;
  clock := extract(epoch from clock_timestamp()) * 1000000;
  -- A sequence without a last value has not been used since its creation or a crash.
  set_back := coalesce(pg_sequence_last_value(slots_clock::regclass), 0) - clock;
  if set_back > 0 then
    foreach part in array array[slots, slots || '_connects', slots || '_grants', slots_clock] loop
      perform setval(part::regclass, greatest(1, coalesce(pg_sequence_last_value(part::regclass), 1) - set_back));
    end loop;
  end if;
  next_slot := greatest(coalesce(pg_sequence_last_value(slots::regclass), 0), clock - 1000000);
  next_of_share := greatest(coalesce(pg_sequence_last_value(slots_share::regclass), 0), clock - 500000);
  is_guaranteed := share is not null and next_of_share <= clock;
  taken := next_slot <= clock or most_ahead is null or (is_guaranteed and next_slot <= clock + most_ahead);
  if taken then
    perform setval(slots::regclass, next_slot + gap), setval(slots_clock::regclass, clock);
    if is_guaranteed or most_ahead is null then
      perform setval(slots_share::regclass, next_of_share + share_gap); -- Does nothing without a share.
    end if;
    wait := greatest(0, next_slot - clock);
  elsif share is null then
    wait := next_slot - clock;
  else
    wait := least(next_slot, greatest(next_of_share, next_slot - most_ahead)) - clock;
  end if;
  return next;
end
$$;
