-- Outside a transaction. Automatic refreshes by due date.
create index concurrently if not exists connection_refresh_due on connection (registration_id, refresh_due_at, connection_id)
  where status = 'CONNECTED' and refresh_due_at is not null;
