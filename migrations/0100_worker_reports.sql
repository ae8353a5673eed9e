-- Names a worker to people, and tells one that has stopped on request from one that no longer reports. Older versions write neither.
alter table worker_presence add column name text collate "C", add column ended_at timestamptz(3);
