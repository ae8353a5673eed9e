-- Outside a transaction: it is built while the service writes jobs. For operators who list the people that must remove the app themselves.
create index concurrently if not exists disconnect_job_left_to_person on disconnect_job (job_id) where creator_action is not null;
