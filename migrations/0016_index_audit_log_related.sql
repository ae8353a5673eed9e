-- Outside a transaction. What was done to one thing is found by any of the ids that an entry names.
create index concurrently if not exists audit_log_by_related on audit_log using gin (related)
