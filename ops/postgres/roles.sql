-- The rights of each process in its database, column by column. `migrate` runs this file as the owner of the schema, after
-- the migrations. A second run changes nothing. The roles cannot log in: grant them to your login roles.
--
--   accounts_api          api, and the command line except the commands of accounts_maintenance
--   accounts_worker       worker
--   accounts_maintenance  `secrets reseal`, `restore replay` and, with accounts_worker, `connections import`
--   accounts_readonly     for people and dashboards: no secrets, no personal data
--
-- A login of accounts_readonly changes no row and locks none. It can still hold a transaction open, which delays vacuum and
-- migrations; hold an advisory lock, on which `migrate`, the start of an app's Connect attempts and read jobs, and the ends of Connect
-- attempts of one account wait, but no disconnect; store large objects; write WAL (pg_logical_emit_message); and use up connections. It can
-- also fill the notification queue of the server (8 GB): then no Connect attempt and no sign-in can end, since each notifies its api. Give
-- it a connection limit, statement_timeout = '30s', idle_in_transaction_session_timeout = '30s' and idle_session_timeout = '5min'. These
-- timeouts stop mistakes, not malice: a login can set its own. So give it only to people and programs that you trust, and watch
-- pg_notification_queue_usage().

-- Nobody has a right to a new table or column until this file names it. Each process also reads this file, asks Postgres
-- for the rights in it, and lists missing ones on /readyz. Therefore every grant has this form: privileges with their
-- columns, one table, one role; or one function, one role. test/store/forbidden-rights.test.ts lists what no role may ever be given.

do $$
declare
  role_name text;
begin
  foreach role_name in array array['accounts_api', 'accounts_worker', 'accounts_maintenance', 'accounts_readonly'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
  end loop;
end
$$;

begin;

-- Other roles of the server have no access, and no role can create tables, not even temporary ones.
do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to accounts_api, accounts_worker, accounts_maintenance, accounts_readonly',
    current_database());
end
$$;
revoke all on schema public from public;
grant usage on schema public to accounts_api, accounts_worker, accounts_maintenance, accounts_readonly;
revoke all on all tables in schema public
  from public, accounts_api, accounts_worker, accounts_maintenance, accounts_readonly;
revoke all on function take_slot, write_corrections, repeat_revocation
  from public, accounts_api, accounts_worker, accounts_maintenance, accounts_readonly;

-- accounts_api: api, and most of the command line --------------------------------------------------------------------

-- Settings, which operators change.
grant
  select (app_id, name, enabled, requests_per_second, page_color, page_language, created_at),
  insert (app_id, name),
  update (name, enabled, requests_per_second, page_color, page_language)
on app to accounts_api;
grant
  select (app_id, sha256, width, height, image),
  insert (app_id, sha256, width, height, image),
  update (sha256, width, height, image),
  delete
on app_logo to accounts_api;
grant
  select (key_id, app_id, secret_sha256, label, created_at, expires_at, revoked_at, last_used_at),
  insert (key_id, app_id, secret_sha256, label, expires_at),
  update (label, revoked_at, last_used_at)
on app_key to accounts_api;
grant
  select (app_id, tenant_key, created_at),
  insert (app_id, tenant_key),
  delete
on tenant to accounts_api;
grant
  select (app_id, url),
  insert (app_id, url),
  delete
on return_url to accounts_api;
grant
  select (app_id, origin),
  insert (app_id, origin),
  delete
on launch_origin to accounts_api;
grant
  select (app_id, provider, capabilities, quota_percent, refresh_minutes, refresh_days, refresh_posts),
  insert (app_id, provider, capabilities, quota_percent),
  update (capabilities, quota_percent, refresh_minutes, refresh_days, refresh_posts, replanned_to, replanned_id),
  delete
on app_policy to accounts_api;
grant
  select (registration_id, provider, label, client_id, sealed_client_secret, paused_at, rejected_at,
    rejection_answer, rejection_answer_code, refused_from, refused_until, created_at, quota_spent_until, secret_set_at, secret_expires_at, daily_quota, refresh_percent, downgrades_held_at, permissions,
    accepted_at,
    client_probed_at, client_answered_at, disconnect_after_days),
  insert (registration_id, provider, label, client_id, sealed_client_secret),
  update (sealed_client_secret, paused_at, rejected_at, rejection_answer, rejection_answer_code, refused_from, refused_until,
    client_probed_at, client_answered_at, quota_spent_until, secret_set_at, secret_expires_at, daily_quota, refresh_percent, downgrades, downgrades_since, downgrades_held_at,
    downgrades_believed_at, permissions, accepted_at, disconnect_after_days)
