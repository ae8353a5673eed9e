-- Whether tokens are kept with a job, for those who may not read them. Computed when asked for: no row is rewritten.
alter table release_job add column keeps_tokens boolean generated always as (sealed_tokens is not null) virtual;
