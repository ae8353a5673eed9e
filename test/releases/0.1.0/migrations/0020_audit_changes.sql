-- The settings that an act changed, as a list of { setting, from, to } in words and numbers. No secret, no URL, no person.
alter table audit_log add column changes jsonb;
-- The last tries of a delivery, oldest first, as a list of { at, durationMs, status, failure }.
alter table webhook_delivery add column history jsonb not null default '[]';
