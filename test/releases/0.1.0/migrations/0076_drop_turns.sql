-- Sweeps go by due date: no index orders due rows by app any longer.
drop index connection_upkeep_turns;
drop index connection_refresh_turns;
drop index read_job_turns;
drop index disconnect_job_turns;
