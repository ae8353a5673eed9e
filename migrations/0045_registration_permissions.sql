-- The provider's permissions that a client may ask people for, where a platform approves them one by one. Null for all.
alter table registration add column permissions text[] check (cardinality(permissions) between 1 and 20);
