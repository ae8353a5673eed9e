-- Outside a transaction: for the foreign keys of 0027.
create unique index concurrently if not exists registration_with_provider on registration (registration_id, provider);
