-- The last failure of an endpoint that is over: an operator who looks later finds no other trace. Null without one of at least three tries.
alter table webhook_endpoint add column failed_from timestamptz(3), add column failed_until timestamptz(3), add column failed_tries integer,
  add column failed_answer text collate "C";

-- An attempt that its person could not finish has the page of ours that refused their browser as its cause.
create or replace function count_ended_attempt() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(new.created_at, new.app_id, 'CONNECT', new.provider,
    case
      when new.status = 'COMPLETED' then 'COMPLETED'
      when new.status = 'FAILED' then concat_ws(' ', coalesce(new.result_code, new.status),
        name_cause(new.last_answer, new.last_answer_code))
      when new.status in ('EXPIRED', 'CANCELED') then concat_ws(' ', coalesce(new.result_code, new.status), new.last_refusal)
      else coalesce(new.result_code, new.status)
    end);
  return null;
end
$$;
