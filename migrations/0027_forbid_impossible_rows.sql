-- What no row may hold, whoever writes it: the service, a restore or a repair by hand. 0028 validates it for the rows that are
-- here already.

-- A connection is of its scope's app, and of its registration's provider. An attempt too, and a grant of its registration's.
alter table connection
  drop constraint connection_scope_id_fkey,
  drop constraint connection_registration_id_fkey,
  add constraint connection_of_scope foreign key (scope_id, app_id) references scope (scope_id, app_id) not valid,
  add constraint connection_of_registration foreign key (registration_id, provider)
    references registration (registration_id, provider) not valid;
alter table connect_attempt
  drop constraint connect_attempt_scope_id_fkey,
  drop constraint connect_attempt_registration_id_fkey,
  add constraint connect_attempt_of_scope foreign key (scope_id, app_id) references scope (scope_id, app_id) not valid,
  add constraint connect_attempt_of_registration foreign key (registration_id, provider)
    references registration (registration_id, provider) not valid,
  add constraint connect_attempt_completed_with_connection check (status <> 'COMPLETED' or connection_id is not null) not valid,
  add constraint connect_attempt_ended_without_code check (
    status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') or (sealed_code is null and sealed_code_verifier is null)) not valid;
alter table account_grant
  drop constraint account_grant_registration_id_fkey,
  add constraint account_grant_of_registration foreign key (registration_id, provider)
    references registration (registration_id, provider) not valid,
  add constraint account_grant_dead_without_tokens check (status <> 'DEAD' or sealed_tokens is null) not valid,
  add constraint account_grant_live_with_connection check (status <> 'LIVE' or connection_id is not null) not valid,
  -- Who is disconnected is named by hashes only.
  add constraint account_grant_given_up_without_name check (
    status in ('PENDING', 'LIVE') or (provider_account_id is null and profile is null)) not valid;

-- A job has a time at which it finished if it has, and only then: retention finds it by that.
alter table read_job add constraint read_job_finished check (
  (status in ('QUEUED', 'RUNNING')) = (finished_at is null)) not valid;
alter table disconnect_job
  add constraint disconnect_job_finished check ((status in ('QUEUED', 'RUNNING')) = (finished_at is null)) not valid,
  -- Only a revoke that failed, or is tried again, keeps tokens.
  add constraint disconnect_job_settled_without_tokens check (
    sealed_tokens is null or (kind <> 'ERASE' and status in ('QUEUED', 'RUNNING', 'FAILED'))) not valid;

alter table identity_attempt add constraint identity_attempt_claims check (
  sealed_claims is null or (status = 'COMPLETED' and redeemed_at is null)) not valid;

-- Of a post that was not read for 30 days only its id and the time of the last read stay.
alter table content_item add constraint content_item_blanked check (
  blanked_at is null or (title is null and description is null and canonical_url is null and thumbnail_url is null
    and published_at is null and kind = 'UNKNOWN' and metrics = '[]')) not valid;

alter table registration_usage add constraint registration_usage_counts check (
  units >= 0 and refresh_units between 0 and units) not valid;
