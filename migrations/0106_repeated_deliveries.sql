-- A delivery that an operator sends again has not ended: its first end no longer counts, or one that succeeds now would still look failed.
alter table ended_work add column count integer not null default 1;

create function uncount_repeated_delivery() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ended_work (hour, app_id, kind, outcome, count)
  values (date_trunc('hour', old.occurred_at, 'UTC'), old.app_id, 'WEBHOOK',
    case when old.status = 'FAILED' then coalesce(old.last_failure, 'HTTP_' || old.last_http_status, 'FAILED') else old.status end, -1);
  return null;
end
$$;
create trigger webhook_delivery_repeated_uncounted after update of status on webhook_delivery
  for each row when (old.status in ('DELIVERED', 'FAILED') and new.status = 'PENDING')
  execute function uncount_repeated_delivery();
