-- Outside a transaction. Overdue disconnects by due date.
create index concurrently if not exists disconnect_job_due
  on disconnect_job (greatest(coalesce(next_retry_at, started_at, created_at), next_check_at), job_id)
  where status in ('QUEUED', 'RUNNING') and not awaits_revoke;
