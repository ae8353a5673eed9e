-- Outside a transaction. The jobs of an erasure: few have one.
create index concurrently if not exists release_job_by_erasure on release_job (erasure_id) where erasure_id is not null
