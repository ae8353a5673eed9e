-- Automatic refreshes have one interval: nothing compares what two of them found.
alter table connection drop column refresh_unchanged, drop column refresh_found;
