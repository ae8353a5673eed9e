-- The last time that the platform refused a registration's client, once that is over. Older versions write neither.
alter table registration add column refused_from timestamptz(3), add column refused_until timestamptz(3);
