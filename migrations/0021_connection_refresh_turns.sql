-- Outside a transaction
create index concurrently if not exists connection_refresh_turns on connection (registration_id, app_id, refresh_due_at, connection_id) where status = 'CONNECTED' and refresh_due_at is not null;
