-- What an entry was about besides its target: a receipt, a run of many, a key, the jobs pushed. Ids of ours.
alter table audit_log add column related text[] not null default '{}';
