-- The turns of calls to a provider stand in sequences, not in a row. Each call changes them, and Postgres keeps every version of a
-- row as long as any transaction is older, such as a pg_dump: taking a turn became slower with each one. A sequence has no versions.

-- Creates the line of a provider, in microseconds since 1970: when its next turn is, when the next one of each guaranteed share is,
-- and when the last one was taken. Worth nothing after a crash, therefore unlogged.
create function create_turns(of_provider provider_name) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  part text;
begin
  foreach part in array array['turns', 'turns_connects', 'turns_grants', 'turns_clock'] loop
    execute format('create unlogged sequence %I', lower(of_provider) || '_' || part);
  end loop;
end
$$;
revoke execute on function create_turns from public;
select create_turns('PROVIDER_A'), create_turns('PROVIDER_B'), create_turns('PROVIDER_C');

-- Takes a turn to call a provider, by the rules in `src/store/provider-rate-limit.ts`. It acts as the owner: no process has a right
-- to the sequences. It locks the provider's row of `provider_rate_limit`, and never changes it, whose other column
-- has no use any longer. Times are in microseconds.
create function take_turn(of_provider provider_name, gap bigint, share text, share_gap bigint, most_ahead bigint)
  returns table (taken boolean, wait bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line text := lower(of_provider) || '_turns';
  line_clock text := line || '_clock';
  line_share text := line || '_' || lower(share);
  part text;
  clock bigint;
  set_back bigint;
  next_turn bigint;
  next_of_share bigint;
  is_guaranteed boolean;
begin
  loop
    perform from provider_rate_limit where provider = of_provider for update;
    exit when found;
    insert into provider_rate_limit (provider, next_call_at) values (of_provider, clock_timestamp()) on conflict do nothing;
  end loop;
  clock := extract(epoch from clock_timestamp()) * 1000000;
  -- A sequence without a last value has not been used since its creation or a crash.
  set_back := coalesce(pg_sequence_last_value(line_clock::regclass), 0) - clock;
  if set_back > 0 then
    foreach part in array array[line, line || '_connects', line || '_grants', line_clock] loop
      perform setval(part::regclass, greatest(1, coalesce(pg_sequence_last_value(part::regclass), 1) - set_back));
    end loop;
  end if;
  next_turn := greatest(coalesce(pg_sequence_last_value(line::regclass), 0), clock - 1000000);
  next_of_share := greatest(coalesce(pg_sequence_last_value(line_share::regclass), 0), clock - 500000);
  is_guaranteed := share is not null and next_of_share <= clock;
  taken := next_turn <= clock or most_ahead is null or (is_guaranteed and next_turn <= clock + most_ahead);
  if taken then
    perform setval(line::regclass, next_turn + gap), setval(line_clock::regclass, clock);
    if is_guaranteed or most_ahead is null then
      perform setval(line_share::regclass, next_of_share + share_gap); -- Does nothing without a share.
    end if;
    wait := greatest(0, next_turn - clock);
  elsif share is null then
    wait := next_turn - clock;
  else
    wait := least(next_turn, greatest(next_of_share, next_turn - most_ahead)) - clock;
  end if;
  return next;
end
$$;
revoke execute on function take_turn from public;
