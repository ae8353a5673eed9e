-- Outside a transaction. The reads that are due to be deleted.
create index concurrently if not exists audit_log_reads on audit_log (happened_at, audit_id) where is_read;