on registration to accounts_api;
grant
  select (registration_id, app_id, serves_since),
  insert (registration_id, app_id),
  delete
on registration_app to accounts_api;
grant
  select (registration_id, day, app_id, units)
on registration_usage to accounts_api;
grant
  select (secret_id, registration_id, sealed_secret, created_at),
  insert (secret_id, registration_id, sealed_secret),
  delete
on platform_callback_secret to accounts_api;
grant
  select (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method, created_at, secret_set_at,
    secret_expires_at),
  insert (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method, secret_expires_at),
  update (sealed_client_secret, secret_set_at, secret_expires_at)
on identity_issuer to accounts_api;
grant
  select (app_id, issuer_id, return_url, enabled),
  insert (app_id, issuer_id, return_url),
  update (issuer_id, return_url, enabled)
on app_identity to accounts_api;
grant execute on function delete_unused_app to accounts_api;
grant execute on function delete_unused_registration to accounts_api;
grant execute on function delete_unused_issuer to accounts_api;
-- Connections. It cannot open a grant: it only starts a revoke or destroys tokens. A trigger refuses any other value.
grant
  select (scope_id, app_id, tenant_key, external_subject_id, erasure_id),
  insert (scope_id, app_id, tenant_key, external_subject_id),
  update (external_subject_id, erasure_id)
on scope to accounts_api;
grant
  select (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, sync_status,
    capabilities, profile, profile_observed_at, last_successful_sync_at, created_at, changed_at, proven_at, proof_failed_at,
    unproven_since, removal_reported_at),
  update (status, sync_status, changed_at, removal_reported_at)
on connection to accounts_api;
grant
  select (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, reconnect_connection_id,
    status, result_code, connection_id, creator_action, launch_token_sha256, state_sha256, browser_sha256,
    sealed_code_verifier, sealed_code, exchange_claimed_at, code_arrived_at, correlation_id, created_at, expires_at,
    result_expires_at, finished_at, noticed_at, last_answer, last_answer_code, last_refusal,
    last_refused_at),
  insert (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, reconnect_connection_id,
    launch_token_sha256, correlation_id, created_at, expires_at, result_expires_at),
  update (status, result_code, connection_id, creator_action, state_sha256, browser_sha256, sealed_code_verifier,
    sealed_code, code_arrived_at, finished_at, noticed_at, last_answer, last_answer_code, last_refusal,
    last_refused_at)
on connect_attempt to accounts_api;
grant
  select (grant_id, attempt_id, scope_id, registration_id, connection_id, status, principal_mac, account_macs, permissions,
    access_expires_at, refresh_expires_at, generation, refresh_claim, refresh_claimed_at, obtained_at, provider, provider_account_id,
    profile, profile_observed_at, ended_by, ended_answer, ended_answer_code),
  update (status, sealed_tokens, profile, profile_observed_at, provider_account_id)
on account_grant to accounts_api;
grant
  select (content_item_id, connection_id, provider_content_id, kind, canonical_url, details,
    published_at, availability, reason, metrics, metrics_observed_at, observed_at, blanked_at, content_mac)
on content_item to accounts_api;
grant
  select (coverage_id, connection_id, published, scanned_at)
on coverage to accounts_api;
grant
  select (job_id, kind, connection_id, app_id, provider, requested_by, is_refresh, status, published_after, published_before,
    window_omitted, max_items, provider_content_id, url, url_sha256, provider_cursor, item_count, steps, reached_end,
    chain_started_at, read_before, tries, last_failure, first_failed_at, next_retry_at, error_code, incomplete_reason,
    result_provider_content_id, correlation_id, created_at, started_at, finished_at, read_number, chain_number, failure_type,
    failures_in_a_row, wanted_since, last_tried_at, failed_tries),
  insert (job_id, kind, connection_id, app_id, provider, requested_by, published_after, published_before,
    window_omitted, max_items, provider_content_id, url, url_sha256, provider_cursor, reached_end, chain_number,
    chain_started_at, read_before, correlation_id, is_refresh),
  update (max_items, requested_by, is_refresh, status, next_retry_at, error_code, incomplete_reason,
    result_provider_content_id, finished_at, wanted_since)
