-- When a worker last ran the sweeps that need no workflow: of any number of workers, one takes each turn.
create table sweep_turn (
  only_row boolean primary key default true check (only_row),
  taken_at timestamptz(3) not null
);
insert into sweep_turn (taken_at) values ('-infinity');
