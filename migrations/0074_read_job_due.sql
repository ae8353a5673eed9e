-- Outside a transaction. Overdue reads by due date.
create index concurrently if not exists read_job_due
  on read_job (greatest(coalesce(next_retry_at, started_at, created_at), next_check_at), job_id)
  where status in ('QUEUED', 'RUNNING');
