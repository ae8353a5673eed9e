-- A revoke that only the person can finish is not one that we made: it counts on its own.
create or replace function count_ended_job() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(coalesce(new.finished_at, business_now()), new.app_id, tg_argv[0], new.provider,
    case
      when new.status = 'FAILED' then coalesce(new.error_code, new.last_failure, 'INTERNAL')
      -- Only one of the two tables has the column.
      when new.status = 'SUCCEEDED' then coalesce(to_jsonb(new) ->> 'creator_action', new.status)
      else new.status
    end);
  return null;
end
$$;