on read_job to accounts_api;
grant
  select (job_id, kind, status, connection_id, grant_id, app_id, provider, registration_id, scope_mac, scope_id,
    principal_mac, account_macs, spares, creator_action, error_code, run, tries, last_failure, first_failed_at, next_retry_at,
    give_up_at, correlation_id, created_at, started_at, finished_at, bulk_disconnect_id, erasure_id, refresh_claim,
    refresh_claimed_at, keeps_tokens, tokens_timeline, reason, last_tried_at, failed_tries),
  insert (job_id, kind, connection_id, grant_id, attempt_id, app_id, provider, registration_id, scope_mac, scope_id,
    erasure_id, principal_mac, account_macs, spares, run, give_up_at, awaits_revoke, correlation_id, reason),
  update (status, sealed_tokens, creator_action, error_code, run, spares, next_retry_at, next_check_at, give_up_at,
    finished_at, bulk_disconnect_id, erasure_id, refresh_claim, refresh_claimed_at)
on disconnect_job to accounts_api;
grant
  select (code, requested_at, found_count, spared_newer),
  insert (code),
  update (found_count, spared_newer)
on deletion_request to accounts_api;
grant
  select (code, connection_id, correlation_id),
  insert (code, connection_id, correlation_id)
on deletion_request_connection to accounts_api;
-- Sign-ins.
grant
  select (attempt_id, app_id, tenant_key, issuer_id, return_url, status, stage, launch_token_sha256,
    result_proof_sha256, state_sha256, browser_sha256, sealed_nonce, sealed_code_verifier, sealed_code,
    exchange_claimed_at, sealed_claims, code_arrived_at, redeemed_at, correlation_id, created_at, expires_at,
    result_expires_at, finished_at, last_answer, last_answer_code, last_refusal,
    last_refused_at),
  insert (attempt_id, app_id, tenant_key, issuer_id, return_url, launch_token_sha256, result_proof_sha256,
    correlation_id, created_at, expires_at, result_expires_at),
  update (status, stage, state_sha256, browser_sha256, sealed_nonce, sealed_code_verifier, sealed_code, sealed_claims,
    code_arrived_at, redeemed_at, finished_at, last_answer, last_answer_code, last_refusal,
    last_refused_at)
on identity_attempt to accounts_api;
-- Operators. It adds to the audit log, which nobody can change.
grant
  select (token_id, label, openid_sub, role, secret_sha256, created_at, expires_at, revoked_at, last_used_at),
  insert (token_id, label, openid_sub, role, secret_sha256, expires_at),
  update (revoked_at, last_used_at)
on admin_token to accounts_api;
grant
  select (session_sha256, token_id, proven_at, created_at, last_used_at),
  insert (session_sha256, token_id, proven_at),
  update (last_used_at),
  delete
on admin_session to accounts_api;
grant
  select (token_id, idempotency_key, request_mac, result_id, created_at),
  insert (token_id, idempotency_key, request_mac),
  update (result_id),
  delete
on admin_idempotency to accounts_api;
grant
  select (audit_id, happened_at, actor, action, target, outcome, correlation_id, related, changes, things, is_read),
  insert (actor, action, target, related, outcome, correlation_id, changes, things, is_read)
on audit_log to accounts_api;
grant
  select (bulk_disconnect_id, app_id, tenant_key, registration_id, total, disconnected, correlation_id, started_at,
    finished_at),
  insert (bulk_disconnect_id, app_id, tenant_key, registration_id, total, correlation_id)
on bulk_disconnect to accounts_api;
grant
  select (erasure_id, app_id, scope_mac, connection_ids, requested_at, completed_at),
  insert (erasure_id, app_id, scope_mac, connection_ids)
on erasure to accounts_api;
grant
  select (job_id, kind, status, app_id, provider, registration_id, connection_id, grant_id, attempt_id, run, tries,
    last_failure, first_failed_at, next_retry_at, give_up_at, error_code, creator_action, item_count, incomplete_reason,
    correlation_id, created_at, started_at, finished_at, revocable, open, stuck_since, stuck, retryable, last_tried_at,
    last_answer, failed_tries)
on admin_job to accounts_api;
-- Webhooks. Triggers write the events; it writes test events, and asks for deliveries again.
grant
  select (endpoint_id, app_id, url, event_types, enabled, disabled_reason, disabled_at, failing_since, failures,
    paused_until, created_at, failed_from, failed_until, failed_tries, failed_answer),
  insert (endpoint_id, app_id, url, event_types),
  update (url, event_types, enabled, disabled_reason, disabled_at, failing_since, failures, paused_until, failed_from,
    failed_until, failed_tries, failed_answer),
  delete
on webhook_endpoint to accounts_api;
grant
  select (secret_id, endpoint_id, created_at, retires_at),
  insert (secret_id, endpoint_id, sealed_secret),
  update (retires_at)
on webhook_secret to accounts_api;
grant
  select (event_id, app_id, type, connection_id, sequence, data, occurred_at),
  insert (event_id, app_id, type, data)
