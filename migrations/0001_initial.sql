-- Business time. Instants are timestamptz(3). Tests replace this function to move the clock; production has no switch.
create function business_now() returns timestamptz
  language sql stable parallel safe
  return date_trunc('milliseconds', statement_timestamp());

create domain provider_name as text check (value in ('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'));

-- Applications, and what each may do ------------------------------------------------------------------------------

create table app (
  app_id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  enabled boolean not null default true,
  requests_per_second integer not null default 500 check (requests_per_second > 0),
  created_at timestamptz(3) not null default business_now()
);

create table app_key (
  key_id uuid primary key,
  app_id uuid not null references app,
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  created_at timestamptz(3) not null default business_now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index app_key_by_app on app_key (app_id);

create table tenant (
  app_id uuid not null references app,
  tenant_key text not null check (char_length(tenant_key) between 1 and 128),
  created_at timestamptz(3) not null default business_now(),
  primary key (app_id, tenant_key)
);

create table return_url (
  app_id uuid not null references app,
  url text not null,
  primary key (app_id, url)
);

-- Origins, besides those of the return URLs, whose pages may post a launch token.
create table launch_origin (
  app_id uuid not null references app,
  origin text not null,
  primary key (app_id, origin)
);

create table app_policy (
  app_id uuid not null references app,
  provider provider_name not null,
  capabilities text[] not null check (cardinality(capabilities) > 0),
  primary key (app_id, provider)
);

-- Our OAuth clients at the providers.
create table registration (
  registration_id uuid primary key,
  provider provider_name not null,
  label text not null,
  client_id text not null,
  sealed_client_secret text not null,
  paused_at timestamptz(3),
  -- Set when the provider refuses the client itself; calls stop until an operator has mended it.
  rejected_at timestamptz(3),
  created_at timestamptz(3) not null default business_now()
);

-- Which apps a registration serves. A new attempt takes the one that has served longest among those not paused.
create table registration_app (
  registration_id uuid not null references registration,
  app_id uuid not null references app,
  serves_since timestamptz(3) not null default business_now(),
  primary key (app_id, registration_id)
);

create table identity_issuer (
  issuer_id uuid primary key,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text not null,
  token_auth_method text not null check (token_auth_method in ('client_secret_post', 'client_secret_basic')),
  created_at timestamptz(3) not null default business_now()
);

create table app_identity (
  app_id uuid primary key references app,
  issuer_id uuid not null references identity_issuer,
  return_url text not null,
  enabled boolean not null default true
);

-- Scopes and their connections --------------------------------------------------------------------------------------

-- The pair of tenant and subject, in the app's own words. The row is what works on one scope lock first.
create table scope (
  scope_id uuid primary key,
  app_id uuid not null references app,
  tenant_key text not null,
  external_subject_id text not null check (char_length(external_subject_id) between 1 and 128),
  unique (app_id, tenant_key, external_subject_id)
);

create table connection (
  connection_id uuid primary key,
  scope_id uuid not null references scope,
  app_id uuid not null references app,
  provider provider_name not null,
  registration_id uuid not null references registration,
  provider_account_id text not null,
  status text not null check (status in ('CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING')),
  sync_status text not null default 'PENDING' check (sync_status in ('PENDING', 'RUNNING', 'READY', 'PARTIAL', 'FAILED')),
  -- [{ capability, availability, reason }], one for each capability granted when last connected.
  capabilities jsonb not null,
  -- { displayName, handle, avatarUrl, profileUrl, description }
  profile jsonb,
  profile_observed_at timestamptz(3),
  last_successful_sync_at timestamptz(3),
  next_retry_at timestamptz(3),
  -- When upkeep is next due: a grant to refresh before it lapses, a profile before it is 30 days old.
  upkeep_due_at timestamptz(3),
  created_at timestamptz(3) not null default business_now(),
  changed_at timestamptz(3) not null default business_now()
);
-- An account that is being let go may be connected anew; a live one is there once.
create unique index connection_by_account on connection (scope_id, provider, provider_account_id)
  where status not in ('DISCONNECTED', 'DELETING');
create index connection_by_scope on connection (scope_id, created_at, connection_id);
create index connection_by_registration on connection (registration_id);
create index connection_upkeep_due on connection (upkeep_due_at) where status = 'CONNECTED' and upkeep_due_at is not null;
create index connection_letting_go on connection (scope_id, provider) where status = 'DISCONNECTED';

-- One try to connect.
create table connect_attempt (
  attempt_id uuid primary key,
  scope_id uuid not null references scope,
  app_id uuid not null references app,
  provider provider_name not null,
  registration_id uuid not null references registration,
  capabilities text[] not null,
  return_url text not null,
  reconnect_connection_id uuid references connection on delete set null,
  status text not null default 'CREATED' check (status in
    ('CREATED', 'AUTHORIZING', 'EXCHANGING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED', 'CANCELED')),
  result_code text,
  connection_id uuid,
  creator_action text check (creator_action = 'REMOVE_APP_AT_PROVIDER'),
  launch_token_sha256 bytea not null unique,
  state_sha256 bytea unique,
  browser_sha256 bytea,
  sealed_code_verifier text,
  sealed_code text,
  -- Set before the code is sent to the provider. Without a grant, a claimed code counts as spent.
  exchange_claimed_at timestamptz(3),
  correlation_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  result_expires_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create index connect_attempt_unfinished on connect_attempt (scope_id, provider, expires_at)
  where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING');
create index connect_attempt_overdue on connect_attempt (expires_at) where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING');
create index connect_attempt_old on connect_attempt (result_expires_at);
create index connect_attempt_by_scope on connect_attempt (scope_id);
create index connect_attempt_by_target on connect_attempt (reconnect_connection_id) where reconnect_connection_id is not null;

-- One consent and its tokens.
create table account_grant (
  grant_id uuid primary key,
  attempt_id uuid not null unique,
  scope_id uuid not null references scope,
  provider provider_name not null,
  registration_id uuid not null references registration,
  connection_id uuid references connection on delete cascade,
  -- PENDING: exchanged, not yet a connection's. LIVE: its connection's current one. RELEASING: to be revoked.
  -- DEAD: ended, tokens destroyed.
  status text not null check (status in ('PENDING', 'LIVE', 'RELEASING', 'DEAD')),
  -- Keyed hash of registration and what a revoke at the provider really hits.
  principal_mac bytea,
  -- Keyed hashes of every id by which the platform's callbacks may name this account.
  account_macs bytea[] not null default '{}',
  permissions text[] not null,
  sealed_tokens text,
  access_expires_at timestamptz(3),
  refresh_expires_at timestamptz(3),
  -- Counts the token sets; a refresh replaces exactly the one it read.
  generation integer not null default 1,
  refresh_claim uuid,
  refresh_claimed_at timestamptz(3),
  -- What was read of the account before there was a connection to keep it.
  provider_account_id text,
  profile jsonb,
  profile_observed_at timestamptz(3),
  obtained_at timestamptz(3) not null
);
create unique index account_grant_live on account_grant (connection_id) where status = 'LIVE';
create index account_grant_by_principal on account_grant (principal_mac) where status <> 'DEAD';
create index account_grant_by_scope on account_grant (scope_id);
create index account_grant_by_connection on account_grant (connection_id);

-- Posts -----------------------------------------------------------------------------------------------------------------

create table content_item (
  content_item_id uuid primary key,
  connection_id uuid not null references connection on delete cascade,
  provider_content_id text not null,
  kind text not null check (kind in ('VIDEO', 'IMAGE', 'CAROUSEL', 'UNKNOWN')),
  canonical_url text,
  thumbnail_url text,
  title text,
  description text,
  published_at timestamptz(3),
  availability text not null check (availability in ('AVAILABLE', 'UNSUPPORTED', 'NOT_GRANTED', 'UNAVAILABLE')),
  reason text,
  -- [{ name, value, availability, reason, sourceField }], observed at metrics_observed_at.
  metrics jsonb not null default '[]',
  metrics_observed_at timestamptz(3),
  observed_at timestamptz(3) not null,
  -- Set when all but id and observed_at has been blanked, 30 days after it was last read.
  blanked_at timestamptz(3),
  unique (connection_id, provider_content_id)
);
create index content_item_newest on content_item (connection_id, published_at desc, content_item_id desc);
create index content_item_to_blank on content_item (observed_at) where blanked_at is null;

-- Ranges of publication time that a scan has read to their end; each ages alone.
create table coverage (
  coverage_id uuid primary key,
  connection_id uuid not null references connection on delete cascade,
  -- A range that reached its scan's start has no upper end.
  published tstzrange not null,
  scanned_at timestamptz(3) not null
);
create index coverage_by_connection on coverage (connection_id, scanned_at);

-- Jobs ------------------------------------------------------------------------------------------------------------------

-- Reading: scans, metrics refreshes and lookups. They go with their connection.
create table read_job (
  job_id uuid primary key,
  kind text not null check (kind in ('SCAN', 'METRICS', 'LOOKUP')),
  connection_id uuid not null references connection on delete cascade,
  app_id uuid not null references app,
  provider provider_name not null,
  -- Only callers' jobs count against the app's limit.
  requested_by text not null check (requested_by in ('CALLER', 'SERVICE')),
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
  published_after timestamptz(3),
  published_before timestamptz(3),
  window_omitted boolean not null default false,
  max_items integer check (max_items between 1 and 100),
  provider_content_id text,
  url text,
  url_sha256 bytea,
  -- Where the provider's listing or search goes on.
  provider_cursor text,
  item_count integer not null default 0,
  reached_end boolean not null default false,
  -- When the first scan of a continued chain began: coverage is as old as its oldest part.
  chain_started_at timestamptz(3),
  tries integer not null default 0,
  last_failure text,
  first_failed_at timestamptz(3),
  next_retry_at timestamptz(3),
  error_code text,
  incomplete_reason text,
  result_provider_content_id text,
  correlation_id uuid not null,
  created_at timestamptz(3) not null default business_now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check ((kind = 'SCAN') = (published_after is not null and published_before is not null and max_items is not null)),
  check ((kind = 'METRICS') = (provider_content_id is not null)),
  check ((kind = 'LOOKUP') = (url is not null and url_sha256 is not null))
);
create unique index read_job_one_scan on read_job (connection_id)
  where kind = 'SCAN' and status in ('QUEUED', 'RUNNING');
create unique index read_job_one_metrics on read_job (connection_id, provider_content_id)
  where kind = 'METRICS' and status in ('QUEUED', 'RUNNING');
create unique index read_job_one_lookup on read_job (connection_id, url_sha256)
  where kind = 'LOOKUP' and status in ('QUEUED', 'RUNNING');
create index read_job_in_flight on read_job (app_id) where status in ('QUEUED', 'RUNNING') and requested_by = 'CALLER';
create index read_job_open on read_job (created_at) where status in ('QUEUED', 'RUNNING');
create index read_job_old on read_job (finished_at) where finished_at is not null;
create index read_job_by_connection on read_job (connection_id, created_at);

-- Letting go: the two receipts of a disconnect, and compensating revokes. They outlive what they let go.
create table release_job (
  job_id uuid primary key,
  kind text not null check (kind in ('REVOKE', 'ERASE', 'COMPENSATION')),
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
  -- No foreign keys: receipts are found by these ids and the keyed hash alone.
  connection_id uuid,
  grant_id uuid,
  attempt_id uuid,
  app_id uuid not null references app,
  provider provider_name not null,
  registration_id uuid not null references registration,
  -- Keyed hash of app, tenant and subject.
  scope_mac bytea,
  -- Whose other connections to look at once the revoke has settled: the scope's, and those of the same principal.
  scope_id uuid,
  principal_mac bytea,
  -- Set when a revoke has failed for good: the tokens, for an operator to try again until the receipt ends.
  sealed_tokens text,
  creator_action text check (creator_action = 'REMOVE_APP_AT_PROVIDER'),
  error_code text,
  -- The run number of the workflow that works on it: revoke/<grantId>/<n>.
  run integer not null default 0,
  tries integer not null default 0,
  last_failure text,
  first_failed_at timestamptz(3),
  next_retry_at timestamptz(3),
  give_up_at timestamptz(3),
  correlation_id uuid not null,
  created_at timestamptz(3) not null default business_now(),
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
create index release_job_by_connection on release_job (connection_id);
create index release_job_by_grant on release_job (grant_id);
create index release_job_open on release_job (created_at) where status in ('QUEUED', 'RUNNING');
create index release_job_old on release_job (created_at);

-- Identity ----------------------------------------------------------------------------------------------------------------

create table identity_attempt (
  attempt_id uuid primary key,
  app_id uuid not null references app,
  tenant_key text not null,
  issuer_id uuid not null references identity_issuer,
  return_url text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED')),
  -- How far a PENDING one has come.
  stage text not null default 'CREATED' check (stage in ('CREATED', 'AUTHORIZING', 'EXCHANGING', 'DONE')),
  launch_token_sha256 bytea not null unique,
  result_proof_sha256 bytea not null,
  state_sha256 bytea unique,
  browser_sha256 bytea,
  sealed_nonce text,
  sealed_code_verifier text,
  sealed_code text,
  exchange_claimed_at timestamptz(3),
  -- { issuer, idpSub, email, emailVerified, name, pictureUrl }, until redeemed or 20 minutes old.
  sealed_claims text,
  redeemed_at timestamptz(3),
  correlation_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  result_expires_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create index identity_attempt_unfinished on identity_attempt (app_id, expires_at) where status = 'PENDING';
create index identity_attempt_old on identity_attempt (result_expires_at);

-- Machinery -----------------------------------------------------------------------------------------------------------------

-- Workflows to start or signal, committed together with the rows that ask for them. Ids and codes only.
create table outbox (
  outbox_id bigint generated always as identity primary key,
  workflow_id text not null,
  workflow_type text not null,
  input jsonb not null,
  signal_name text,
  signal_input jsonb,
  search_attributes jsonb not null default '{}',
  correlation_id uuid,
  tries integer not null default 0,
  next_try_at timestamptz(3) not null default business_now(),
  created_at timestamptz(3) not null default business_now()
);
create index outbox_due on outbox (next_try_at, outbox_id);

create table audit_log (
  audit_id bigint generated always as identity primary key,
  happened_at timestamptz(3) not null default business_now(),
  actor text not null,
  action text not null,
  target text,
  outcome text not null,
  correlation_id uuid
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is insert-only';
end
$$;
create trigger audit_log_insert_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
