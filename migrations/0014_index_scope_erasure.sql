-- Outside a transaction. What an erasure has forgotten and is not gone yet.
create index concurrently if not exists scope_by_erasure on scope (erasure_id) where erasure_id is not null
