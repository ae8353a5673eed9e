-- Outside a transaction
create index concurrently if not exists connection_upkeep_failing on connection (provider, upkeep_failing_since) where status = 'CONNECTED' and upkeep_failing_since is not null;
