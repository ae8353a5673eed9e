-- Outside a transaction. Upkeep by due date.
create index concurrently if not exists connection_upkeep_due on connection (provider, upkeep_due_at, connection_id)
  where status = 'CONNECTED' and upkeep_due_at is not null;
