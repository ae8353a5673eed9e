-- A person's erasure reaches what hangs on their scope: the scope it has forgotten, also for revokes that come of it later,
-- and the jobs that let go of the rest. They keep no tokens when they fail.
alter table scope add column erasure_id uuid;
alter table release_job add column erasure_id uuid;
