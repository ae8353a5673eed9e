-- Outside a transaction. What the service disconnects next: ended grants, and those that were not proven alive.
create index concurrently if not exists connection_unproven
  on connection (registration_id, coalesce(unproven_since, changed_at), connection_id)
  where status in ('CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED') and (status = 'RECONNECT_REQUIRED' or unproven_since is not null);
