-- Outside a transaction: for the foreign keys of 0027.
create unique index concurrently if not exists scope_with_app on scope (scope_id, app_id);
