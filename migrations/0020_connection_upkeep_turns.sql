-- Outside a transaction
create index concurrently if not exists connection_upkeep_turns on connection (provider, app_id, upkeep_due_at, connection_id) where status = 'CONNECTED' and upkeep_due_at is not null;
