-- Counts of failures by what came back of the last try. The cause follows the code of the reason in `outcome`, after a blank, so
-- that an older version adds the rows up beside this one.

-- The cause of a failure: as in `last_answer`, and the platform's code. Null if no request was sent.
create function name_cause(answer text, code text) returns text
  language sql immutable parallel safe
  return nullif(concat_ws(' ', answer, left(code, 60)), '');
revoke execute on function name_cause from public;

create or replace function count_ended_attempt() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(new.created_at, new.app_id, 'CONNECT', new.provider,
    case
      when new.status = 'COMPLETED' then 'COMPLETED'
      when new.status = 'FAILED' then concat_ws(' ', coalesce(new.result_code, new.status),
        name_cause(new.last_answer, new.last_answer_code))
      else coalesce(new.result_code, new.status)
    end);
  return null;
end
$$;

create or replace function count_ended_job() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(coalesce(new.finished_at, business_now()), new.app_id, tg_argv[0], new.provider,
    case
      when new.status = 'FAILED' then concat_ws(' ', coalesce(new.error_code, new.last_failure, 'INTERNAL'),
        name_cause(new.last_answer, null))
      -- Only one of the two tables has the column.
      when new.status = 'SUCCEEDED' then coalesce(to_jsonb(new) ->> 'creator_action', new.status)
      else new.status
    end);
  return null;
end
$$;
