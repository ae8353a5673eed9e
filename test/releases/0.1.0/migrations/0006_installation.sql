-- Identifies this database in Temporal, so that workers and apis of two installations do not share a task queue.
create table installation (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null default gen_random_uuid()
);
insert into installation default values;

-- The workers that use this database, and where it was then. A copy of the database has rows of workers that use the original.
create table worker_presence (
  worker_id uuid primary key,
  place text collate "C" not null,
  seen_at timestamptz(3) not null default now()
);
