-- The sweep checks the workflow of a disconnect less often, the longer that waits.
alter table disconnect_job
  -- Reconciliation has seen its workflow run, and does not check again before this.
  add column next_check_at timestamptz(3);
-- Replaced by indexes in which each app has a part: sweeps take the apps in turns.
drop index connection_upkeep_due;
drop index connection_refresh_due;
drop index read_job_due;
