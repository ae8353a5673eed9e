-- Temporal gives the apps their turns (D-255): an entry no longer names its app.
alter table outbox drop column app_id;
