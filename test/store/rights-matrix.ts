/**
 * The rights of each role to each column of each table, derived from the needs of its process. `s` selects it, `i`
 * inserts a value, `u` updates it; `d`, at `(rows)`, deletes rows; `x`, at `(call)`, calls a function that not everybody
 * may call. It is written by hand: with a new table, column or statement, add the need here and the grant in
 * `ops/postgres/roles.sql`. A test compares the two.
 * The columns: accounts_api, accounts_worker, accounts_maintenance, accounts_readonly.
 */
export const RIGHTS_MATRIX = `
app
  (rows)                      -       -       -       -
  app_id                      si      s       -       -
  name                        siu     s       -       -
  enabled                     su      s       -       -
  requests_per_second         su      -       -       -
  page_color                  su      -       -       -
  page_language               su      -       -       -
  created_at                  s       -       -       -

app_logo
  (rows)                      d       -       -       -
  app_id                      si      -       -       -
  sha256                      siu     -       -       -
  media_type                  siu     -       -       -
  width                       siu     -       -       -
  height                      siu     -       -       -
  image                       siu     -       -       -

app_key
  (rows)                      -       -       -       -
  key_id                      si      -       -       -
  app_id                      si      -       -       -
  secret_sha256               si      -       -       -
  label                       siu     -       -       -
  created_at                  s       -       -       -
  expires_at                  si      -       -       -
  revoked_at                  su      -       -       -
  last_used_at                su      -       -       -

tenant
  (rows)                      d       -       -       -
  app_id                      si      s       -       -
  tenant_key                  si      s       -       -
  created_at                  s       -       -       -

return_url
  (rows)                      d       -       -       -
  app_id                      si      -       -       -
  url                         si      -       -       -

launch_origin
  (rows)                      d       -       -       -
  app_id                      si      -       -       -
  origin                      si      -       -       -

app_policy
  (rows)                      d       -       -       -
  app_id                      si      s       -       -
  provider                    si      s       -       -
  capabilities                siu     s       -       -
  quota_percent               siu     s       -       -
  refresh_minutes             su      s       -       -
  refresh_days                su      s       -       -
  refresh_posts               su      s       -       -
  replanned_to                u       su      -       -
  replanned_id                u       su      -       -

registration
  (rows)                      -       -       -       -
  registration_id             si      s       s       s
  provider                    si      s       -       s
  label                       si      s       -       s
  client_id                   si      s       -       s
  sealed_client_secret        siu     s       su      -
  paused_at                   su      s       -       s
  rejected_at                 su      su      -       s
  created_at                  s       -       -       s
  quota_spent_until           su      su      -       s
  client_probed_at            u       su      -       s
  secret_set_at               su      -       -       s
  secret_expires_at           su      -       -       s
  daily_quota                 su      s       -       s
  refresh_percent             su      s       -       -
  downgrades                  u       su      -       -
  downgrades_believed_at      u       s       -       -
  downgrades_checked_at       -       su      -       -
  downgrades_held_at          su      su      -       -
  downgrades_since            u       su      -       -
  permissions                 su      s       -       s

registration_app
  (rows)                      d       -       -       -
  registration_id             si      s       -       -
  app_id                      si      s       -       -
  serves_since                s       -       -       -

registration_usage
  (rows)                      -       d       -       -
  registration_id             s       si      -       s
  day                         s       si      -       s
  app_id                      s       si      -       s
  units                       s       siu     -       s
  refresh_units               -       siu     -       -

provider_rate_limit
  (rows)                      -       -       -       -
  provider                    -       -       -       -
  next_call_at                -       -       -       -

take_turn
  (call)                      -       x       -       -

platform_callback_secret
  (rows)                      d       -       -       -
  secret_id                   si      -       s       -
  registration_id             si      -       -       -
  sealed_secret               si      -       su      -
  created_at                  s       -       -       -

identity_issuer
  (rows)                      -       -       -       -
  issuer_id                   si      s       s       -
  issuer                      si      s       -       -
  client_id                   si      s       -       -
  sealed_client_secret        siu     s       su      -
  token_auth_method           si      s       -       -
  created_at                  s       -       -       -
  secret_set_at               su      -       -       -
  secret_expires_at           su      -       -       -

app_identity
  (rows)                      -       -       -       -
  app_id                      si      s       -       -
  issuer_id                   siu     s       -       -
  return_url                  siu     s       -       -
  enabled                     su      s       -       -

scope
  (rows)                      -       d       -       -
  scope_id                    si      s       si      -
  app_id                      si      s       si      -
  tenant_key                  siu     s       siu     -
  external_subject_id         siu     su      siu     -
  erasure_id                  su      su      su      -

connection
  (rows)                      -       d       -       -
  connection_id               s       si      s       s
  scope_id                    s       si      s       s
  app_id                      s       si      s       s
  provider                    s       si      s       s
  registration_id             s       siu     s       s
  provider_account_id         s       si      s       -
  status                      su      siu     su      s
  sync_status                 su      su      su      s
  capabilities                s       siu     s       s
  profile                     s       siu     su      -
  profile_observed_at         s       siu     su      s
  last_successful_sync_at     s       su      su      s
  upkeep_due_at               -       su      u       s
  upkeep_failing_since        -       su      -       s
  created_at                  s       s       s       s
  changed_at                  su      su      u       s
  refresh_due_at              -       su      -       -
  refresh_unchanged           -       su      -       -
  refresh_found               -       su      -       -

connect_attempt
  (rows)                      -       d       -       -
  attempt_id                  si      s       si      -
  scope_id                    si      s       i       -
  app_id                      si      s       i       -
  provider                    si      s       i       -
  registration_id             si      s       i       -
  capabilities                si      s       i       -
  return_url                  si      s       i       -
  reconnect_connection_id     si      s       s       -
  status                      su      su      siu     -
  result_code                 su      su      u       -
  connection_id               su      su      -       -
  creator_action              su      su      -       -
  launch_token_sha256         si      -       i       -
  state_sha256                su      -       -       -
  browser_sha256              su      s       -       -
  sealed_code_verifier        su      su      su      -
  sealed_code                 su      su      su      -
  exchange_claimed_at         s       su      i       -
  correlation_id              si      s       i       -
  created_at                  si      s       i       -
  expires_at                  si      s       si      -
  result_expires_at           si      s       i       -
  finished_at                 su      u       u       -
  noticed_at                  su      s       s       -

account_grant
  (rows)                      -       d       -       -
  grant_id                    s       si      s       -
  attempt_id                  s       si      s       -
  scope_id                    s       si      s       -
  provider                    s       si      s       -
  registration_id             s       si      s       -
  connection_id               s       su      s       -
  status                      su      siu     su      -
  principal_mac               s       si      s       -
  account_macs                s       u       -       -
  permissions                 s       siu     s       -
  sealed_tokens               u       siu     su      -
  access_expires_at           s       siu     s       -
  refresh_expires_at          s       siu     s       -
  generation                  s       su      s       -
  refresh_claim               -       su      su      -
  refresh_claimed_at          s       su      su      -
  provider_account_id         su      su      su      -
  profile                     su      su      su      -
  profile_observed_at         su      u       u       -
  obtained_at                 s       si      s       -
  import_mac                  -       -       su      -
  tokens_timeline             -       siu     s       -
  refused_at                  -       su      s       -

content_item
  (rows)                      -       d       d       -
  content_item_id             s       si      s       -
  connection_id               s       si      s       -
  provider_content_id         s       si      -       -
  kind                        s       siu     -       -
  canonical_url               s       siu     -       -
  thumbnail_url               s       siu     -       -
  title                       s       siu     -       -
  description                 s       siu     -       -
  published_at                s       siu     -       -
  availability                s       siu     -       -
  reason                      s       siu     -       -
  metrics                     s       siu     -       -
  metrics_observed_at         s       siu     -       -
  observed_at                 s       siu     -       -
  blanked_at                  s       su      -       -
  missing_since               -       su      -       -
  read_number                 -       siu     -       -

coverage
  (rows)                      -       d       d       -
  coverage_id                 s       si      -       s
  connection_id               s       si      s       s
  published                   s       si      -       s
  scanned_at                  s       si      -       s

read_job
  (rows)                      -       d       -       -
  job_id                      si      si      -       s
  kind                        si      si      s       s
  connection_id               si      si      s       s
  app_id                      si      si      -       s
  provider                    si      si      -       s
  requested_by                siu     si      -       s
  status                      su      su      su      s
  published_after             si      siu     -       s
  published_before            si      siu     -       s
  window_omitted              si      si      -       s
  max_items                   siu     si      -       s
  provider_content_id         si      s       -       -
  url                         si      s       -       -
  url_sha256                  si      -       -       -
  provider_cursor             si      siu     -       -
  item_count                  s       su      -       s
  added_count                 -       su      -       s
  changed_count               -       su      -       s
  removed_count               -       su      -       s
  steps                       s       su      -       s
  reached_end                 si      siu     -       s
  chain_started_at            si      siu     -       s
  read_before                 si      siu     -       s
  tries                       s       su      -       s
  last_failure                s       su      -       s
  first_failed_at             s       su      -       s
  next_retry_at               su      su      su      s
  next_check_at               -       su      -       s
  error_code                  su      su      u       s
  incomplete_reason           su      su      -       s
  result_provider_content_id  su      su      -       -
  correlation_id              si      si      -       s
  created_at                  s       s       -       s
  started_at                  s       su      -       s
  finished_at                 su      su      u       s
  is_refresh                  siu     si      -       -
  read_number                 s       s       -       s
  chain_number                si      si      -       s
  failure_type                s       su      -       s
  failures_in_a_row           s       su      -       s
  wanted_since                su      s       -       s

disconnect_job
  (rows)                      -       d       -       -
  job_id                      si      si      si      s
  kind                        si      si      si      s
  status                      su      su      s       s
  connection_id               si      si      si      s
  grant_id                    si      si      si      s
  attempt_id                  i       i       i       s
  app_id                      si      si      si      s
  provider                    si      si      si      s
  registration_id             si      si      si      s
  scope_mac                   si      si      si      -
  scope_id                    si      si      si      s
  principal_mac               si      si      si      -
  sealed_tokens               u       su      su      -
  creator_action              su      su      s       s
  error_code                  su      su      s       s
  run                         siu     si      si      s
  tries                       s       su      s       s
  last_failure                s       su      s       s
  first_failed_at             s       su      s       s
  next_retry_at               su      su      s       s
  next_check_at               u       su      -       s
  awaits_revoke               i       siu     i       s
  give_up_at                  siu     si      si      s
  correlation_id              si      si      si      s
  created_at                  s       s       s       s
  started_at                  s       su      -       s
  finished_at                 su      su      s       s
  bulk_disconnect_id          su      su      -       s
  refresh_claim               su      su      su      s
  refresh_claimed_at          su      su      su      s
  keeps_tokens                s       s       s       s
  erasure_id                  siu     siu     siu     s
  tokens_timeline             s       su      s       -

deletion_request
  (rows)                      -       d       -       -
  code                        si      s       -       -
  requested_at                s       s       -       -

imported_token
  (rows)                      -       d       -       -
  import_mac                  -       s       si      -
  expires_at                  -       s       i       -

deletion_request_connection
  (rows)                      -       d       -       -
  code                        si      s       -       -
  connection_id               si      s       -       -
  correlation_id              si      s       -       -

identity_attempt
  (rows)                      -       d       -       -
  attempt_id                  si      s       s       -
  app_id                      si      s       -       -
  tenant_key                  si      s       -       -
  issuer_id                   si      s       -       -
  return_url                  si      s       -       -
  status                      su      su      -       -
  stage                       su      su      -       -
  launch_token_sha256         si      -       -       -
  result_proof_sha256         si      -       -       -
  state_sha256                su      -       -       -
  browser_sha256              su      s       -       -
  sealed_nonce                su      su      su      -
  sealed_code_verifier        su      su      su      -
  sealed_code                 su      su      su      -
  exchange_claimed_at         s       su      -       -
  sealed_claims               su      u       su      -
  redeemed_at                 su      s       -       -
  correlation_id              si      s       -       -
  created_at                  si      s       -       -
  expires_at                  si      s       -       -
  result_expires_at           si      s       -       -
  finished_at                 u       u       -       -

admin_token
  (rows)                      -       d       -       -
  token_id                    si      s       -       -
  label                       si      -       -       -
  role                        si      -       -       -
  secret_sha256               si      -       -       -
  created_at                  s       -       -       -
  expires_at                  si      s       -       -
  revoked_at                  su      -       -       -
  last_used_at                su      -       -       -
  openid_sub                  si      s       -       -

admin_session
  (rows)                      d       d       -       -
  session_sha256              si      -       -       -
  token_id                    si      s       -       -
  proven_at                   si      -       -       -
  created_at                  s       s       -       -
  last_used_at                su      -       -       -

admin_idempotency
  (rows)                      d       d       -       -
  token_id                    si      s       -       -
  idempotency_key             si      -       -       -
  request_mac                 si      -       -       -
  result_id                   su      -       -       -
  created_at                  s       s       -       -

audit_log
  (rows)                      -       -       -       -
  audit_id                    s       -       -       -
  happened_at                 s       -       -       -
  actor                       si      -       i       -
  action                      si      -       i       -
  target                      si      -       i       -
  outcome                     si      -       i       -
  correlation_id              si      -       i       -
  related                     si      -       i       -

bulk_disconnect
  (rows)                      -       d       -       -
  bulk_disconnect_id          si      s       -       -
  app_id                      si      s       -       -
  tenant_key                  si      s       -       -
  registration_id             si      s       -       -
  total                       si      su      -       -
  disconnected                s       su      -       -
  correlation_id              si      s       -       -
  started_at                  s       s       -       -
  finished_at                 s       su      -       -

erasure
  (rows)                      -       d       -       -
  erasure_id                  si      si      i       -
  app_id                      si      i       i       -
  scope_mac                   si      i       i       -
  connection_ids              si      si      i       -
  requested_at                s       s       -       -
  completed_at                s       su      -       -

admin_job
  (rows)                      -       -       -       -
  job_id                      s       -       -       -
  kind                        s       s       -       -
  status                      s       s       -       -
  app_id                      s       -       -       -
  provider                    s       -       -       -
  registration_id             s       -       -       -
  connection_id               s       -       -       -
  grant_id                    s       -       -       -
  attempt_id                  s       -       -       -
  run                         s       -       -       -
  tries                       s       -       -       -
  last_failure                s       -       -       -
  first_failed_at             s       -       -       -
  next_retry_at               s       -       -       -
  give_up_at                  s       -       -       -
  error_code                  s       -       -       -
  creator_action              s       -       -       -
  item_count                  s       -       -       -
  incomplete_reason           s       -       -       -
  correlation_id              s       -       -       -
  created_at                  s       -       -       -
  started_at                  s       -       -       -
  finished_at                 s       -       -       -
  revocable                   s       s       -       -
  open                        s       s       -       -
  stuck_since                 s       s       -       -
  overdue                     -       -       -       -
  stuck                       s       s       -       -
  retryable                   s       -       -       -

webhook_endpoint
  (rows)                      d       -       -       -
  endpoint_id                 si      s       -       s
  app_id                      si      s       -       s
  url                         siu     s       -       -
  event_types                 siu     s       -       s
  enabled                     su      su      -       s
  disabled_reason             su      su      -       s
  disabled_at                 su      su      -       s
  collects                    -       -       -       s
  failing_since               su      su      -       s
  failures                    su      su      -       s
  paused_until                su      su      -       s
  created_at                  s       -       -       s

webhook_secret
  (rows)                      -       d       -       -
  secret_id                   si      s       s       -
  endpoint_id                 si      s       -       -
  sealed_secret               i       s       su      -
  created_at                  s       s       -       -
  retires_at                  su      s       -       -

webhook_event
  (rows)                      -       d       -       -
  event_id                    si      s       -       s
  app_id                      si      s       -       s
  type                        si      s       -       s
  connection_id               s       s       -       s
  sequence                    s       s       -       s
  data                        si      s       -       s
  occurred_at                 s       s       -       s

webhook_delivery
  (rows)                      -       -       -       -
  delivery_id                 s       s       -       s
  event_id                    si      s       -       s
  endpoint_id                 si      s       -       s
  app_id                      si      -       -       s
  event_type                  si      -       -       s
  connection_id               si      -       -       s
  status                      su      su      -       s
  tries                       su      su      -       s
  next_try_at                 siu     su      -       s
  last_http_status            s       u       -       s
  last_failure                s       u       -       s
  last_tried_at               s       u       -       s
  finished_at                 su      u       -       s
  occurred_at                 si      -       -       s

outbox
  (rows)                      d       d       -       -
  outbox_id                   s       s       -       s
  workflow_id                 si      si      i       s
  workflow_type               si      si      i       s
  input                       si      si      i       s
  signal_name                 si      si      i       s
  search_attributes           si      si      i       s
  correlation_id              si      si      i       s
  tries                       su      su      s       s
  refusals                    su      su      -       s
  last_failure                su      su      -       s
  next_try_at                 su      su      -       s
  created_at                  s       s       -       s
  restart                     siu     siu     siu     s
  traceparent                 si      si      i       s
  lane                        siu     siu     siu     s
  app_id                      si      si      i       s
  once_key                    si      si      si      -

webhook_wake
  (rows)                      -       d       -       -
  wake_id                     -       s       -       -
  endpoint_id                 -       su      -       -

webhook_sequence
  (rows)                      -       d       -       -
  connection_id               -       s       -       -
  last_number                 -       s       -       -

journal_entry
  (rows)                      -       d       -       -
  entry_id                    s       s       s       -
  kind                        -       s       -       -
  id                          -       s       -       -
  happened_at                 -       s       -       -

journal_state
  (rows)                      -       -       -       -
  only_row                    -       -       -       s
  last_number                 s       su      su      s

schema_migration
  (rows)                      -       -       -       -
  name                        s       s       s       s
  checksum                    s       s       s       s
  applied_at                  -       -       -       s

unknown_answer
  (rows)                      d       d       -       -
  unknown_answer_id           s       si      -       s
  provider                    s       si      -       s
  place                       s       si      -       s
  status                      s       si      -       s
  code                        s       si      -       s
  text                        s       si      -       s
  made_of_it                  s       siu     -       s
  times                       s       siu     -       s
  first_seen_at               s       -       -       s
  last_seen_at                s       su      -       s

connection_count
  (rows)                      -       d       -       -
  count_id                    -       -       -       s
  provider                    s       si      -       s
  status                      s       si      -       s
  change                      s       si      -       s

ended_work
  (rows)                      -       d       -       -
  end_id                      -       s       -       s
  hour                        s       s       -       s
  app_id                      s       s       -       s
  kind                        s       s       -       s
  provider                    s       s       -       s
  outcome                     s       s       -       s

ended_work_count
  (rows)                      -       d       -       -
  count_id                    -       s       -       s
  app_id                      s       si      -       s
  hour                        s       si      -       s
  kind                        s       si      -       s
  provider                    s       si      -       s
  outcome                     s       si      -       s
  count                       s       siu     -       s

gauge_snapshot
  (rows)                      -       -       -       -
  only_row                    -       -       -       s
  measured_at                 -       su      -       s
  state                       -       su      -       s

sweep_turn
  (rows)                      -       -       -       -
  only_row                    -       -       -       s
  taken_at                    -       su      -       s

failover_state
  (rows)                      -       -       -       -
  only_row                    -       -       -       -
  handled_timeline            -       su      -       -
  taken_until                 -       su      -       -

write_corrections
  (call)                      -       x       -       -

repeat_revocation
  (call)                      -       x       x       -
`;
