-- Outside a transaction
-- Operators find a person by the caller's own id, without its app and tenant. About 60 bytes a person: 0.6 GB at ten million.
create index concurrently if not exists scope_by_subject on scope (external_subject_id);
