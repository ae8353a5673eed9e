-- Replaced by outbox_by_lane.
drop index outbox_due;
drop index outbox_refused;
