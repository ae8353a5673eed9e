-- The keyed hash of each imported token, for as long as the token could work: longer than the grant that the import made. Repeating a
-- file then never connects a person again who has disconnected. Null for a token without a known end.
create table imported_token (
  import_mac bytea primary key,
  expires_at timestamptz(3)
);
create index imported_token_expiry on imported_token (expires_at, encode(import_mac, 'hex'));
insert into imported_token (import_mac) select import_mac from account_grant where import_mac is not null;
