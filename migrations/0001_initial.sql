-- The whole schema. Instants are timestamptz(3). Columns named sealed_… hold values that the vault has encrypted, …_mac
-- keyed hashes, and …_sha256 plain hashes.

-- Business time. Tests replace this function to move the clock; production has no switch.
create function business_now() returns timestamptz
  language sql stable parallel safe
  return date_trunc('milliseconds', statement_timestamp());

create domain provider_name as text collate "C" check (value in ('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'));

-- Apps and their settings -------------------------------------------------------------------------------------------------

-- A customer application that calls the service.
create table app (
  app_id uuid primary key,
  name text collate "C" not null check (char_length(name) between 1 and 100),
  -- The service refuses all calls of a disabled app.
  enabled boolean not null default true,
  requests_per_second integer not null default 500 check (requests_per_second > 0),
  -- The look and the language of the pages that people see. A null language is the browser's.
  page_color text collate "C" check (page_color ~ '^#[0-9a-f]{6}$'),
  page_language text collate "C" check (page_language in ('en', 'de', 'fr', 'es', 'pt-BR')),
  created_at timestamptz(3) not null default business_now()
);
create index app_newest on app (created_at, app_id);

-- The logo on the pages that people see: a PNG, found by the hash in its URL.
create table app_logo (
  app_id uuid primary key references app,
  sha256 bytea not null check (sha256 = sha256(image)),
  width integer not null check (width between 16 and 1024),
  height integer not null check (height between 16 and 1024),
  image bytea not null check (octet_length(image) <= 32768)
);
create index app_logo_by_hash on app_logo (sha256);

-- An API key of an app. Two may be active at a time, for rotation.
create table app_key (
  key_id uuid primary key,
  app_id uuid not null references app,
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  -- What operators call it, such as the system that holds it.
  label text collate "C" check (char_length(label) between 1 and 100),
  created_at timestamptz(3) not null default business_now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- Of the last hour in which it was used: each api process writes it at most hourly, in batches.
  last_used_at timestamptz(3)
);
create index app_key_by_app on app_key (app_id);

-- A tenant that an app may use.
create table tenant (
  app_id uuid not null references app,
  tenant_key text collate "C" not null check (char_length(tenant_key) between 1 and 128),
  created_at timestamptz(3) not null default business_now(),
  primary key (app_id, tenant_key)
);

-- A URL to which an app may send people back after they connect.
create table return_url (
  app_id uuid not null references app,
  url text collate "C" not null,
  primary key (app_id, url)
);

-- An origin, besides those of the return URLs, that may post a launch token.
create table launch_origin (
  app_id uuid not null references app,
  origin text collate "C" not null,
  primary key (app_id, origin)
);

-- The capabilities that an app may ask for at a provider.
create table app_policy (
  app_id uuid not null references app,
  provider provider_name not null,
  capabilities text[] collate "C" not null check (cardinality(capabilities) > 0),
  -- The largest part of a registration's daily quota that the app may use, in percent. Null is the default: everything
  -- while the registration serves no other app, otherwise half.
  quota_percent integer check (quota_percent between 1 and 100),
  -- Automatic refresh: every so many minutes, of the newest posts of the last so many days. Null is off.
  refresh_minutes integer check (refresh_minutes between 15 and 43200),
  refresh_days integer not null default 7 check (refresh_days between 1 and 90),
  refresh_posts integer not null default 100 check (refresh_posts between 1 and 100),
  -- While a sweep plans the app's connections anew, the last one that it has planned.
  replanned_to timestamptz(3),
  replanned_id uuid,
  primary key (app_id, provider)
);
create index app_policy_to_replan on app_policy (app_id, provider) where replanned_to is not null;

-- Registrations -----------------------------------------------------------------------------------------------------------

-- One of our OAuth clients at a provider.
create table registration (
  registration_id uuid primary key,
  provider provider_name not null,
  label text collate "C" not null,
  client_id text collate "C" not null,
  sealed_client_secret text collate "C" not null,
  secret_set_at timestamptz(3),
  -- As the provider stated it, if it did.
  secret_expires_at timestamptz(3),
  -- Paused by an operator: no new attempts.
  paused_at timestamptz(3),
  -- Set when a token request of our own, with a made-up credential, has proven that the provider refuses the client.
  -- Calls that authenticate us stop until such a request succeeds.
  rejected_at timestamptz(3),
  -- When we last made such a request.
  client_probed_at timestamptz(3),
  -- When the platform answered the last one. Null before the first answer to the present secret.
  client_answered_at timestamptz(3),
  -- What the platform answered when it refused the client, as in the columns of an attempt. Null without a refusal.
  rejection_answer text collate "C",
  rejection_answer_code text collate "C",
  -- The last time that the platform refused the client, once that is over.
  refused_from timestamptz(3),
  refused_until timestamptz(3),
  -- When the platform last accepted the registration's current client. Null while nobody has tried it.
  accepted_at timestamptz(3),
  -- When the platform last answered a call for one of the registration's accounts, to within a day: platforms withdraw access that
  -- nobody uses.
  last_success_at timestamptz(3),
  -- Changes of this registration's connections for the worse since an instant of the last hour. A platform can be wrong about all
  -- of them at once, so many of them stop until somebody has looked.
  downgrades integer not null default 0,
  downgrades_since timestamptz(3),
  -- How many changes for the worse the hour allows: a part of the connections that the registration had when the hour began.
  downgrades_allowed integer not null default 0,
  -- Set when there were too many: the service makes no more for a day, until a refused grant works again or an operator says so.
  downgrades_held_at timestamptz(3),
  -- When an operator last said that the platform means its refusals. It is believed for a day.
  downgrades_believed_at timestamptz(3),
  -- The quota is used up, and nothing is read, until this instant.
  quota_spent_until timestamptz(3),
  -- Units a day that the provider granted this client. Null is the documented default.
  daily_quota integer check (daily_quota > 0),
  -- The largest part of the daily quota, and of the rate limit, that automatic refreshes may use, in percent.
  refresh_percent integer not null default 50 check (refresh_percent between 1 and 100),
  -- The provider's permissions that the client may ask people for, where a platform approves them one by one. Null for all.
  permissions text[] collate "C" check (cardinality(permissions) between 1 and 20),
  -- The service disconnects a connection whose grant was not proven alive for so many days; 0 for never. Null is the default of
  -- `disconnect_days`. YouTube's Developer Policies, III.D.2, allow 30 days after a revoke at Google.
  disconnect_after_days integer,
  created_at timestamptz(3) not null default business_now(),
  -- For foreign keys.
  unique (registration_id, provider),
  constraint registration_disconnect_after_days check (
    disconnect_after_days between 0 and 3650 and (provider <> 'PROVIDER_A' or disconnect_after_days between 1 and 29))
);

create function disconnect_days(of_provider provider_name, setting integer) returns integer
  language sql immutable parallel safe
  return coalesce(setting, case when of_provider = 'PROVIDER_A' then 29 else 90 end);

-- The apps that a registration serves. A new attempt takes the one that has served longest and is not paused.
create table registration_app (
  registration_id uuid not null references registration,
  app_id uuid not null references app,
  serves_since timestamptz(3) not null default business_now(),
  primary key (app_id, registration_id)
);

-- A secret with which a platform signs its callbacks about a registration. Separate from the client secret, which the api
-- cannot open. A registration may have several: a platform may use more than one, and they are rotated one by one.
create table platform_callback_secret (
  secret_id uuid primary key,
  registration_id uuid not null references registration on delete cascade,
  sealed_secret text collate "C" not null,
  created_at timestamptz(3) not null default business_now()
);
create index platform_callback_secret_by_registration on platform_callback_secret (registration_id);

-- Units of a registration's daily quota that each app has used, by the day of that quota. One HTTP call is one unit, unless
-- the provider's price list differs.
create table registration_usage (
  registration_id uuid not null references registration on delete cascade,
  day date not null,
  app_id uuid not null references app,
  units integer not null,
  -- Of these, the units of automatic refreshes.
  refresh_units integer not null default 0,
  primary key (registration_id, day, app_id),
  constraint registration_usage_counts check (units >= 0 and refresh_units between 0 and units)
);
create index registration_usage_by_day on registration_usage (day, registration_id);

-- The rate limit of our calls to each provider, over all workers. Its slots stand in sequences, not in a row: each call changes
-- them, and Postgres keeps every version of a row as long as any transaction is older, such as a pg_dump. A sequence has no versions.
-- Who takes a slot locks the row of the provider. Worth nothing after a crash, therefore unlogged.
create unlogged table provider_rate_limit (
  provider provider_name primary key
);

-- Creates the slots of a provider, in microseconds since 1970: when its next slot is, when the next one of each guaranteed share is,
-- and when the last one was taken. Worth nothing after a crash, therefore unlogged.
create function create_slots(of_provider provider_name) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  part text;
begin
  foreach part in array array['slots', 'slots_connects', 'slots_grants', 'slots_clock'] loop
    execute format('create unlogged sequence %I', lower(of_provider collate "C") || '_' || part);
  end loop;
end
$$;
revoke execute on function create_slots from public;
select create_slots('PROVIDER_A'), create_slots('PROVIDER_B'), create_slots('PROVIDER_C');

