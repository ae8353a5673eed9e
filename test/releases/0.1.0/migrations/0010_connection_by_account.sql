-- Outside a transaction
-- Operators find a connection by the platform's id of its account. About 50 bytes a connection: 0.5 GB at ten million.
create index concurrently if not exists connection_by_account_id on connection (provider_account_id);