on webhook_event to accounts_api;
grant
  select (delivery_id, event_id, endpoint_id, app_id, event_type, connection_id, status, tries, next_retry_at, last_http_status,
    last_failure, last_tried_at, finished_at, occurred_at, history),
  insert (event_id, endpoint_id, app_id, event_type, connection_id, occurred_at, next_retry_at),
  update (status, tries, next_retry_at, finished_at, last_http_status, last_failure, last_tried_at)
on webhook_delivery to accounts_api;
-- The outbox, the journal, and the list of migrations.
grant
  select (outbox_id, workflow_id, workflow_type, input, signal_name, search_attributes, correlation_id, tries,
    refusals, last_failure, next_retry_at, created_at, restart, traceparent, lane, once_key),
  insert (workflow_id, workflow_type, input, signal_name, search_attributes, correlation_id, restart, traceparent, lane,
    once_key),
  update (tries, refusals, last_failure, next_retry_at, lane, restart),
  delete
on outbox to accounts_api;
grant
  select (entry_id)
on journal_entry to accounts_api;
grant
  select (last_number)
on journal_state to accounts_api;
grant
  select (name, checksum)
on schema_migration to accounts_api;
-- Answers of platforms that no adapter knows, without secrets and personal data.
grant
  select (unknown_answer_id, provider, place, status, code, text, made_of_it, times, first_seen_at, last_seen_at),
  insert (unknown_answer_id, provider, place, status, code, text, made_of_it, times),
  update (times, last_seen_at, made_of_it),
  delete
on unknown_answer to accounts_api;
-- Counts, which triggers maintain.
grant
  select (provider, status, change)
on connection_count to accounts_api;
grant
  select (hour, app_id, kind, provider, outcome, count)
on ended_work to accounts_api;
grant
  select (app_id, hour, kind, provider, outcome, count)
on ended_work_count to accounts_api;

-- accounts_worker: worker -------------------------------------------------------------------------------------------

-- Settings. It reads whether work is still allowed, and changes only the state of a registration.
grant
  select (app_id, name, enabled)
on app to accounts_worker;
grant
  select (app_id, tenant_key)
on tenant to accounts_worker;
grant
  select (app_id, provider, capabilities, quota_percent, refresh_minutes, refresh_days, refresh_posts, replanned_to,
    replanned_id),
  update (replanned_to, replanned_id)
on app_policy to accounts_worker;
grant
  select (registration_id, provider, label, client_id, sealed_client_secret, paused_at, rejected_at,
    rejection_answer, rejection_answer_code, refused_from, refused_until, secret_set_at, client_probed_at, client_answered_at, quota_spent_until, daily_quota, refresh_percent, downgrades, downgrades_since, downgrades_held_at,
    downgrades_allowed, downgrades_believed_at, permissions, accepted_at, disconnect_after_days, created_at,
    last_success_at),
  update (rejected_at, rejection_answer, rejection_answer_code, refused_from, refused_until, client_probed_at, client_answered_at, quota_spent_until, downgrades, downgrades_since, downgrades_held_at,
    downgrades_allowed, accepted_at, last_success_at)
on registration to accounts_worker;
grant
  select (registration_id, app_id)
on registration_app to accounts_worker;
grant
  select (registration_id, day, app_id, units, refresh_units),
  insert (registration_id, day, app_id, units, refresh_units),
  update (units, refresh_units),
  delete
on registration_usage to accounts_worker;
grant execute on function take_slot to accounts_worker;
grant
  select (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method)
on identity_issuer to accounts_worker;
grant
  select (app_id, issuer_id, return_url, enabled)
on app_identity to accounts_worker;
-- Connections.
grant
  select (scope_id, app_id, tenant_key, external_subject_id, erasure_id),
  update (external_subject_id, erasure_id),
  delete
on scope to accounts_worker;
grant
  select (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, sync_status,
    capabilities, profile, profile_observed_at, last_successful_sync_at, upkeep_due_at, upkeep_failing_since, created_at,
    changed_at,
    refresh_due_at, posts_read_since, proven_at, proof_failed_at, unproven_since, removal_reported_at),
  insert (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities,
    profile, profile_observed_at),
  update (registration_id, status, sync_status, capabilities, profile, profile_observed_at, last_successful_sync_at,
    upkeep_due_at, upkeep_failing_since, changed_at, refresh_due_at, posts_read_since, proven_at,
    proof_failed_at, unproven_since),
  delete
