-- Outside a transaction
create index concurrently if not exists read_job_turns on read_job (app_id, greatest(coalesce(next_retry_at, started_at, created_at), next_check_at), job_id) where status in ('QUEUED', 'RUNNING');
