-- Operators ---------------------------------------------------------------------------------------------------------------

create table admin_token (
  token_id uuid primary key,
  label text not null check (char_length(label) between 1 and 100),
  role text not null check (role in ('VIEWER', 'OPERATOR', 'ADMIN')),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  created_at timestamptz(3) not null default business_now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- To within a minute.
  last_used_at timestamptz(3)
);

-- A browser that has signed in with a token. It ends with the token, after 30 minutes of rest, or after 8 hours.
create table admin_session (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  token_id uuid not null references admin_token,
  created_at timestamptz(3) not null default business_now(),
  last_used_at timestamptz(3) not null default business_now()
);
create index admin_session_by_age on admin_session (created_at);

-- What a creating mutation has made, so that the same request sent again makes nothing. Kept for 24 hours.
create table admin_idempotency (
  token_id uuid not null references admin_token,
  idempotency_key text not null,
  -- Keyed hash of operation and input.
  request_mac bytea not null,
  -- Null only inside the transaction that makes it.
  made_id uuid,
  created_at timestamptz(3) not null default business_now(),
  primary key (token_id, idempotency_key)
);
create index admin_idempotency_by_age on admin_idempotency (created_at);

-- Secrets and quotas --------------------------------------------------------------------------------------------------------

alter table registration
  add column secret_set_at timestamptz(3),
  -- As the provider said, where it did.
  add column secret_expires_at timestamptz(3);
alter table identity_issuer
  add column secret_set_at timestamptz(3),
  add column secret_expires_at timestamptz(3);

-- Calls to a provider by the day of its quota.
create table registration_usage (
  registration_id uuid not null references registration on delete cascade,
  day date not null,
  calls integer not null,
  primary key (registration_id, day)
);

-- Work on many -----------------------------------------------------------------------------------------------------------------

-- Disconnects all connections of a tenant or of a registration.
create table bulk_disconnect (
  bulk_disconnect_id uuid primary key,
  app_id uuid references app,
  tenant_key text,
  registration_id uuid references registration,
  total integer not null,
  disconnected integer not null default 0,
  correlation_id uuid not null,
  started_at timestamptz(3) not null default business_now(),
  finished_at timestamptz(3),
  check ((app_id is not null and tenant_key is not null) <> (registration_id is not null))
);
-- One in progress over the same connections.
create unique index bulk_disconnect_of_tenant on bulk_disconnect (app_id, tenant_key) where finished_at is null;
create unique index bulk_disconnect_of_registration on bulk_disconnect (registration_id) where finished_at is null;

alter table release_job add column bulk_disconnect_id uuid;
create index release_job_by_bulk on release_job (bulk_disconnect_id) where bulk_disconnect_id is not null;

-- The receipt of a person's erasure. Says nothing of whose it was.
create table erasure (
  erasure_id uuid primary key,
  app_id uuid not null references app,
  -- Keyed hash of app, tenant and subject.
  scope_mac bytea not null,
  connection_ids uuid[] not null,
  requested_at timestamptz(3) not null default business_now(),
  completed_at timestamptz(3)
);
create index erasure_by_scope on erasure (scope_mac);
create index erasure_open on erasure (requested_at) where completed_at is null;

-- A workflow that was closed may have to be started again to be signaled.
alter table outbox add column restart boolean not null default false;

-- Lists ------------------------------------------------------------------------------------------------------------------------

create index app_newest on app (created_at, app_id);
create index connection_newest on connection (created_at, connection_id);
create index connect_attempt_newest on connect_attempt (created_at, attempt_id);
create index read_job_newest on read_job (created_at, job_id);
create index release_job_newest on release_job (created_at, job_id);
create index audit_log_by_target on audit_log (target, audit_id);
create index release_job_by_scope on release_job (scope_mac);

-- Jobs of both tables, as operators see them.
create view admin_job as
with joined as (
  select job_id, kind, status, app_id, provider, null::uuid as registration_id, connection_id, null::uuid as grant_id,
    null::uuid as attempt_id, 0 as run, tries, last_failure, first_failed_at, next_retry_at, null::timestamptz as give_up_at,
    error_code, null as creator_action, item_count, incomplete_reason, correlation_id, created_at, started_at, finished_at,
    false as revocable
  from read_job
  union all
  select job_id, kind, status, app_id, provider, registration_id, connection_id, grant_id, attempt_id, run, tries,
    last_failure, first_failed_at, next_retry_at, give_up_at, error_code, creator_action, null, null, correlation_id,
    created_at, started_at, finished_at,
    -- A revoke that has failed, with something left to revoke with.
    status = 'FAILED' and kind <> 'ERASE' and (sealed_tokens is not null or exists (
      select from account_grant g
      where g.grant_id = release_job.grant_id and g.status <> 'DEAD' and g.sealed_tokens is not null
    ))
  from release_job
),
timed as (
  select joined.*,
    status in ('QUEUED', 'RUNNING') as open,
    coalesce(first_failed_at, started_at, created_at) as stuck_since,
    -- Nothing has been heard of it for longer than any step takes. An erase waits for its revoke, however long.
    status in ('QUEUED', 'RUNNING') and coalesce(next_retry_at, started_at, created_at) <= business_now() - interval '15 minutes'
      and not (kind = 'ERASE' and exists (
        select from release_job revoke
        where revoke.connection_id = joined.connection_id and revoke.kind = 'REVOKE' and revoke.status in ('QUEUED', 'RUNNING')
      )) as overdue
  from joined
)
select timed.*,
  (open and tries > 0) or overdue or revocable as stuck,
  -- Waiting for its next try, or for somebody to notice.
  (open and coalesce(next_retry_at > business_now(), false)) or overdue or revocable as retryable
from timed;