on connection to accounts_worker;
grant
  select (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, reconnect_connection_id,
    status, result_code, connection_id, creator_action, browser_sha256, sealed_code_verifier, sealed_code,
    exchange_claimed_at, correlation_id, created_at, expires_at, result_expires_at, finished_at, noticed_at,
    last_answer, last_answer_code),
  update (status, result_code, connection_id, creator_action, sealed_code_verifier, sealed_code, exchange_claimed_at,
    finished_at, last_answer, last_answer_code),
  delete
on connect_attempt to accounts_worker;
grant
  select (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, principal_mac, permissions,
    sealed_tokens, access_expires_at, refresh_expires_at, generation, refresh_claim, refresh_claimed_at,
    provider_account_id, profile, obtained_at, tokens_timeline, refused_at, account_macs),
  insert (grant_id, attempt_id, scope_id, provider, registration_id, status, principal_mac, permissions, sealed_tokens,
    access_expires_at, refresh_expires_at, obtained_at, tokens_timeline),
  update (connection_id, status, account_macs, permissions, sealed_tokens, access_expires_at, refresh_expires_at,
    generation, refresh_claim, refresh_claimed_at, provider_account_id, profile, profile_observed_at,
    tokens_timeline, refused_at, ended_by, ended_answer, ended_answer_code),
  delete
on account_grant to accounts_worker;
grant
  select (content_item_id, connection_id, provider_content_id, kind, canonical_url, details,
    published_at, availability, reason, metrics, metrics_observed_at, observed_at, blanked_at, missing_since, read_number,
    content_mac),
  insert (content_item_id, connection_id, provider_content_id, kind, canonical_url, details,
    published_at, availability, reason, metrics, metrics_observed_at, observed_at, read_number),
  update (kind, canonical_url, details, published_at, availability, reason, metrics,
    metrics_observed_at, observed_at, blanked_at, missing_since, read_number, provider_content_id, content_mac),
  delete
on content_item to accounts_worker;
grant
  select (coverage_id, connection_id, published, scanned_at),
  insert (coverage_id, connection_id, published, scanned_at),
  delete
on coverage to accounts_worker;
grant
  select (job_id, kind, connection_id, app_id, provider, requested_by, is_refresh, status, published_after, published_before,
    window_omitted, max_items, provider_content_id, url, provider_cursor, item_count, added_count,
    changed_count, removed_count, steps, reached_end,
    chain_started_at, read_before, tries, last_failure, first_failed_at, next_retry_at, next_check_at, error_code,
    incomplete_reason, result_provider_content_id, correlation_id, created_at, started_at, finished_at, read_number,
    chain_number, failure_type, failures_in_a_row, wanted_since, last_tried_at, failed_tries),
  insert (job_id, kind, connection_id, app_id, provider, requested_by, published_after, published_before,
    window_omitted, max_items, provider_cursor, reached_end, chain_number, chain_started_at, read_before, correlation_id,
    is_refresh),
  update (status, published_after, published_before, provider_cursor, item_count, added_count, changed_count,
    removed_count, steps, reached_end, chain_started_at,
    read_before, tries, last_failure, first_failed_at, next_retry_at, error_code, incomplete_reason,
    result_provider_content_id, started_at, finished_at, next_check_at, failure_type, failures_in_a_row, last_tried_at,
    last_answer, failed_tries),
  delete
on read_job to accounts_worker;
grant
  select (job_id, kind, status, connection_id, grant_id, app_id, provider, registration_id, scope_mac, scope_id, principal_mac,
    account_macs, spares, sealed_tokens, creator_action, error_code, run, tries, last_failure, first_failed_at, next_retry_at, next_check_at,
    give_up_at, correlation_id, created_at, started_at, finished_at, bulk_disconnect_id, erasure_id, refresh_claim,
    refresh_claimed_at, keeps_tokens, awaits_revoke, tokens_timeline, reason, last_tried_at, failed_tries),
  insert (job_id, kind, connection_id, grant_id, attempt_id, app_id, provider, registration_id, scope_mac, scope_id,
    erasure_id, principal_mac, account_macs, spares, run, give_up_at, awaits_revoke, correlation_id, reason),
  update (status, sealed_tokens, creator_action, error_code, awaits_revoke, tries, last_failure, first_failed_at, next_retry_at,
    next_check_at, started_at, finished_at, bulk_disconnect_id, erasure_id, refresh_claim, refresh_claimed_at,
    tokens_timeline, last_tried_at, last_answer, failed_tries),
  delete
on disconnect_job to accounts_worker;
grant
  select (bulk_disconnect_id, app_id, tenant_key, registration_id, total, disconnected, correlation_id, started_at,
    finished_at),
  update (total, disconnected, finished_at),
  delete
on bulk_disconnect to accounts_worker;
grant
  select (code, connection_id, correlation_id),
  delete
