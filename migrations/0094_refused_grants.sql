-- Outside a transaction: it is built while the service writes grants. For the grants of a registration that its platform refuses.
create index concurrently if not exists account_grant_refused on account_grant (registration_id)
  where status = 'LIVE' and refused_at is not null;
