-- How many changes for the worse the hour allows: a part of the connections that the registration had when the hour began.
alter table registration add column downgrades_allowed integer not null default 0, drop column downgrades_checked_at;
comment on column registration.downgrades_held_at is
  'Set when there were too many: the service makes no more for a day, until a refused grant works again or an operator says so.';
