-- What platforms tell us of their own accord -------------------------------------------------------------------------

-- Secrets with which a platform signs its callbacks about a registration. Apart from the client secret, which the api
-- cannot open; several, since a platform may have more than one and because they are replaced one after the other.
create table platform_callback_secret (
  secret_id uuid primary key,
  registration_id uuid not null references registration on delete cascade,
  sealed_secret text not null,
  created_at timestamptz(3) not null default business_now()
);
create index platform_callback_secret_by_registration on platform_callback_secret (registration_id);

-- A person's request, made at a platform, to delete what we hold of their account. It outlives all of that, and says
-- nothing of whose it was.
create table deletion_request (
  code text primary key check (code ~ '^[0-9a-f]{32}$'),
  requested_at timestamptz(3) not null default business_now()
);
-- What is still to be erased for it: a row goes with its connection, and without one left the request has been met.
create table deletion_request_connection (
  code text not null references deletion_request on delete cascade,
  connection_id uuid not null references connection on delete cascade,
  primary key (code, connection_id)
);
create index deletion_request_connection_by_connection on deletion_request_connection (connection_id);

-- Callbacks name an account by one of its ids.
create index account_grant_by_account on account_grant using gin (account_macs);

-- Registrations that cannot be used for a while -------------------------------------------------------------------------

-- Nothing is read with a registration before its used-up quota is given again.
alter table registration add column quota_spent_until timestamptz(3);
-- Of a registration the provider has refused: which kind of call it was, and when one was last tried again. CLIENT
-- calls prove who we are, READ calls use a person's token; either kind can be refused while the other works.
alter table registration add column rejected_call text check (rejected_call in ('CLIENT', 'READ'));
alter table registration add column rejection_probed_at timestamptz(3);
