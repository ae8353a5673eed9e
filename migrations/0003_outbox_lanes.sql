-- Bulk work never delays a person, nor one app another: entries wait in lanes, and within a lane the apps take turns.
alter table outbox
  -- 1: a person waits for it. 2: an app asked for it. 3: bulk work. 4: Temporal has refused it.
  add column lane smallint not null default 2,
  -- Zeros for work of no app.
  add column app_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Entries with the same key are one entry until it is tried. Null for an entry of its own.
  add column once_key text;
update outbox set lane = 4 where refusals > 0;

-- Each row is deleted within moments: the dead ones must go as fast.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
