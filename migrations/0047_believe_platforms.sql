-- When an operator last said that the platform means its refusals. It is believed for a day.
alter table registration add column downgrades_believed_at timestamptz(3);
