-- Operators' reads of persons. They outnumber what operators do, so only they have an end.
alter table audit_log add column is_read boolean not null default false;

drop trigger audit_log_insert_only on audit_log;
create trigger audit_log_insert_only before update or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_kept before delete on audit_log
  for each row when (not old.is_read or old.happened_at > business_now() - interval '1 year')
  execute function refuse_change();
