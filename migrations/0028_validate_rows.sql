-- Reads each table once, and stops nobody meanwhile.
alter table connection validate constraint connection_of_scope, validate constraint connection_of_registration;
alter table connect_attempt
  validate constraint connect_attempt_of_scope,
  validate constraint connect_attempt_of_registration,
  validate constraint connect_attempt_completed_with_connection,
  validate constraint connect_attempt_ended_without_code;
alter table account_grant
  validate constraint account_grant_of_registration,
  validate constraint account_grant_dead_without_tokens,
  validate constraint account_grant_live_with_connection,
  validate constraint account_grant_given_up_without_name;
alter table read_job validate constraint read_job_finished;
alter table disconnect_job
  validate constraint disconnect_job_finished,
  validate constraint disconnect_job_settled_without_tokens;
alter table identity_attempt validate constraint identity_attempt_claims;
alter table content_item validate constraint content_item_blanked;
alter table registration_usage validate constraint registration_usage_counts;