on deletion_request_connection to accounts_worker;
grant
  select (erasure_id, connection_ids, requested_at, completed_at),
  insert (erasure_id, app_id, scope_mac, connection_ids),
  update (completed_at),
  delete
on erasure to accounts_worker;
grant
  select (code, requested_at),
  delete
on deletion_request to accounts_worker;
-- Tokens of imports.
grant
  select (import_mac, expires_at),
  delete
on imported_token to accounts_worker;
-- Sign-ins, without launch tokens, states and proofs of a result.
grant
  select (attempt_id, app_id, tenant_key, issuer_id, return_url, status, stage, browser_sha256, sealed_nonce,
    sealed_code_verifier, sealed_code, exchange_claimed_at, redeemed_at, correlation_id, created_at, expires_at,
    result_expires_at, finished_at, last_answer, last_answer_code),
  update (status, stage, sealed_nonce, sealed_code_verifier, sealed_code, exchange_claimed_at, sealed_claims,
    finished_at, last_answer, last_answer_code),
  delete
on identity_attempt to accounts_worker;
-- Operators. It deletes ended tokens and sessions; a trigger refuses others. It reads no credential.
grant
  select (token_id, openid_sub, expires_at),
  delete
on admin_token to accounts_worker;
grant
  select (token_id, created_at),
  delete
on admin_session to accounts_worker;
grant
  select (token_id, created_at),
  delete
on admin_idempotency to accounts_worker;
grant
  select (kind, provider, status, revocable, open, stuck_since, stuck)
on admin_job to accounts_worker;
-- Webhooks.
grant
  select (endpoint_id, app_id, url, event_types, enabled, disabled_reason, disabled_at, failing_since, failures,
    paused_until, failed_from, failed_until, failed_tries, failed_answer),
  update (enabled, disabled_reason, disabled_at, failing_since, failures, paused_until, failed_from, failed_until,
    failed_tries, failed_answer)
on webhook_endpoint to accounts_worker;
grant
  select (secret_id, endpoint_id, sealed_secret, created_at, retires_at),
  delete
on webhook_secret to accounts_worker;
grant
  select (event_id, app_id, type, connection_id, sequence, data, occurred_at),
  delete
on webhook_event to accounts_worker;
grant
  select (delivery_id, event_id, endpoint_id, status, tries, next_retry_at, last_http_status, last_failure, last_tried_at,
    occurred_at, history),
  update (status, tries, next_retry_at, last_http_status, last_failure, last_tried_at, finished_at, history)
on webhook_delivery to accounts_worker;
grant execute on function write_corrections to accounts_worker;
-- The outbox, the journal, fail-overs, and the list of migrations.
grant
  select (outbox_id, workflow_id, workflow_type, input, signal_name, search_attributes, correlation_id, tries,
    refusals, last_failure, next_retry_at, created_at, restart, traceparent, lane, once_key),
  insert (workflow_id, workflow_type, input, signal_name, search_attributes, correlation_id, restart, traceparent, lane,
    once_key),
  update (tries, refusals, last_failure, next_retry_at, lane, restart),
  delete
on outbox to accounts_worker;
grant
  select (handled_timeline, taken_until),
  update (handled_timeline, taken_until)
on failover_state to accounts_worker;
grant
  select (wake_id, endpoint_id),
  update (endpoint_id),
  delete
on webhook_wake to accounts_worker;
grant
  select (connection_id, last_number),
  delete
on webhook_sequence to accounts_worker;
grant
  select (entry_id, kind, id, happened_at),
  delete
on journal_entry to accounts_worker;
grant
  select (last_number),
  update (last_number)
on journal_state to accounts_worker;
grant execute on function repeat_revocation to accounts_worker;
grant
  select (name, checksum)
on schema_migration to accounts_worker;
-- Operators' reads of persons after a year. A trigger keeps everything else of the audit log.
grant
  select (audit_id, happened_at, is_read),
  delete
on audit_log to accounts_worker;
-- Answers of platforms that no adapter knows.
grant
  select (unknown_answer_id, provider, place, status, code, text, made_of_it, times, last_seen_at),
  insert (unknown_answer_id, provider, place, status, code, text, made_of_it, times),
  update (times, last_seen_at, made_of_it),
  delete
on unknown_answer to accounts_worker;
-- Counts, which triggers maintain and it merges, and its measurements for metrics.
grant
  select (provider, status, change),
  insert (provider, status, change),
  delete
on connection_count to accounts_worker;
grant
  select (end_id, hour, app_id, kind, provider, outcome, count),
  delete
