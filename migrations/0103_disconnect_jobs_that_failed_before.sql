-- Outside a transaction: it is built while the service writes jobs. For the failed tries of jobs that have ended lately.
create index concurrently if not exists disconnect_job_failed_before on disconnect_job (finished_at) where failed_tries > 0;
