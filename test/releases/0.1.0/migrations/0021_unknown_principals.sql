-- Outside a transaction. Grants in use of which the platform did not name the person: any revoke could end them.
create index concurrently if not exists account_grant_unknown on account_grant (registration_id)
  where principal_mac is null and status in ('PENDING', 'LIVE');