on ended_work to accounts_worker;
grant
  select (count_id, app_id, hour, kind, provider, outcome, count),
  insert (app_id, hour, kind, provider, outcome, count),
  update (count),
  delete
on ended_work_count to accounts_worker;
grant
  select (measured_at, state),
  update (measured_at, state)
on gauge_snapshot to accounts_worker;
grant
  select (taken_at),
  update (taken_at)
on sweep_turn to accounts_worker;

-- accounts_maintenance: `secrets reseal`, `restore replay`, `connections import` --------------------------------------

-- `restore replay` repeats the facts of the journal.
grant execute on function repeat_revocation to accounts_maintenance;
grant
  select (scope_id, app_id, tenant_key, external_subject_id, erasure_id),
  insert (scope_id, app_id, tenant_key, external_subject_id),
  update (tenant_key, external_subject_id, erasure_id)
on scope to accounts_maintenance;
grant
  select (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, sync_status,
    capabilities, profile, profile_observed_at, last_successful_sync_at, created_at, proven_at, proof_failed_at, unproven_since),
  update (status, sync_status, profile, profile_observed_at, last_successful_sync_at, upkeep_due_at, changed_at)
on connection to accounts_maintenance;
grant
  select (content_item_id, connection_id),
  delete
on content_item to accounts_maintenance;
grant
  select (connection_id),
  delete
on coverage to accounts_maintenance;
grant
  select (job_id, kind, connection_id, app_id, provider, status, next_retry_at, correlation_id),
  update (status, next_retry_at, error_code, finished_at)
on read_job to accounts_maintenance;
grant
  insert (erasure_id, app_id, scope_mac, connection_ids)
on erasure to accounts_maintenance;
grant
  select (tries, lane, restart, once_key),
  insert (workflow_id, workflow_type, input, signal_name, search_attributes, correlation_id, restart, traceparent, lane,
    once_key),
  update (lane, restart)
on outbox to accounts_maintenance;
grant
  select (entry_id)
on journal_entry to accounts_maintenance;
grant
  select (last_number),
  update (last_number)
on journal_state to accounts_maintenance;
grant
  insert (actor, action, target, related, outcome, correlation_id, changes, things, is_read)
on audit_log to accounts_maintenance;
grant
  select (import_mac),
  insert (import_mac, expires_at)
on imported_token to accounts_maintenance;
grant
  select (name, checksum)
on schema_migration to accounts_maintenance;
-- `secrets reseal` also needs every sealed column.
grant
  select (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, principal_mac, permissions,
    sealed_tokens, access_expires_at, refresh_expires_at, generation, refresh_claim, refresh_claimed_at,
    provider_account_id, profile, obtained_at, import_mac, tokens_timeline, refused_at, account_macs),
  update (status, sealed_tokens, refresh_claim, refresh_claimed_at, provider_account_id, profile, profile_observed_at,
    import_mac)
on account_grant to accounts_maintenance;
grant
  select (job_id, kind, status, connection_id, grant_id, app_id, provider, registration_id, scope_mac, scope_id,
    principal_mac, account_macs, spares, sealed_tokens, creator_action, error_code, run, tries, last_failure,
    first_failed_at, next_retry_at, give_up_at, correlation_id, created_at, started_at, finished_at, bulk_disconnect_id, erasure_id,
    refresh_claim, refresh_claimed_at, keeps_tokens, awaits_revoke, tokens_timeline, reason, failed_tries),
  insert (job_id, kind, connection_id, grant_id, attempt_id, app_id, provider, registration_id, scope_mac, scope_id,
    erasure_id, principal_mac, account_macs, spares, run, give_up_at, correlation_id, awaits_revoke, reason),
  update (status, sealed_tokens, creator_action, error_code, awaits_revoke, next_retry_at, started_at, finished_at, erasure_id,
    refresh_claim, refresh_claimed_at)
on disconnect_job to accounts_maintenance;
grant
  select (attempt_id, reconnect_connection_id, status, expires_at, sealed_code_verifier, sealed_code, noticed_at),
  insert (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, status, launch_token_sha256,
    exchange_claimed_at, correlation_id, created_at, expires_at, result_expires_at),
  update (status, result_code, sealed_code_verifier, sealed_code, finished_at)
on connect_attempt to accounts_maintenance;
grant
  select (registration_id, provider, client_id, sealed_client_secret),
  update (sealed_client_secret)
on registration to accounts_maintenance;
grant
  select (issuer_id, sealed_client_secret),
  update (sealed_client_secret)
on identity_issuer to accounts_maintenance;
grant
  select (attempt_id, sealed_nonce, sealed_code_verifier, sealed_code, sealed_claims),
  update (sealed_nonce, sealed_code_verifier, sealed_code, sealed_claims)