-- Takes a slot to call a provider, by the rules in `src/store/provider-rate-limit.ts`. It acts as the owner: no process has a right
-- to the sequences. It locks the provider's row of `provider_rate_limit`, and never changes it. Times are in microseconds.
create function take_slot(of_provider provider_name, gap bigint, share text, share_gap bigint, most_ahead bigint)
  returns table (taken boolean, wait bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  slots text := lower(of_provider collate "C") || '_slots';
  slots_clock text := slots || '_clock';
  slots_share text := slots || '_' || lower(share collate "C");
  part text;
  clock bigint;
  set_back bigint;
  next_slot bigint;
  next_of_share bigint;
  is_guaranteed boolean;
begin
  loop
    perform from provider_rate_limit where provider = of_provider for update;
    exit when found;
    insert into provider_rate_limit (provider) values (of_provider) on conflict do nothing;
  end loop;
  clock := extract(epoch from clock_timestamp()) * 1000000;
  -- A sequence without a last value has not been used since its creation or a crash.
  set_back := coalesce(pg_sequence_last_value(slots_clock::regclass), 0) - clock;
  if set_back > 0 then
    foreach part in array array[slots, slots || '_connects', slots || '_grants', slots_clock] loop
      perform setval(part::regclass, greatest(1, coalesce(pg_sequence_last_value(part::regclass), 1) - set_back));
    end loop;
  end if;
  next_slot := greatest(coalesce(pg_sequence_last_value(slots::regclass), 0), clock - 1000000);
  next_of_share := greatest(coalesce(pg_sequence_last_value(slots_share::regclass), 0), clock - 500000);
  is_guaranteed := share is not null and next_of_share <= clock;
  taken := next_slot <= clock or most_ahead is null or (is_guaranteed and next_slot <= clock + most_ahead);
  if taken then
    perform setval(slots::regclass, next_slot + gap), setval(slots_clock::regclass, clock);
    if is_guaranteed or most_ahead is null then
      perform setval(slots_share::regclass, next_of_share + share_gap); -- Does nothing without a share.
    end if;
    wait := greatest(0, next_slot - clock);
  elsif share is null then
    wait := next_slot - clock;
  else
    wait := least(next_slot, greatest(next_of_share, next_slot - most_ahead)) - clock;
  end if;
  return next;
end
$$;
revoke execute on function take_slot from public;

-- Answers of platforms that no adapter knows, for people: each once, without secrets and personal data. The worker keeps at most 200
-- for each provider, and deletes those that have not come for 30 days.
create table unknown_answer (
  unknown_answer_id uuid primary key,
  provider provider_name not null,
  -- Our name of the request.
  place text collate "C" not null check (length(place) between 1 and 100),
  status integer not null check (status between 100 and 999),
  -- The platform's own error codes. Empty without one.
  code text collate "C" not null check (length(code) <= 500),
  text text collate "C" not null check (length(text) <= 500),
  -- What the adapter made of it: the type of its failure.
  made_of_it text collate "C" not null check (length(made_of_it) <= 40),
  times bigint not null default 1,
  first_seen_at timestamptz(3) not null default business_now(),
  last_seen_at timestamptz(3) not null default business_now(),
  unique (provider, place, status, code, text)
);
create index unknown_answer_newest on unknown_answer (first_seen_at, unknown_answer_id);
create index unknown_answer_expiry on unknown_answer (last_seen_at, unknown_answer_id);

-- Scopes, connections, attempts and grants --------------------------------------------------------------------------------

-- An app's tenant and subject, in the app's own words. A transaction that works on one scope locks this row first.
create table scope (
  scope_id uuid primary key,
  app_id uuid not null references app,
  tenant_key text collate "C" not null,
  -- Replaced by a random one when the person is erased.
  external_subject_id text collate "C" not null check (char_length(external_subject_id) between 1 and 128),
  -- The erasure of this scope's subject. Later revokes belong to it, too.
  erasure_id uuid,
  unique (app_id, tenant_key, external_subject_id),
  -- For foreign keys.
  unique (scope_id, app_id)
);
create index scope_by_erasure on scope (erasure_id) where erasure_id is not null;
-- Operators find a person by the caller's own id, without its app and tenant. About 60 bytes a person: 0.6 GB at ten million.
create index scope_by_subject on scope (external_subject_id);

-- The lasting link between a scope and an account at a provider.
create table connection (
  connection_id uuid primary key,
  scope_id uuid not null,
  app_id uuid not null references app,
  provider provider_name not null,
  registration_id uuid not null,
  provider_account_id text collate "C" not null,
  status text collate "C" not null check (status in ('CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING')),
  sync_status text collate "C" not null default 'PENDING' check (sync_status in ('PENDING', 'RUNNING', 'READY', 'PARTIAL', 'FAILED')),
  -- [{ capability, availability, reason }], one for each capability granted when last connected.
  capabilities jsonb not null,
  -- { displayName, handle, avatarUrl, profileUrl, description }
  profile jsonb,
  profile_observed_at timestamptz(3),
  -- When the last successful scan, or the first of its chain, asked for its first page.
  last_successful_sync_at timestamptz(3),
  -- When upkeep is next due: to refresh a grant before it expires, or a profile before it is 30 days old.
  upkeep_due_at timestamptz(3),
  -- Since when its upkeep has failed, try after try; null while the last one succeeded.
  upkeep_failing_since timestamptz(3),
  -- When its next automatic refresh is due; null without one.
  refresh_due_at timestamptz(3),
  -- No post that has an id was last read before this time; null without such posts. Retention finds due posts by it, and moves it to
  -- the oldest read. A column here, so that a repeated scan of unchanged posts changes no index of theirs, and rewrites them within
  -- their pages.
  posts_read_since timestamptz(3),
  -- When the grant was last proven alive: by consent, a refresh, or an accepted call. Within the hour it is not written again.
  proven_at timestamptz(3) default business_now(),
  -- Since when calls that would have proven it have failed, try after try.
  proof_failed_at timestamptz(3),
  -- The last proof, of a connection whose grant has ended, or was not proven alive for a day of tries. The days count from it.
  -- A column of its own, so that the proof of a healthy connection changes no index.
  unproven_since timestamptz(3),
  -- When the platform last reported that the person had removed the app.
  removal_reported_at timestamptz(3),
  created_at timestamptz(3) not null default business_now(),
  changed_at timestamptz(3) not null default business_now(),
  constraint connection_of_scope foreign key (scope_id, app_id) references scope (scope_id, app_id),
  constraint connection_of_registration foreign key (registration_id, provider) references registration (registration_id, provider)
);
-- A scope has at most one live connection to an account. A disconnected one does not prevent a new one.
create unique index connection_by_account on connection (scope_id, provider, provider_account_id)
  where status not in ('DISCONNECTED', 'DELETING');
create index connection_by_scope on connection (scope_id, created_at, connection_id);
create index connection_by_app on connection (app_id, created_at, connection_id);
create index connection_by_registration on connection (registration_id, created_at, connection_id);
create index connection_by_status on connection (status, created_at, connection_id);
create index connection_newest on connection (created_at, connection_id);
-- Operators find a connection by the platform's id of its account, and by the handle or the name that a person tells them: each costs
-- about 50 bytes a connection, 0.5 GB at ten million.
create index connection_by_account_id on connection (provider_account_id);
create index connection_by_handle on connection (lower((profile ->> 'handle') collate "C"))
  where profile ->> 'handle' is not null;
create index connection_by_display_name on connection (lower((profile ->> 'displayName') collate "C"))
  where profile ->> 'displayName' is not null;
create index connection_upkeep_due on connection (provider, upkeep_due_at, connection_id)
  where status = 'CONNECTED' and upkeep_due_at is not null;
create index connection_upkeep_failing on connection (provider, upkeep_failing_since)
  where status = 'CONNECTED' and upkeep_failing_since is not null;
create index connection_refresh_due on connection (registration_id, refresh_due_at, connection_id)
  where status = 'CONNECTED' and refresh_due_at is not null;
create index connection_profile_old on connection (profile_observed_at, connection_id) where profile is not null;
-- Connections with posts to blank.
create index connection_posts_old on connection (posts_read_since, connection_id) where posts_read_since is not null;
create index connection_disconnecting on connection (scope_id, provider) where status = 'DISCONNECTED';
-- Reconciliation looks for suspended connections that lost their verification.
create index connection_suspended on connection (changed_at, connection_id) where status = 'SUSPENDED';
-- What the service disconnects next: ended grants, and those that were not proven alive.
create index connection_unproven on connection (registration_id, coalesce(unproven_since, changed_at), connection_id)
  where status in ('CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED') and (status = 'RECONNECT_REQUIRED' or unproven_since is not null);

-- A grant has ended, or the person has connected the account again. A grant that was found dead late, such as after an outage of ours,
-- leaves its connection a day to be connected again.
create function note_proof() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  days integer;
begin
  if new.status = 'RECONNECT_REQUIRED' then
    select disconnect_days(provider, disconnect_after_days) into days
      from registration where registration_id = new.registration_id;
    new.unproven_since := greatest(coalesce(new.proven_at, business_now()), business_now() - make_interval(days => days - 1));
  else
    new.proven_at := business_now();
    new.proof_failed_at := null;
    new.unproven_since := null;
  end if;
  return new;
end
$$;
create trigger connection_proof before update of status on connection
  for each row when (new.status <> old.status
    and (new.status = 'RECONNECT_REQUIRED' or (new.status = 'CONNECTED' and old.status = 'RECONNECT_REQUIRED')))
  execute function note_proof();

-- One try to connect an account.
create table connect_attempt (
  attempt_id uuid primary key,
  scope_id uuid not null,
  app_id uuid not null references app,
  provider provider_name not null,
  registration_id uuid not null,
  capabilities text[] collate "C" not null,
  return_url text collate "C" not null,
  -- The connection to renew, if the caller named one.
  reconnect_connection_id uuid references connection on delete set null,
  status text collate "C" not null default 'CREATED' check (status in
    ('CREATED', 'AUTHORIZING', 'EXCHANGING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED', 'CANCELED')),
  result_code text collate "C",
  -- The connection that resulted. Not a foreign key: the result outlives it.
  connection_id uuid,
  creator_action text collate "C" check (creator_action = 'REMOVE_APP_AT_PROVIDER'),
  launch_token_sha256 bytea not null unique,
  state_sha256 bytea unique,
  -- The browser that opened the launch link; no other may finish the attempt.
  browser_sha256 bytea,
  sealed_code_verifier text collate "C",
  sealed_code text collate "C",
  -- When the callback with the code was accepted, which starts the workflow. Null if none was: then the attempt has no workflow.
  code_arrived_at timestamptz(3),
  -- Set before the code is sent to the provider. A claimed code without a grant counts as spent.
  exchange_claimed_at timestamptz(3),
  correlation_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- The end of the time in which the caller can read the result.
  result_expires_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- What came back of the last failed try: `HTTP_` and the status, the code of a request without a complete answer, or REDIRECT for an
  -- authorization response; and the platform's own error codes. Null without a failed try.
  last_answer text collate "C",
  last_answer_code text collate "C",
  -- Why the service last refused the browser, and when: a person who asks for help quotes that page. Null without a refusal.
  last_refusal text collate "C",
  last_refused_at timestamptz(3),
  -- A platform said during the exchange that a person has removed the app: whose account the attempt's grant is was not known yet, so
  -- its connection is verified.
  noticed_at timestamptz(3),
  constraint connect_attempt_of_scope foreign key (scope_id, app_id) references scope (scope_id, app_id),
  constraint connect_attempt_of_registration foreign key (registration_id, provider) references registration (registration_id, provider),
  constraint connect_attempt_completed_with_connection check (status <> 'COMPLETED' or connection_id is not null),
  constraint connect_attempt_ended_without_code check (
    status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') or (sealed_code is null and sealed_code_verifier is null))
);
create index connect_attempt_unfinished on connect_attempt (scope_id, provider, expires_at)
  where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING');
create index connect_attempt_overdue on connect_attempt (expires_at, attempt_id)
  where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING');
create index connect_attempt_old on connect_attempt (result_expires_at, attempt_id)
  where status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING');
create index connect_attempt_newest on connect_attempt (created_at, attempt_id);
create index connect_attempt_by_result on connect_attempt (result_code, created_at, attempt_id) where result_code is not null;
create index connect_attempt_by_correlation on connect_attempt (correlation_id);
create index connect_attempt_by_scope on connect_attempt (scope_id);
-- The attempts of an app in the last ten minutes, for its limit.
create index connect_attempt_by_app on connect_attempt (app_id, created_at) where return_url <> '';
create index connect_attempt_by_connection on connect_attempt (connection_id) where connection_id is not null;
create index connect_attempt_by_target on connect_attempt (reconnect_connection_id) where reconnect_connection_id is not null;

-- One consent of a person, and its tokens.
create table account_grant (
  grant_id uuid primary key,
  attempt_id uuid not null unique,
  scope_id uuid not null references scope,
  provider provider_name not null,
  registration_id uuid not null,
  -- Null until the attempt completes; it stays null if the attempt fails.
  connection_id uuid references connection on delete cascade,
  -- PENDING: exchanged, not yet used by a connection. LIVE: the current one of its connection. REVOKING: to be revoked.
  -- DEAD: ended, tokens destroyed.
  status text collate "C" not null check (status in ('PENDING', 'LIVE', 'REVOKING', 'DEAD')),
  -- Of the registration and of all that one revoke at the provider ends.
  principal_mac bytea,
  -- Of every id by which the platform's callbacks may name this account.
  account_macs bytea[] not null default '{}',
  permissions text[] collate "C" not null,
  sealed_tokens text collate "C",
  -- The database's timeline when the tokens were stored: see current_timeline().
  tokens_timeline text collate "C",
  access_expires_at timestamptz(3),
  refresh_expires_at timestamptz(3),
  -- Counts the token sets. A refresh replaces exactly the set it read.
  generation integer not null default 1,
  -- Set before the refresh token is sent. A claim with a lost response stays until it expires.
  refresh_claim uuid,
  refresh_claimed_at timestamptz(3),
  -- The account as read before there was a connection to store it in.
  provider_account_id text collate "C",
  profile jsonb,
  profile_observed_at timestamptz(3),
  obtained_at timestamptz(3) not null,
  -- Of the token that another system had, if the grant was imported. A second import of it changes nothing.
  import_mac bytea unique,
  -- When the platform first refused the grant without a second proof. Null once it has accepted it again.
  refused_at timestamptz(3),
  -- Why it is DEAD: READ or REFRESH if a platform refused that call, with its answer as in the columns of an attempt; EXPIRY if its time
  -- was over. Null otherwise.
  ended_by text collate "C" check (ended_by in ('READ', 'REFRESH', 'EXPIRY')),
  ended_answer text collate "C",
  ended_answer_code text collate "C",
  constraint account_grant_of_registration foreign key (registration_id, provider) references registration (registration_id, provider),
  constraint account_grant_dead_without_tokens check (status <> 'DEAD' or sealed_tokens is null),
  constraint account_grant_live_with_connection check (status <> 'LIVE' or connection_id is not null),
  -- Who is disconnected is named by hashes only.
  constraint account_grant_given_up_without_name check (
    status in ('PENDING', 'LIVE') or (provider_account_id is null and profile is null))
);
create unique index account_grant_live on account_grant (connection_id) where status = 'LIVE';
-- For the sweep that finds expired credentials.
create index account_grant_expiring on account_grant (refresh_expires_at, connection_id) where status = 'LIVE';
create index account_grant_by_principal on account_grant (principal_mac) where status <> 'DEAD';
create index account_grant_by_scope on account_grant (scope_id);
create index account_grant_by_connection on account_grant (connection_id);
create index account_grant_by_account on account_grant using gin (account_macs);
-- Reconciliation looks for grants that were stored after their attempts had ended. There are few.
create index account_grant_pending on account_grant (obtained_at, attempt_id) where status = 'PENDING';
create index account_grant_dead on account_grant (obtained_at, grant_id) where status = 'DEAD' and connection_id is null;
-- Grants in use of which the platform did not name the person: any revoke could end them.
create index account_grant_unknown on account_grant (registration_id)
  where principal_mac is null and status in ('PENDING', 'LIVE');
-- For the grants of a registration that its platform refuses.
create index account_grant_refused on account_grant (registration_id) where status = 'LIVE' and refused_at is not null;

-- A role that may not read sealed tokens may not store any. It may set the column to null, and Postgres has no right for
-- that alone: only the right to update the column.
create function refuse_unreadable_tokens() returns trigger language plpgsql as $$
begin
  if not has_column_privilege(tg_relid, 'sealed_tokens', 'select') then
    raise insufficient_privilege using message = 'a role that cannot read sealed tokens cannot store any';
  end if;
  return new;
end
$$;
create trigger account_grant_tokens before insert or update of sealed_tokens on account_grant
  for each row when (new.sealed_tokens is not null) execute function refuse_unreadable_tokens();

-- The keyed hash of each imported token, for as long as the token could work: longer than the grant that the import made. Repeating a
-- file then never connects a person again who has disconnected. Null for a token without a known end.
create table imported_token (
  import_mac bytea primary key,
  expires_at timestamptz(3)
);
create index imported_token_expiry on imported_token (expires_at, encode(import_mac, 'hex') collate "C");

-- Jobs --------------------------------------------------------------------------------------------------------------------

-- A job that reads: a scan, a metrics refresh or a lookup. It is deleted with its connection.
create table read_job (
  job_id uuid primary key,
  -- A later job has a higher number, and a chain of scans that of its first: null for the first itself. Which posts a scan has seen
  -- must not depend on a clock that can be set back.
  read_number bigint generated by default as identity,
  chain_number bigint,
  kind text collate "C" not null check (kind in ('SCAN', 'METRICS', 'LOOKUP')),
  connection_id uuid not null references connection on delete cascade,
  app_id uuid not null references app,
  provider provider_name not null,
  -- Only callers' jobs count against the app's limit.
  requested_by text collate "C" not null check (requested_by in ('CALLER', 'SERVICE')),
  -- An automatic refresh. A caller who asks for the same scan makes it the caller's.
  is_refresh boolean not null default false,
  status text collate "C" not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
  -- The range of publication time that a scan reads.
  published_after timestamptz(3),
  published_before timestamptz(3),
  -- The caller named no range, and got the default.
  window_omitted boolean not null default false,
  max_items integer check (max_items between 1 and 100),
  -- The post of a metrics refresh.
  provider_content_id text collate "C",
  -- The URL that is looked up.
  url text collate "C",
  url_sha256 bytea,
  -- Where to continue in the provider's list or search.
  provider_cursor text collate "C",
  item_count integer not null default 0,
  -- Posts that a scan stored for the first time, found changed, and no longer found.
  added_count integer not null default 0,
  changed_count integer not null default 0,
  removed_count integer not null default 0,
  -- Steps taken, each a bounded number of calls. A scan ends after a bounded number of them: a list can lead in circles.
  steps integer not null default 0,
  reached_end boolean not null default false,
  -- When the scan, or the first of its chain, asked for its first page; null until that page is stored. The scan
  -- knows no later post.
  chain_started_at timestamptz(3),
  -- The end of the range it reads, set with the first page. A window up to "now" ends there.
  read_before timestamptz(3),
  -- Failed tries in a row: a step that succeeds sets it to 0.
  tries integer not null default 0,
  -- All failed tries.
  failed_tries integer not null default 0,
  last_failure text collate "C",
  -- The type of the last failure, and how many in a row were of this type.
  failure_type text collate "C",
  failures_in_a_row integer not null default 0,
  first_failed_at timestamptz(3),
  -- What came of the last failed try, so that operators can tell a platform that is down from a network of ours that is: `HTTP_` and
  -- the status, or the code of a request without an answer. Null if the try sent no request.
  last_tried_at timestamptz(3),
  last_answer text collate "C",
  next_retry_at timestamptz(3),
  -- Reconciliation has seen its workflow run, and does not check again before this.
  next_check_at timestamptz(3),
  error_code text collate "C",
  incomplete_reason text collate "C",
  -- The post that a lookup found.
  result_provider_content_id text collate "C",
  correlation_id uuid not null,
  created_at timestamptz(3) not null default business_now(),
  -- Since when somebody waits for the job: a caller who takes over a scan of ours waits from then on.
  wanted_since timestamptz(3) not null default business_now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check ((kind = 'SCAN') = (published_after is not null and published_before is not null and max_items is not null)),
  check ((kind = 'METRICS') = (provider_content_id is not null)),
  check ((kind = 'LOOKUP') = (url is not null and url_sha256 is not null)),
  -- A job has a time at which it finished if it has, and only then: retention finds it by that.
  constraint read_job_finished check ((status in ('QUEUED', 'RUNNING')) = (finished_at is null))
);
-- The same work is in flight only once.
create unique index read_job_one_scan on read_job (connection_id)
  where kind = 'SCAN' and status in ('QUEUED', 'RUNNING');
create unique index read_job_one_metrics on read_job (connection_id, provider_content_id)
  where kind = 'METRICS' and status in ('QUEUED', 'RUNNING');
create unique index read_job_one_lookup on read_job (connection_id, url_sha256)
  where kind = 'LOOKUP' and status in ('QUEUED', 'RUNNING');
create index read_job_in_flight on read_job (app_id) where status in ('QUEUED', 'RUNNING') and requested_by = 'CALLER';
create index read_job_refreshing on read_job (provider, connection_id) where status in ('QUEUED', 'RUNNING') and is_refresh;
-- Overdue reads by due date.
create index read_job_due on read_job (greatest(coalesce(next_retry_at, started_at, created_at), next_check_at), job_id)
  where status in ('QUEUED', 'RUNNING');
create index read_job_old on read_job (finished_at, job_id) where finished_at is not null;
create index read_job_failed on read_job (kind) where status = 'FAILED';
-- For the failed tries of jobs that have ended lately.
create index read_job_failed_before on read_job (finished_at) where failed_tries > 0;
create index read_job_newest on read_job (created_at, job_id);
create index read_job_scans on read_job (connection_id, created_at) where kind = 'SCAN';
create index read_job_by_reason on read_job (coalesce(error_code, last_failure), finished_at, job_id)
  where finished_at is not null and coalesce(error_code, last_failure) is not null;
create index read_job_by_correlation on read_job (correlation_id);
create index read_job_by_connection on read_job (connection_id, created_at, job_id);

-- A job that disconnects: the two receipts of a disconnect (revoke and erase), or the revoke of a grant that no connection
-- uses (compensation). It outlives the connection and the grant.
create table disconnect_job (
  job_id uuid primary key,
  kind text collate "C" not null check (kind in ('REVOKE', 'ERASE', 'COMPENSATION')),
  status text collate "C" not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
  -- No foreign keys, since all of these may be gone: receipts are found by the ids and the keyed hash alone.
  connection_id uuid,
  grant_id uuid,
  attempt_id uuid,
  app_id uuid not null references app,
  provider provider_name not null,
  registration_id uuid not null references registration,
  -- Of app, tenant and subject.
  scope_mac bytea,
  -- After the revoke, other connections of this scope and of this principal are verified.
  scope_id uuid,
  principal_mac bytea,
  -- The account of the grant, under each registration that the revoke reaches. Grants of one account are one person's, also where the
  -- principal is unknown.
  account_macs bytea[] not null default '{}',
  -- Whether the revoke is sent only if it certainly ends no other grant in use: a revoke at a platform can end other grants of the same
  -- person. Always true of a compensation.
  spares boolean not null default false,
  -- Why the connection was disconnected. Null of one that only a journal knows.
  reason text collate "C",
  -- The bulk disconnect and the erasure that it is part of. A job of an erasure keeps no tokens.
  bulk_disconnect_id uuid,
  erasure_id uuid,
  -- The tokens of a failed revoke, with which an operator can retry it until the receipt expires.
  sealed_tokens text collate "C",
  tokens_timeline text collate "C",
  -- The same for roles that cannot read the tokens.
  keeps_tokens boolean generated always as (sealed_tokens is not null) stored,
  -- The claim of a refresh of kept tokens, as for a grant.
  refresh_claim uuid,
  refresh_claimed_at timestamptz(3),
  creator_action text collate "C" check (creator_action = 'REMOVE_APP_AT_PROVIDER'),
  error_code text collate "C",
  -- The workflow that works on the job: 0 for the connection's `disconnect`, n for `revoke/<grantId>/<n>`. Each retry after
  -- a failure has the next number.
  run integer not null default 0,
  -- As for a read job.
  tries integer not null default 0,
  failed_tries integer not null default 0,
  last_failure text collate "C",
  first_failed_at timestamptz(3),
  last_tried_at timestamptz(3),
  last_answer text collate "C",
  next_retry_at timestamptz(3),
  -- Reconciliation has seen its workflow run, and does not check again before this.
  next_check_at timestamptz(3),
  -- Of an ERASE: its revoke has not settled yet.
  awaits_revoke boolean not null default false,
  give_up_at timestamptz(3),
  correlation_id uuid not null,
  created_at timestamptz(3) not null default business_now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  check (kind <> 'COMPENSATION' or run > 0),
  constraint disconnect_job_known_reason check (reason in ('APP', 'OPERATOR', 'PLATFORM_REMOVAL', 'PLATFORM_DELETION', 'UNUSED')),
  constraint disconnect_job_finished check ((status in ('QUEUED', 'RUNNING')) = (finished_at is null)),
  -- Only a revoke that failed, or is tried again, keeps tokens.
  constraint disconnect_job_settled_without_tokens check (
    sealed_tokens is null or (kind <> 'ERASE' and status in ('QUEUED', 'RUNNING', 'FAILED')))
);
create index disconnect_job_by_connection on disconnect_job (connection_id);
-- A connection is disconnected once, so it has one receipt of each kind.
create unique index disconnect_job_receipt on disconnect_job (connection_id, kind) where kind in ('REVOKE', 'ERASE');
create index disconnect_job_by_grant on disconnect_job (grant_id);
create index disconnect_job_by_scope on disconnect_job (scope_id);
create index disconnect_job_by_scope_mac on disconnect_job (scope_mac);
create index disconnect_job_by_bulk on disconnect_job (bulk_disconnect_id) where bulk_disconnect_id is not null;
create index disconnect_job_by_erasure on disconnect_job (erasure_id) where erasure_id is not null;
create index disconnect_job_open on disconnect_job (created_at) where status in ('QUEUED', 'RUNNING');
-- Overdue disconnects by due date.
create index disconnect_job_due on disconnect_job (greatest(coalesce(next_retry_at, started_at, created_at), next_check_at), job_id)
  where status in ('QUEUED', 'RUNNING') and not awaits_revoke;
create index disconnect_job_kept_tokens on disconnect_job (created_at, job_id) where status = 'FAILED' and sealed_tokens is not null;
create index disconnect_job_old on disconnect_job (created_at, job_id) where status not in ('QUEUED', 'RUNNING');
create index disconnect_job_failed on disconnect_job (kind) where status = 'FAILED';
-- For the failed tries of jobs that have ended lately.
create index disconnect_job_failed_before on disconnect_job (finished_at) where failed_tries > 0;
create index disconnect_job_finished on disconnect_job (finished_at, job_id) where finished_at is not null;
create index disconnect_job_by_reason on disconnect_job (coalesce(error_code, last_failure), finished_at, job_id)
  where finished_at is not null and coalesce(error_code, last_failure) is not null;
create index disconnect_job_by_correlation on disconnect_job (correlation_id);
create index disconnect_job_newest on disconnect_job (created_at, job_id);
-- For operators who list the people that must remove the app themselves.
create index disconnect_job_left_to_person on disconnect_job (job_id) where creator_action is not null;
create trigger disconnect_job_tokens before insert or update of sealed_tokens on disconnect_job
  for each row when (new.sealed_tokens is not null) execute function refuse_unreadable_tokens();

-- The disconnect of all connections of a tenant or of a registration.
create table bulk_disconnect (
  bulk_disconnect_id uuid primary key,
  app_id uuid references app,
  tenant_key text collate "C",
  registration_id uuid references registration,
  total integer not null,
  disconnected integer not null default 0,
  correlation_id uuid not null,
  started_at timestamptz(3) not null default business_now(),
  finished_at timestamptz(3),
  check ((app_id is not null and tenant_key is not null) <> (registration_id is not null))
);
-- Only one at a time works on the same connections.
create unique index bulk_disconnect_of_tenant on bulk_disconnect (app_id, tenant_key) where finished_at is null;
create unique index bulk_disconnect_of_registration on bulk_disconnect (registration_id) where finished_at is null;
create index bulk_disconnect_open on bulk_disconnect (started_at, bulk_disconnect_id) where finished_at is null;
create index bulk_disconnect_old on bulk_disconnect (finished_at, bulk_disconnect_id) where finished_at is not null;

-- The receipt of a person's erasure. It does not say who the person was.
create table erasure (
  erasure_id uuid primary key,
  app_id uuid not null references app,
  -- Of app, tenant and subject.
  scope_mac bytea not null,
  connection_ids uuid[] not null,
  requested_at timestamptz(3) not null default business_now(),
  completed_at timestamptz(3)
);
create index erasure_by_scope on erasure (scope_mac);
create index erasure_newest on erasure (requested_at, erasure_id);
create index erasure_open on erasure (requested_at, erasure_id) where completed_at is null;
create index erasure_old on erasure (completed_at, erasure_id) where completed_at is not null;

-- A person's request, made at a platform, to delete the data we hold of their account. It outlives the data, and does not
-- say who the person was.
create table deletion_request (
  code text collate "C" primary key check (code ~ '^[0-9a-f]{32}$'),
  requested_at timestamptz(3) not null default business_now(),
  -- How many connections it found, and whether an account had a newer consent, which it spares.
  found_count integer,
  spared_newer boolean
);
create index deletion_request_old on deletion_request (requested_at, code);

-- A connection still to be erased for a deletion request. The row is deleted with its connection; a request without rows
-- is complete.
create table deletion_request_connection (
  code text collate "C" not null references deletion_request on delete cascade,
  connection_id uuid not null references connection on delete cascade,
  correlation_id uuid not null,
  primary key (code, connection_id)
);
create index deletion_request_connection_by_connection on deletion_request_connection (connection_id, code);

-- Jobs of both tables, as operators see them.
create view admin_job as
with joined as (
  select job_id, kind, status, app_id, provider, null::uuid as registration_id, connection_id, null::uuid as grant_id,
    null::uuid as attempt_id, 0 as run, tries, last_failure, first_failed_at, next_retry_at, null::timestamptz as give_up_at,
    error_code, null as creator_action, item_count, incomplete_reason, correlation_id, created_at, started_at, finished_at,
    false as revocable, last_tried_at, last_answer, false as awaits_revoke, null::timestamptz(3) as revoked_at,
    failed_tries
  from read_job
  union all
  select job_id, kind, status, app_id, provider, registration_id, connection_id, grant_id, attempt_id, run, tries,
    last_failure, first_failed_at, next_retry_at, give_up_at, error_code, creator_action, null, null, correlation_id,
    created_at, started_at, finished_at,
    -- A failed revoke that still has tokens to revoke with.
    status = 'FAILED' and kind <> 'ERASE' and (sealed_tokens is not null or exists (
      select from account_grant g
      where g.grant_id = disconnect_job.grant_id and g.status <> 'DEAD' and g.sealed_tokens is not null
    )), last_tried_at, last_answer, kind = 'ERASE' and exists (
      select from disconnect_job revoke
      where revoke.connection_id = disconnect_job.connection_id and revoke.kind = 'REVOKE' and revoke.status in ('QUEUED', 'RUNNING')
    ), (
      select revoke.finished_at from disconnect_job revoke
      where disconnect_job.kind = 'ERASE' and revoke.connection_id = disconnect_job.connection_id and revoke.kind = 'REVOKE'
    ), failed_tries
  from disconnect_job
),
timed as (
  select joined.*,
    status in ('QUEUED', 'RUNNING') as open,
    coalesce(first_failed_at, greatest(coalesce(started_at, created_at), revoked_at)) as stuck_since,
    -- Silent for longer than any step takes. An erase is silent from the end of its revoke on: it waits for that without a limit.
    status in ('QUEUED', 'RUNNING') and not awaits_revoke
      and greatest(coalesce(next_retry_at, started_at, created_at), revoked_at) <= business_now() - interval '15 minutes' as overdue
  from joined
)
select job_id, kind, status, app_id, provider, registration_id, connection_id, grant_id, attempt_id, run, tries, last_failure,
  first_failed_at, next_retry_at, give_up_at, error_code, creator_action, item_count, incomplete_reason, correlation_id, created_at,
  started_at, finished_at, revocable, open, stuck_since, overdue,
  -- A job is stuck once it has failed for 15 minutes. One failed try is no reason to look: the service retries within seconds.
  (open and tries > 0 and stuck_since <= business_now() - interval '15 minutes') or overdue or revocable as stuck,
  -- Waiting for its next try, late for it, or waiting for an operator. A job that is late may have lost its workflow.
  (open and coalesce(next_retry_at not between business_now() - interval '30 seconds' and business_now(), false))
    or overdue or revocable as retryable,
  last_tried_at, last_answer, failed_tries
from timed;

-- Content -----------------------------------------------------------------------------------------------------------------

-- The last segment of a URL's path, in which PROVIDER_C puts the code of a post; cut, since no code is longer. A regular expression
-- took an eighth of Postgres' time for a scan, since the index evaluates it for each post twice.
create function code_in_url(url text) returns text
  language sql immutable strict parallel safe
  return left(split_part(rtrim(split_part(split_part(url, '?', 1), '#', 1), '/'), '/', -1), 65);

-- A post of a connection's account, with its latest metrics.
create table content_item (
  content_item_id uuid primary key,
  connection_id uuid not null references connection on delete cascade,
  -- The bounds of providers' texts are those of src/providers/text.ts.
  provider_content_id text collate "C" check (char_length(provider_content_id) between 1 and 255),
  -- Of the id, which it replaces once the post was not read for 30 days.
  content_mac bytea,
  kind text collate "C" not null check (kind in ('VIDEO', 'IMAGE', 'CAROUSEL', 'UNKNOWN')),
  canonical_url text collate "C" check (char_length(canonical_url) <= 4096),
  -- The fields that are only shown, without those that are null: see `src/basics/post-details.ts`.
  details jsonb not null default '{}',
  published_at timestamptz(3),
  availability text collate "C" not null check (availability in ('AVAILABLE', 'UNSUPPORTED', 'NOT_GRANTED', 'UNAVAILABLE')),
  reason text collate "C",
  -- [{ name, value, availability, reason, sourceField }], observed at metrics_observed_at.
  metrics jsonb not null default '[]',
  metrics_observed_at timestamptz(3),
  observed_at timestamptz(3) not null,
  -- Set when everything but content_mac and observed_at has been blanked, 30 days after the last read.
  blanked_at timestamptz(3),
  -- The number of the last job that has seen, or missed, the post.
  read_number bigint not null default 0,
  -- When a read first missed the post. A later read confirms that it is gone.
  missing_since timestamptz(3),
  unique (connection_id, provider_content_id),
  constraint content_item_known check (provider_content_id is not null or content_mac is not null),
  -- Of a post that was not read for 30 days only a keyed hash of its id and the time of the last read stay. A new detail needs nothing
  -- here.
  constraint content_item_blanked check (
    blanked_at is null or (details = '{}' and canonical_url is null and published_at is null and kind = 'UNKNOWN' and metrics = '[]')),
  -- Texts, of bounded size: `src/providers/text.ts` cuts each.
  constraint content_item_details check (
    jsonb_typeof(details) = 'object' and not details @? '$.* ? (@.type() != "string")' and octet_length(details::text) <= 262144)
  -- A repeated scan of unchanged posts rewrites them within their pages.
) with (fillfactor = 70);
create index content_item_newest on content_item (connection_id, published_at desc, content_item_id desc);
-- Operators find the connection of a post by the platform's id, which is in the URLs of two platforms. A hash of it costs about
-- 30 bytes a post: 3 GB at a hundred million.
create index content_item_by_provider_id on content_item using hash (provider_content_id);
-- The code comes first, so that it is found without its connection too.
create index content_item_by_code_in_url
  on content_item (code_in_url(canonical_url), connection_id) where canonical_url is not null;
-- A blanked post is found by the keyed hash of its id.
create unique index content_item_by_mac on content_item (connection_id, content_mac) where content_mac is not null;

-- A range of publication time that a scan has read completely. Each range ages on its own.
create table coverage (
  coverage_id uuid primary key,
  connection_id uuid not null references connection on delete cascade,
  -- It ends at the latest when the scan, or the first of its chain, asked for its first page.
  published tstzrange not null,
  -- When the scan finished.
  scanned_at timestamptz(3) not null
);
create index coverage_by_connection on coverage (connection_id, scanned_at, coverage_id);
create index coverage_old on coverage (scanned_at, coverage_id);

-- Identity ----------------------------------------------------------------------------------------------------------------

-- An OpenID provider with which apps sign people in, and our client there.
create table identity_issuer (
  issuer_id uuid primary key,
  issuer text collate "C" not null,
  client_id text collate "C" not null,
  sealed_client_secret text collate "C" not null,
  token_auth_method text collate "C" not null check (token_auth_method in ('client_secret_post', 'client_secret_basic')),
  secret_set_at timestamptz(3),
  -- As the issuer stated it, if it did.
  secret_expires_at timestamptz(3),
  created_at timestamptz(3) not null default business_now()
);

-- The issuer that an app uses. An app without a row signs nobody in.
create table app_identity (
  app_id uuid primary key references app,
  issuer_id uuid not null references identity_issuer,
  return_url text collate "C" not null,
  enabled boolean not null default true
);

-- One try to sign in.
create table identity_attempt (
  attempt_id uuid primary key,
  app_id uuid not null references app,
  tenant_key text collate "C" not null,
  issuer_id uuid not null references identity_issuer,
  return_url text collate "C" not null,
  status text collate "C" not null default 'PENDING' check (status in ('PENDING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED')),
  -- How far a PENDING attempt has come.
  stage text collate "C" not null default 'CREATED' check (stage in ('CREATED', 'AUTHORIZING', 'EXCHANGING', 'DONE')),
  launch_token_sha256 bytea not null unique,
  -- The caller redeems the result with this proof.
  result_proof_sha256 bytea not null,
  state_sha256 bytea unique,
  -- The browser that opened the launch link; no other may finish the attempt.
  browser_sha256 bytea,
  sealed_nonce text collate "C",
  sealed_code_verifier text collate "C",
  sealed_code text collate "C",
  -- When the callback with the code was accepted, which starts the workflow. Null if none was: then the attempt has no workflow.
  code_arrived_at timestamptz(3),
  -- Set before the code is sent to the issuer.
  exchange_claimed_at timestamptz(3),
  -- { issuer, idpSub, email, emailVerified, name, pictureUrl }, until redeemed or 20 minutes old.
  sealed_claims text collate "C",
  redeemed_at timestamptz(3),
  correlation_id uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- The end of the time in which the caller can redeem the result.
  result_expires_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- As for a Connect attempt.
  last_answer text collate "C",
  last_answer_code text collate "C",
  last_refusal text collate "C",
  last_refused_at timestamptz(3),
  constraint identity_attempt_claims check (sealed_claims is null or (status = 'COMPLETED' and redeemed_at is null))
);
create index identity_attempt_unfinished on identity_attempt (app_id, expires_at) where status = 'PENDING';
create index identity_attempt_overdue on identity_attempt (expires_at, attempt_id) where status = 'PENDING';
create index identity_attempt_old on identity_attempt (result_expires_at, attempt_id) where status <> 'PENDING';
-- Operators find a sign-in by the reference that a person reads out. The table holds 20 minutes of sign-ins.
create index identity_attempt_by_correlation on identity_attempt (correlation_id);

-- Operators ---------------------------------------------------------------------------------------------------------------

-- A token of an operator for the admin API.
create table admin_token (
  token_id uuid primary key,
  label text collate "C" not null check (char_length(label) between 1 and 100),
  role text collate "C" not null check (role in ('VIEWER', 'OPERATOR', 'ADMIN')),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  -- The issuer's id of an operator who signed in through OpenID Connect. Such a token belongs to one session and nobody
  -- holds it. The audit log names the operator by this id, so that the row can be deleted after it expires.
  openid_sub text collate "C",
  created_at timestamptz(3) not null default business_now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- To within a minute.
  last_used_at timestamptz(3),
  -- 90 days at most (D-266), and a day more, because the clock of whoever creates one may be ahead of ours.
  constraint admin_token_life check (expires_at <= created_at + interval '2184 hours')
);
create index admin_token_of_session on admin_token (expires_at, token_id) where openid_sub is not null;

-- A browser that has signed in with a token. The session ends with the token, after 30 idle minutes, or after 8 hours.
create table admin_session (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  token_id uuid not null references admin_token,
  -- When its operator last proved who they are: by a token, or by signing in anew at the issuer. Null of a session that the
  -- issuer may have let in without asking.
  proven_at timestamptz(3),
  created_at timestamptz(3) not null default business_now(),
  last_used_at timestamptz(3) not null default business_now()
);
create index admin_session_by_age on admin_session (created_at);
create index admin_session_by_token on admin_session (token_id);

-- The result of a mutation that creates something, so that a repeated request creates nothing. Kept for 24 hours.
create table admin_idempotency (
  token_id uuid not null references admin_token,
  idempotency_key text collate "C" not null,
  -- Of operation and input.
  request_mac bytea not null,
  -- Null only inside the transaction that creates it.
  result_id uuid,
  created_at timestamptz(3) not null default business_now(),
  primary key (token_id, idempotency_key)
);
create index admin_idempotency_by_age on admin_idempotency (created_at);

-- A role that cannot read a credential cannot delete one that is still valid. The worker deletes only ended ones.
create function refuse_unreadable_credential() returns trigger language plpgsql as $$
begin
  if not has_column_privilege(tg_relid, tg_argv[0], 'select') then
    raise insufficient_privilege using message = 'a role that cannot read a credential cannot delete one that is still valid';
  end if;
  return old;
end
$$;
create trigger admin_token_ends before delete on admin_token
  for each row when (old.expires_at > business_now()) execute function refuse_unreadable_credential('secret_sha256');
create trigger admin_session_ends before delete on admin_session
  for each row when (old.created_at > business_now() - interval '8 hours')
  execute function refuse_unreadable_credential('session_sha256');
create trigger admin_idempotency_ends before delete on admin_idempotency
  for each row when (old.created_at > business_now() - interval '24 hours')
  execute function refuse_unreadable_credential('request_mac');

-- Actions and refusals of operators and the command line. Entries are inserted, never changed, and only reads are deleted.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  happened_at timestamptz(3) not null default business_now(),
  actor text collate "C" not null,
  action text collate "C" not null,
  target text collate "C",
  -- Other ids that it concerned: a receipt, a bulk disconnect, a key, the jobs retried.
  related text[] collate "C" not null default '{}',
  outcome text collate "C" not null,
  -- The settings that it changed, as a list of { setting, from, to } in words and numbers. No secret, no URL, no person.
  changes jsonb,
  -- What its ids named at that time, as a list of { id, kind, name, appId }: names change, and things are removed.
  things jsonb,
  -- An operator's read of a person. Reads outnumber what operators do, so only they have an end: after a year.
  is_read boolean not null default false,
  correlation_id uuid
);
create index audit_log_by_time on audit_log (happened_at, audit_id);
create index audit_log_by_target on audit_log (target, audit_id);
create index audit_log_by_actor on audit_log (actor, audit_id);
create index audit_log_by_action on audit_log (action, audit_id);
create index audit_log_by_correlation on audit_log (correlation_id) where correlation_id is not null;
create index audit_log_by_related on audit_log using gin (related);
-- The reads that are due to be deleted.
create index audit_log_reads on audit_log (happened_at, audit_id) where is_read;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is insert-only';
end
$$;
create trigger audit_log_insert_only before update or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_log_kept before delete on audit_log
  for each row when (not old.is_read or old.happened_at > business_now() - interval '1 year')
  execute function refuse_change();

-- Outbox ------------------------------------------------------------------------------------------------------------------

-- Workflows to start or signal, committed together with the rows that need them. Ids and codes only. Bulk work never delays a
-- person: entries wait in lanes. Temporal shares the work between apps (D-255).
create table outbox (
  outbox_id bigint generated always as identity primary key,
  workflow_id text collate "C" not null,
  workflow_type text collate "C" not null,
  input jsonb not null,
  signal_name text collate "C",
  search_attributes jsonb not null default '{}',
  -- Whether a workflow that has closed is started again to receive the signal.
  restart boolean not null default false,
  -- 1: a person waits for it. 2: an app asked for it. 3: bulk work. 4: Temporal has refused it.
  lane smallint not null default 2,
  -- Entries with the same key are one entry until it is tried. Null for an entry of its own.
  once_key text collate "C",
  correlation_id uuid,
  -- The trace in which the entry was written (W3C Trace Context); its delivery continues that trace.
  traceparent text collate "C",
  tries integer not null default 0,
  -- How often Temporal has refused the entry, and why its last delivery failed: a closed code.
  refusals integer not null default 0,
  last_failure text collate "C",
  next_retry_at timestamptz(3) not null default business_now(),
  created_at timestamptz(3) not null default business_now()
  -- Each row is deleted within moments: the dead ones must go as fast.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- Entries by lane, longest due first.
create index outbox_due on outbox (lane, next_retry_at, outbox_id);
create unique index outbox_once on outbox (once_key) where tries = 0 and once_key is not null;
create index outbox_by_workflow on outbox (workflow_id, outbox_id);

-- Installation ------------------------------------------------------------------------------------------------------------

-- Identifies this database in Temporal, so that workers and apis of two installations do not share a task queue.
create table installation (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null default gen_random_uuid()
);
insert into installation default values;

-- The workers that use this database, and where it was then. A copy of the database has rows of workers that use the original.
create table worker_presence (
  worker_id uuid primary key,
  place text collate "C" not null,
  -- Names the worker to people.
  name text collate "C",
  seen_at timestamptz(3) not null default now(),
  -- Tells a worker that has stopped on request from one that no longer reports.
  ended_at timestamptz(3)
);

-- Webhooks ----------------------------------------------------------------------------------------------------------------

-- A URL of an app to which the service sends events.
create table webhook_endpoint (
  endpoint_id uuid primary key,
  app_id uuid not null references app,
  url text collate "C" not null check (char_length(url) between 1 and 2048),
  event_types text[] collate "C" not null check (cardinality(event_types) > 0),
  enabled boolean not null default true,
  -- OPERATOR: switched off by hand. GONE: the endpoint answered 410. FAILING: no try succeeded for 3 days.
  disabled_reason text collate "C" check (disabled_reason in ('OPERATOR', 'GONE', 'FAILING')),
  disabled_at timestamptz(3),
  -- Whether new events get a delivery. Those of an endpoint that failed wait until it is enabled again.
  collects boolean generated always as (enabled or disabled_reason = 'FAILING') stored,
  -- The first failed try since the last success, and how many there were.
  failing_since timestamptz(3),
  failures integer not null default 0,
  -- The last failure that is over: an operator who looks later finds no other trace. Null without one of at least three tries.
  failed_from timestamptz(3),
  failed_until timestamptz(3),
  failed_tries integer,
  failed_answer text collate "C",
  -- No delivery is tried before this instant: after several failures in a row, or because the endpoint asked us to wait.
  paused_until timestamptz(3),
  created_at timestamptz(3) not null default business_now(),
  check (enabled = (disabled_reason is null) and enabled = (disabled_at is null))
);
create index webhook_endpoint_by_app on webhook_endpoint (app_id, created_at, endpoint_id);

-- A secret with which deliveries to an endpoint are signed. At most two are active, for rotation.
create table webhook_secret (
  secret_id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint on delete cascade,
  sealed_secret text collate "C" not null,
  created_at timestamptz(3) not null default business_now(),
  -- It signs until then. Null: until it is retired.
  retires_at timestamptz(3)
);
create index webhook_secret_by_endpoint on webhook_secret (endpoint_id);
create index webhook_secret_retired on webhook_secret (retires_at, secret_id) where retires_at is not null;

-- A fact that apps are told. Triggers write it in the transaction that makes it true. Our own ids, closed codes, counts and
-- instants only: it outlives the connection.
create table webhook_event (
  event_id uuid primary key default gen_random_uuid(),
  app_id uuid not null references app,
  type text collate "C" not null,
  -- Not a foreign key: the event outlives the connection.
  connection_id uuid,
  -- Orders the events of one connection. It is below 2^53 and never falls behind the clock, also after a restore.
  sequence bigint,
  -- { type-specific fields in camelCase }
  data jsonb not null,
  occurred_at timestamptz(3) not null default business_now(),
  check ((connection_id is null) = (sequence is null))
);
create unique index webhook_event_in_order on webhook_event (connection_id, sequence) where connection_id is not null;
create index webhook_event_by_app on webhook_event (app_id, occurred_at, event_id);
create index webhook_event_old on webhook_event (occurred_at, event_id);

-- An event on its way to one endpoint.
create table webhook_delivery (
  delivery_id uuid primary key default gen_random_uuid(),
  event_id uuid not null references webhook_event on delete cascade,
  -- Not a foreign key: a list of deliveries outlives the endpoint.
  endpoint_id uuid not null,
  -- As in the event, for lists.
  app_id uuid not null references app,
  event_type text collate "C" not null,
  connection_id uuid,
  status text collate "C" not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  -- Tries since the delivery was last asked for.
  tries integer not null default 0,
  -- While PENDING. A worker that tries it moves this ahead, so that no other worker does.
  next_retry_at timestamptz(3) default business_now(),
  -- The last answer's status code, or the closed code of a try without an answer.
  last_http_status integer,
  last_failure text collate "C",
  last_tried_at timestamptz(3),
  -- The last tries, oldest first, as a list of { at, durationMs, status, failure }.
  history jsonb not null default '[]',
  finished_at timestamptz(3),
  -- As in the event.
  occurred_at timestamptz(3) not null default business_now(),
  unique (event_id, endpoint_id),
  check ((status = 'PENDING') = (next_retry_at is not null))
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_retry_at, delivery_id) where status = 'PENDING';
create index webhook_delivery_newest on webhook_delivery (occurred_at, delivery_id);
create index webhook_delivery_by_app on webhook_delivery (app_id, occurred_at, delivery_id);
create index webhook_delivery_by_endpoint on webhook_delivery (endpoint_id, occurred_at, delivery_id);
create index webhook_delivery_by_status on webhook_delivery (endpoint_id, status, occurred_at, delivery_id);
create index webhook_delivery_by_failure
  on webhook_delivery (coalesce(last_failure, 'HTTP_' || last_http_status::text), occurred_at, delivery_id)
  where coalesce(last_failure, 'HTTP_' || last_http_status::text) is not null;
-- The last answer of an endpoint, beside many deliveries that it never got.
create index webhook_delivery_failed on webhook_delivery (endpoint_id, last_tried_at)
  where status = 'PENDING' and (last_http_status is not null or last_failure is not null);
create index webhook_delivery_by_connection on webhook_delivery (connection_id, occurred_at, delivery_id)
  where connection_id is not null;

-- An endpoint whose workflow is to be woken. Each event adds rows without reading any, so no transaction waits for another; a
-- worker turns all rows of an endpoint into one entry of the outbox.
create table webhook_wake (
  wake_id bigint generated always as identity primary key,
  -- Not a foreign key: it would lock the endpoint for each event.
  endpoint_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The number of a connection's last event. It goes with that event.
create table webhook_sequence (
  connection_id uuid primary key,
  last_number bigint not null
) with (fillfactor = 70);

-- Journal -----------------------------------------------------------------------------------------------------------------

-- Facts that a restored backup of this database must not undo. Triggers write each in the transaction that creates
-- it; a worker copies it to the journal outside the database. Random ids only.
create table journal_entry (
  entry_id uuid primary key default gen_random_uuid(),
  kind text collate "C" not null check (kind in ('CONNECTION', 'GRANT', 'KEPT_TOKENS', 'SUBJECT', 'APP_KEY', 'ADMIN_TOKEN')),
  id uuid not null,
  happened_at timestamptz(3) not null default business_now()
);
create index journal_entry_oldest on journal_entry (happened_at, entry_id);

-- One row: the number of the last line of the journal that this database knows. If the journal has more lines, the database
-- has been restored.
create table journal_state (
  only_row boolean primary key default true check (only_row),
  last_number bigint not null
);
insert into journal_state (last_number) values (0);

-- Acts as the owner: no process needs the right to write facts of its own.
create function journal_fact() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_entry (kind, id) values (tg_argv[0], (to_jsonb(new) ->> tg_argv[1])::uuid);
  return null;
end
$$;

-- A connection was disconnected: by a caller, an operator or a platform.
create trigger connection_journal after update of status on connection
  for each row when (new.status = 'DISCONNECTED' and old.status <> 'DISCONNECTED')
  execute function journal_fact('CONNECTION', 'connection_id');
-- A grant has ended.
create trigger account_grant_journal after update of status on account_grant
  for each row when (new.status = 'DEAD' and old.status <> 'DEAD')
  execute function journal_fact('GRANT', 'grant_id');
-- The tokens that a failed revoke had kept were destroyed.
create trigger disconnect_job_journal after update of sealed_tokens on disconnect_job
  for each row when (new.sealed_tokens is null and old.sealed_tokens is not null)
  execute function journal_fact('KEPT_TOKENS', 'job_id');
-- A person was erased.
create trigger scope_journal after update of external_subject_id on scope
  for each row when (new.external_subject_id <> old.external_subject_id)
  execute function journal_fact('SUBJECT', 'scope_id');
-- A credential was revoked.
create trigger app_key_journal after update of revoked_at on app_key
  for each row when (new.revoked_at is not null and old.revoked_at is null)
  execute function journal_fact('APP_KEY', 'key_id');
create trigger admin_token_journal after update of revoked_at on admin_token
  for each row when (new.revoked_at is not null and old.revoked_at is null)
  execute function journal_fact('ADMIN_TOKEN', 'token_id');

-- Webhook events ----------------------------------------------------------------------------------------------------------

-- Writes events, a delivery for each endpoint that wants one, and what wakes the endpoints. An event that no endpoint of the app wants
-- costs one probe of an index. It acts as the owner: no process needs the right to write events of its own.
create function write_webhook_events(told_apps uuid[], event_types text[], connections uuid[], event_data jsonb[])
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- Microseconds of the clock: after a restore, and after old events are deleted, it is ahead of every number in use.
  clock_number bigint := (extract(epoch from business_now()) * 1000000)::bigint;
begin
  -- Also of a disabled one: an operator can ask for what it has missed.
  if not exists (select from webhook_endpoint e where e.app_id = any(told_apps)
      and e.event_types && write_webhook_events.event_types) then
    return;
  end if;
  with told as materialized (
    select told.*, row_number() over (partition by told.connection_id order by place) as rank
    from unnest(told_apps, event_types, connections, event_data) with ordinality
      as told (app_id, type, connection_id, data, place)
    where (app_id, type) in (select e.app_id, unnest(e.event_types) from webhook_endpoint e where e.app_id = any(told_apps))
  ), numbered as (
    -- The row is locked until the end of the transaction: events of one connection become visible in their order.
    insert into webhook_sequence as last (connection_id, last_number)
    select connection_id, clock_number + count(*) - 1 from told
    where connection_id is not null group by connection_id order by connection_id
    on conflict (connection_id) do update
      set last_number = greatest(excluded.last_number, last.last_number + excluded.last_number - clock_number + 1)
    returning connection_id, last_number
  ), event as (
    insert into webhook_event (app_id, type, connection_id, sequence, data)
    select app_id, type, connection_id, last_number - count(*) over (partition by connection_id) + rank, data
    from told left join numbered using (connection_id)
    returning event_id, app_id, type, connection_id, occurred_at
  ), delivery as (
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, connection_id, occurred_at)
    select event_id, endpoint_id, event.app_id, event.type, connection_id, occurred_at
    from event join webhook_endpoint e on e.app_id = event.app_id and e.collects and event.type = any(e.event_types)
    returning endpoint_id
  )
  insert into webhook_wake (endpoint_id)
  select endpoint_id from webhook_endpoint
  -- The workflow of a paused endpoint has a timer. Thousands of events for a dead endpoint wake nobody.
  where endpoint_id in (select endpoint_id from delivery) and enabled
    and coalesce(paused_until <= business_now() + interval '10 seconds', true);
end
$$;
revoke execute on function write_webhook_events from public;

create function write_webhook_event(told_app uuid, event_type text, about_connection uuid, event_data jsonb)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Most facts interest no endpoint: they cost one probe.
  if exists (select from webhook_endpoint e where e.app_id = told_app and event_type = any(e.event_types)) then
    perform write_webhook_events(array[told_app], array[event_type], array[about_connection], array[event_data]);
  end if;
end
$$;
revoke execute on function write_webhook_event from public;

-- Each fact below is the change of a status in a row, so that no code path can forget its event. The triggers of changes are
-- deferred to the commit: by then the transaction holds all of its row locks, and the order of events adds no deadlock.

create function webhook_added_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_events(array_agg(app_id), array_agg('connection.connected'::text), array_agg(connection_id),
      array_agg(jsonb_build_object('provider', provider, 'status', status)))
    from added where status = 'CONNECTED' having count(*) > 0;
  return null;
end
$$;
create trigger connection_added_webhook after insert on connection
  referencing new table as added for each statement execute function webhook_added_connections();

create function webhook_moved_connection() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  event_type text := case
    when new.status = 'RECONNECT_REQUIRED' then 'connection.reconnect_required'
    when new.status = 'SUSPENDED' then 'connection.suspended'
    when new.status = 'DISCONNECTED' then 'connection.disconnected'
    when old.status = 'SUSPENDED' then 'connection.resumed'
    else 'connection.connected'
  end;
  because text := case
    when 'SUSPENDED' in (old.status, new.status) and new.status in ('SUSPENDED', 'CONNECTED') then 'ACCOUNT_DISCONNECTING'
    when new.status = 'DISCONNECTED' then (
      select reason from disconnect_job where connection_id = new.connection_id and kind = 'ERASE'
    )
  end;
  erases jsonb := '{}';
begin
  if new.status = 'RECONNECT_REQUIRED' then
    select jsonb_build_object('erasesAt', to_char(
        greatest(business_now(), new.unproven_since + make_interval(days => days)) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      into erases
      from (select nullif(disconnect_days(provider, disconnect_after_days), 0) as days
        from registration where registration_id = new.registration_id) as setting;
  end if;
  perform write_webhook_event(new.app_id, event_type, new.connection_id, jsonb_strip_nulls(
    jsonb_build_object('provider', new.provider, 'status', new.status, 'reason', because)) || erases);
  return null;
end
$$;
create constraint trigger connection_moved_webhook after update of status on connection deferrable initially deferred
  for each row when (new.status <> old.status and new.status <> 'DELETING') execute function webhook_moved_connection();

create function webhook_erased_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_events(array_agg(app_id), array_agg('connection.erased'::text), array_agg(connection_id),
      array_agg(jsonb_strip_nulls(jsonb_build_object('provider', provider, 'reason', (
        select reason from disconnect_job j where j.connection_id = removed.connection_id and kind = 'ERASE'
      )))))
    from removed having count(*) > 0;
  return null;
end
$$;
create trigger connection_erased_webhook after delete on connection
  referencing old table as removed for each statement execute function webhook_erased_connections();

-- A pause leaves the rows CONNECTED and refuses their reads: one event tells the app of all connections at the provider.
create function webhook_paused_registration() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_event(app_id,
      case when new.paused_at is null then 'connection.resumed' else 'connection.suspended' end, null,
      jsonb_build_object('provider', new.provider, 'reason', 'REGISTRATION_PAUSED'))
    from registration_app where registration_id = new.registration_id;
  return null;
end
$$;
create constraint trigger registration_paused_webhook after update of paused_at on registration deferrable initially deferred
  for each row when ((new.paused_at is null) <> (old.paused_at is null)) execute function webhook_paused_registration();

create function webhook_ended_attempt() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_event(new.app_id, 'connect_session.finished', new.connection_id, jsonb_build_object(
    'sessionId', new.attempt_id, 'provider', new.provider, 'status', new.status, 'resultCode', new.result_code,
    'creatorAction', new.creator_action));
  return null;
end
$$;
-- An imported attempt has no return URL: the app began no session.
create constraint trigger connect_attempt_ended_webhook after update of status on connect_attempt deferrable initially deferred
  for each row when (new.status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
    and old.status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and new.return_url <> '')
  execute function webhook_ended_attempt();
-- An exchange may end after its attempt: only then does the service know that a grant may stay at the platform. The app was told
-- of the end already, and after an erasure it can read nothing, so the event comes once more, with the creatorAction.
create constraint trigger connect_attempt_action_webhook after update of creator_action on connect_attempt deferrable initially deferred
  for each row when (old.creator_action is null and new.creator_action is not null
    and old.status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and new.return_url <> '')
  execute function webhook_ended_attempt();

create function webhook_ended_sign_in() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_event(new.app_id, 'identity_session.finished', null,
    jsonb_build_object('sessionId', new.attempt_id, 'status', new.status));
  return null;
end
$$;
create constraint trigger identity_attempt_ended_webhook after update of status on identity_attempt deferrable initially deferred
  for each row when (new.status <> 'PENDING' and old.status = 'PENDING') execute function webhook_ended_sign_in();

create function webhook_ended_read() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not new.is_refresh then -- The app asked for no job: it learns what has changed.
    perform write_webhook_event(new.app_id, 'job.finished', new.connection_id, jsonb_build_object(
      'jobId', new.job_id, 'kind', new.kind, 'requestedBy', new.requested_by, 'status', new.status,
      'errorCode', new.error_code, 'incompleteReason', new.incomplete_reason));
  end if;
  if new.status <> 'CANCELED' and new.added_count + new.changed_count + new.removed_count > 0 then
    perform write_webhook_event(new.app_id, 'content.changed', new.connection_id, jsonb_build_object(
      'jobId', new.job_id, 'addedCount', new.added_count, 'changedCount', new.changed_count,
      'removedCount', new.removed_count));
  end if;
  return null;
end
$$;
create constraint trigger read_job_ended_webhook after update of status on read_job deferrable initially deferred
  for each row when (new.status in ('SUCCEEDED', 'FAILED', 'CANCELED') and old.status in ('QUEUED', 'RUNNING'))
  execute function webhook_ended_read();

create function webhook_settled_receipt() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_webhook_event(new.app_id, 'receipt.settled', new.connection_id, jsonb_build_object(
    'jobId', new.job_id, 'kind', new.kind, 'status', new.status, 'errorCode', new.error_code,
    'creatorAction', new.creator_action));
  return null;
end
$$;
create constraint trigger disconnect_job_settled_webhook after update of status on disconnect_job deferrable initially deferred
  for each row when (new.kind <> 'COMPENSATION' and new.status in ('SUCCEEDED', 'FAILED', 'CANCELED')
    and old.status in ('QUEUED', 'RUNNING')) execute function webhook_settled_receipt();

-- Fail-overs -------------------------------------------------------------------------------------------------------------

-- A fail-over may lose the last commits, and with them the rotation of a token: the database then holds a token that the platform has
-- replaced. Each fail-over begins a new timeline. So tokens that were stored on an earlier one are doubtful: a refusal of them does
-- not prove that the grant has ended.
-- A fail-over may also lose commits of which others have heard: Temporal has run their workflows, and apps have been told of them by
-- webhooks. A worker looks for such commits after each fail-over.

-- The first digits of the name of each WAL file. Null where a server does not say.
create function current_timeline() returns text
language plpgsql stable parallel safe as $$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return null;
end
$$;

-- One row: the timeline that a worker has looked at last. A later one has begun with a fail-over.
create table failover_state (
  only_row boolean primary key default true check (only_row),
  handled_timeline text collate "C",
  -- Until then, one worker looks.
  taken_until timestamptz(3) not null default '-infinity'
);
insert into failover_state (handled_timeline) values (current_timeline());

-- Tells an endpoint the status of connections of which it was told something that is lost: null for a connection that is lost as well.
-- The event is newer than the lost one, also if the clock of this server is behind. It acts as the owner: no process needs the
-- right to write events of its own.
create function write_corrections(to_endpoint uuid, about_connections uuid[], lost_numbers bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock_number bigint := (extract(epoch from business_now()) * 1000000)::bigint;
begin
  with endpoint as materialized (
    select endpoint_id, app_id from webhook_endpoint where endpoint_id = to_endpoint and collects
  ), told as materialized (
    select app_id, connection_id, greatest(clock_number, lost_number + 1) as next_number,
      jsonb_build_object('provider', c.provider, 'status', c.status) as data
    from endpoint cross join unnest(about_connections, lost_numbers) as lost (connection_id, lost_number)
      left join connection c using (connection_id, app_id)
  ), numbered as (
    insert into webhook_sequence as last (connection_id, last_number)
    select connection_id, next_number from told order by connection_id
    on conflict (connection_id) do update set last_number = greatest(excluded.last_number, last.last_number + 1)
    returning connection_id, last_number
  ), event as (
    insert into webhook_event (app_id, type, connection_id, sequence, data)
    select app_id, 'connection.corrected', connection_id, last_number, data from told join numbered using (connection_id)
    returning event_id, app_id, type, connection_id, occurred_at
  ), delivery as (
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, connection_id, occurred_at)
    select event_id, to_endpoint, app_id, type, connection_id, occurred_at from event returning endpoint_id
  )
  insert into webhook_wake (endpoint_id) select distinct endpoint_id from delivery;
end
$$;
revoke execute on function write_corrections from public;

-- Revokes a credential that the journal names. A worker repeats so what a fail-over has lost, and can do nothing else with it.
create function repeat_revocation(of_key uuid, of_token uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_repeated boolean;
begin
  update app_key set revoked_at = business_now() where key_id = of_key and revoked_at is null;
  is_repeated := found;
  update admin_token set revoked_at = business_now() where token_id = of_token and revoked_at is null;
  return is_repeated or found;
end
$$;
revoke execute on function repeat_revocation from public;

-- Names the cluster and the database, which a fail-over keeps. Null where a server does not say.
create function current_cluster() returns text
language plpgsql stable parallel safe as $$
begin
  return concat_ws('/', (select system_identifier from pg_control_system()),
    (select oid from pg_database where datname = current_database()));
exception when others then
  return null;
end
$$;

-- Counts ------------------------------------------------------------------------------------------------------------------

-- The number of connections by provider and status is the sum of `change`. Every insert, delete and change of status adds a
-- row, so that no transaction waits for another. Reconciliation merges the rows.
create table connection_count (
  count_id bigint primary key generated always as identity,
  provider provider_name not null,
  status text collate "C" not null,
  change bigint not null
);

-- These act as the owner: no process needs the right to write counts of its own.
create function count_added_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into connection_count (provider, status, change) select provider, status, count(*) from added group by 1, 2;
  return null;
end
$$;
create function count_removed_connections() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into connection_count (provider, status, change) select provider, status, -count(*) from removed group by 1, 2;
  return null;
end
$$;
create function count_moved_connection() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into connection_count (provider, status, change)
  values (old.provider, old.status, -1), (new.provider, new.status, 1);
  return null;
end
$$;
create trigger connection_added after insert on connection
  referencing new table as added for each statement execute function count_added_connections();
create trigger connection_removed after delete on connection
  referencing old table as removed for each statement execute function count_removed_connections();
create trigger connection_moved after update of status on connection
  for each row when (new.status <> old.status) execute function count_moved_connection();

-- What has ended, hour by hour, so that operators see it over a day and a month. Each end adds a row to `ended_work`, in its own
-- transaction, and writes none that others write: no transaction waits for another. Reconciliation adds the rows
-- up in `ended_work_count`. The counts outlive the rows they count, and name no person.
create table ended_work (
  end_id bigint primary key generated always as identity,
  hour timestamptz(3) not null,
  app_id uuid not null,
  kind text collate "C" not null,
  provider provider_name,
  -- As in `ended_work_count`.
  outcome text collate "C" not null,
  -- -1 of a delivery that is sent again.
  count integer not null default 1
);
create table ended_work_count (
  count_id bigint primary key generated always as identity,
  -- Null: of all apps.
  app_id uuid,
  hour timestamptz(3) not null,
  kind text collate "C" not null check (kind in ('CONNECT', 'READ', 'TOKEN_REFRESH', 'REVOKE', 'WEBHOOK')),
  -- Null for a webhook, which may concern no provider.
  provider provider_name,
  -- COMPLETED, SUCCEEDED or DELIVERED; otherwise the code of the reason and, after a blank, the cause.
  outcome text collate "C" not null,
  count bigint not null
);
create unique index ended_work_count_of on ended_work_count (app_id, hour, kind, provider, outcome) nulls not distinct;
create index ended_work_count_old on ended_work_count (hour);

-- Only triggers call it, as the owner: no process needs the right to write ends of its own.
create function count_end(ended_at timestamptz, of_app uuid, kind text, of_provider provider_name, outcome text) returns void
  language sql
  begin atomic
    insert into ended_work (hour, app_id, kind, provider, outcome)
    values (date_trunc('hour', ended_at, 'UTC'), of_app, kind, of_provider, outcome);
  end;
revoke execute on function count_end from public;

-- The cause of a failure: as in `last_answer`, and the platform's code. Null if no request was sent.
create function name_cause(answer text, code text) returns text
  language sql immutable parallel safe
  return nullif(concat_ws(' ', answer, left(code, 60)), '');
revoke execute on function name_cause from public;

-- An attempt counts in the hour in which it began, and a delivery in the hour of its event, as their lists are ordered. An attempt that
-- its person could not finish has the page of ours that refused their browser as its cause.
create function count_ended_attempt() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(new.created_at, new.app_id, 'CONNECT', new.provider,
    case
      when new.status = 'COMPLETED' then 'COMPLETED'
      when new.status = 'FAILED' then concat_ws(' ', coalesce(new.result_code, new.status),
        name_cause(new.last_answer, new.last_answer_code))
      when new.status in ('EXPIRED', 'CANCELED') then concat_ws(' ', coalesce(new.result_code, new.status), new.last_refusal)
      else coalesce(new.result_code, new.status)
    end);
  return null;
end
$$;
-- An import makes no attempt of a person.
create trigger connect_attempt_ended_counted after update of status on connect_attempt
  for each row when (new.status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
    and old.status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and new.return_url <> '')
  execute function count_ended_attempt();

-- A revoke that only the person can finish is not one that we made: it counts on its own.
create function count_ended_job() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(coalesce(new.finished_at, business_now()), new.app_id, tg_argv[0], new.provider,
    case
      when new.status = 'FAILED' then concat_ws(' ', coalesce(new.error_code, new.last_failure, 'INTERNAL'),
        name_cause(new.last_answer, null))
      -- Only one of the two tables has the column.
      when new.status = 'SUCCEEDED' then coalesce(to_jsonb(new) ->> 'creator_action', new.status)
      else new.status
    end);
  return null;
end
$$;
create trigger read_job_ended_counted after update of status on read_job
  for each row when (new.status in ('SUCCEEDED', 'FAILED', 'CANCELED') and old.status in ('QUEUED', 'RUNNING'))
  execute function count_ended_job('READ');
create trigger disconnect_job_ended_counted after update of status on disconnect_job
  for each row when (new.kind <> 'ERASE' and new.status in ('SUCCEEDED', 'FAILED', 'CANCELED')
    and old.status in ('QUEUED', 'RUNNING')) execute function count_ended_job('REVOKE');

-- A token refresh leaves no row of its own: a new generation of the tokens, or a connection that lost its grant.
create function count_refreshed_token() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(business_now(), app_id, 'TOKEN_REFRESH', new.provider, 'SUCCEEDED')
    from scope where scope_id = new.scope_id;
  return null;
end
$$;
create trigger account_grant_refreshed_counted after update of generation on account_grant
  for each row when (new.generation > old.generation and new.status = 'LIVE') execute function count_refreshed_token();
create function count_lost_grant() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(business_now(), new.app_id, 'TOKEN_REFRESH', new.provider, new.status);
  return null;
end
$$;
create trigger connection_lost_counted after update of status on connection
  for each row when (new.status = 'RECONNECT_REQUIRED' and old.status <> 'RECONNECT_REQUIRED')
  execute function count_lost_grant();

create function count_ended_delivery() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_end(new.occurred_at, new.app_id, 'WEBHOOK', null,
    case when new.status = 'FAILED' then coalesce(new.last_failure, 'HTTP_' || new.last_http_status, 'FAILED') else new.status end);
  return null;
end
$$;
create trigger webhook_delivery_ended_counted after update of status on webhook_delivery
  for each row when (new.status in ('DELIVERED', 'FAILED') and old.status = 'PENDING')
  execute function count_ended_delivery();
-- A delivery that an operator sends again has not ended: its first end no longer counts, or one that succeeds now would still look failed.
create function uncount_repeated_delivery() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ended_work (hour, app_id, kind, outcome, count)
  values (date_trunc('hour', old.occurred_at, 'UTC'), old.app_id, 'WEBHOOK',
    case when old.status = 'FAILED' then coalesce(old.last_failure, 'HTTP_' || old.last_http_status, 'FAILED') else old.status end, -1);
  return null;
end
$$;
create trigger webhook_delivery_repeated_uncounted after update of status on webhook_delivery
  for each row when (old.status in ('DELIVERED', 'FAILED') and new.status = 'PENDING')
  execute function uncount_repeated_delivery();

-- One row: the state of the service for metrics. One worker measures it, once a minute.
create table gauge_snapshot (
  only_row boolean primary key default true check (only_row),
  measured_at timestamptz(3) not null,
  state jsonb not null
);
insert into gauge_snapshot (measured_at, state) values ('-infinity', '{}');

-- When a worker last ran the sweeps that need no workflow: of any number of workers, one takes each turn.
create table sweep_turn (
  only_row boolean primary key default true check (only_row),
  taken_at timestamptz(3) not null
);
insert into sweep_turn (taken_at) values ('-infinity');

-- Deletion ----------------------------------------------------------------------------------------------------------------

-- Deletes what was registered by mistake. The foreign keys decide: whatever else refers to the row keeps it. These act as the
-- owner, so that no process needs the right to delete an app, a registration or an issuer.
create function delete_unused_registration(of_registration uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The quick answers. The foreign keys of the other tables read those once.
  if exists (select from registration_app where registration_id = of_registration)
    or exists (select from connection where registration_id = of_registration) then
    return false;
  end if;
  delete from registration where registration_id = of_registration;
  return true;
exception when foreign_key_violation then
  return false;
end
$$;
revoke execute on function delete_unused_registration from public;

-- Apps that use the issuer, and attempts that began with it, keep it.
create function delete_unused_issuer(of_issuer uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from identity_issuer where issuer_id = of_issuer;
  return true;
exception when foreign_key_violation then
  return false;
end
$$;
revoke execute on function delete_unused_issuer from public;

create function delete_unused_app(of_app uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from scope where app_id = of_app)
    or exists (select from app_key where app_id = of_app and revoked_at is null and coalesce(expires_at > business_now(), true)) then
    return false;
  end if;
  delete from app_logo where app_id = of_app;
  delete from app_key where app_id = of_app;
  delete from tenant where app_id = of_app;
  delete from return_url where app_id = of_app;
  delete from launch_origin where app_id = of_app;
  delete from app_policy where app_id = of_app;
  delete from registration_app where app_id = of_app;
  delete from app_identity where app_id = of_app;
  delete from webhook_endpoint where app_id = of_app;
  delete from app where app_id = of_app;
  return true;
exception when foreign_key_violation then
  return false;
end
$$;
revoke execute on function delete_unused_app from public;
