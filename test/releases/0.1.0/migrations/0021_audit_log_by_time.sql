-- Outside a transaction.
create index concurrently if not exists audit_log_by_time on audit_log (happened_at, audit_id);