on identity_attempt to accounts_maintenance;
grant
  select (secret_id, sealed_secret),
  update (sealed_secret)
on platform_callback_secret to accounts_maintenance;
grant
  select (secret_id, sealed_secret),
  update (sealed_secret)
on webhook_secret to accounts_maintenance;

-- accounts_readonly: people and dashboards --------------------------------------------------------------------------

grant
  select (registration_id, provider, label, client_id, paused_at, rejected_at, refused_from, refused_until, client_probed_at,
    client_answered_at, quota_spent_until, created_at, secret_set_at, secret_expires_at, daily_quota, permissions, accepted_at, disconnect_after_days)
on registration to accounts_readonly;
grant
  select (unknown_answer_id, provider, place, status, code, text, made_of_it, times, first_seen_at, last_seen_at)
on unknown_answer to accounts_readonly;
grant
  select (registration_id, day, app_id, units)
on registration_usage to accounts_readonly;
grant
  select (connection_id, scope_id, app_id, provider, registration_id, status, sync_status, capabilities,
    profile_observed_at, last_successful_sync_at, upkeep_due_at, upkeep_failing_since, created_at, changed_at,
    proven_at, proof_failed_at, unproven_since, removal_reported_at)
on connection to accounts_readonly;
grant
  select (coverage_id, connection_id, published, scanned_at)
on coverage to accounts_readonly;
grant
  select (job_id, kind, connection_id, app_id, provider, requested_by, status, published_after, published_before,
    window_omitted, max_items, item_count, added_count, changed_count, removed_count, steps, reached_end, chain_started_at,
    read_before, tries, last_failure,
    first_failed_at, next_retry_at, error_code, incomplete_reason, correlation_id, created_at, started_at, finished_at,
    next_check_at, read_number, chain_number, failure_type, failures_in_a_row, wanted_since, last_tried_at, last_answer, failed_tries)
on read_job to accounts_readonly;
grant
  select (job_id, kind, status, connection_id, grant_id, attempt_id, app_id, provider, registration_id, scope_id,
    creator_action, error_code, run, tries, last_failure, first_failed_at, next_retry_at, next_check_at, give_up_at,
    correlation_id, created_at, started_at, finished_at, bulk_disconnect_id, erasure_id, refresh_claim, refresh_claimed_at,
    keeps_tokens, awaits_revoke, last_tried_at, last_answer, reason, failed_tries)
on disconnect_job to accounts_readonly;
grant
  select (outbox_id, workflow_id, workflow_type, input, signal_name, search_attributes, correlation_id, tries,
    next_retry_at, created_at, restart, traceparent, refusals, last_failure, lane)
on outbox to accounts_readonly;
-- Not the URLs, which may contain a secret of the app.
grant
  select (endpoint_id, app_id, event_types, enabled, disabled_reason, disabled_at, collects, failing_since, failures,
    paused_until, created_at, failed_from, failed_until, failed_tries, failed_answer)
on webhook_endpoint to accounts_readonly;
grant
  select (event_id, app_id, type, connection_id, sequence, data, occurred_at)
on webhook_event to accounts_readonly;
grant
  select (delivery_id, event_id, endpoint_id, app_id, event_type, connection_id, status, tries, next_retry_at, last_http_status,
    last_failure, last_tried_at, finished_at, occurred_at, history)
on webhook_delivery to accounts_readonly;
grant
  select (only_row, last_number)
on journal_state to accounts_readonly;
grant
  select (name, checksum, applied_at)
on schema_migration to accounts_readonly;
grant
  select (count_id, provider, status, change)
on connection_count to accounts_readonly;
grant
  select (end_id, hour, app_id, kind, provider, outcome, count)
on ended_work to accounts_readonly;
grant
  select (count_id, app_id, hour, kind, provider, outcome, count)
on ended_work_count to accounts_readonly;
grant
  select (only_row, measured_at, state)
on gauge_snapshot to accounts_readonly;
grant
  select (only_row, taken_at)
on sweep_turn to accounts_readonly;

-- The identity of the installation, and its workers ------------------------------------------------------------------

grant
  select (only_row, installation_id)
on installation to accounts_api;
grant
  select (only_row, installation_id)
on installation to accounts_worker;
grant
  select (only_row, installation_id)
on installation to accounts_maintenance;
grant
  select (worker_id, place, seen_at, name, ended_at)
on worker_presence to accounts_api;
grant
  select (worker_id, place, seen_at, name, ended_at),
  insert (worker_id, place, name),
  update (place, seen_at, ended_at),
  delete
on worker_presence to accounts_worker;

commit;
