// Renders docs/data.md: each kind of data, who reads it and when it ends. A test compares `COLUMNS` with the schema.

/**
 * The kinds of data. `form`: how Postgres stores it. `operators`: how operators see it. `steps`: the steps of retention that
 * end it by the clock. `ends`: the other ends.
 */
export const KINDS = {
  subject: {
    name: "The app's keys of a person",
    what: 'tenant key and subject, as the app sends them',
    form: 'plain',
    operators: 'every role',
    purpose: 'whose account it is',
    steps: [],
    ends: 'the last connection, attempt or grant of the person; `eraseSubject`, at once; of a tenant, `removeTenant`',
  },
  account: {
    name: "The platform's id of an account",
    what: 'channel id, open_id, user id',
    form: 'plain',
    operators: 'every role',
    purpose: 'to recognize the account',
    steps: [],
    ends: 'the erase; of an attempt without a connection its end',
  },
  profile: {
    name: 'Profile',
    what: 'name, handle, picture URL, profile URL, description',
    form: 'plain',
    operators: 'name and handle: ADMIN, others on audited request. The rest: in an export',
    purpose: 'to serve PROFILE to the app',
    steps: ['oldProfiles'],
    ends: 'the purge, right after a disconnect',
  },
  posts: {
    name: 'Posts and metrics',
    what: "the platform's id, URLs, title, description, time, counts",
    form: 'plain',
    operators: 'in an export',
    purpose: 'to serve content to the app',
    steps: ['oldPosts'],
    ends: 'the purge, right after a disconnect',
  },
  requests: {
    name: 'What an app asked to read',
    what: "a pasted URL, a post's id, the platform's cursor",
    form: 'plain',
    operators: 'in an export',
    purpose: 'to run the read',
    steps: ['oldReadJobs'],
    ends: 'the purge, right after a disconnect',
  },
  consent: {
    name: 'Consent',
    what: 'granted permissions and capabilities, and when',
    form: 'plain',
    operators: 'every role',
    purpose: 'to prove and respect the consent',
    steps: ['oldAttempts', 'oldGrants'],
    ends: 'the erase',
  },
  tokens: {
    name: 'Tokens',
    what: 'access and refresh token',
    form: 'sealed',
    operators: 'none',
    purpose: 'to read the account, and to revoke',
    steps: ['oldKeptTokens'],
    ends: 'the revoke; a platform that refuses them; the erasure of the person',
  },
  flow: {
    name: 'Codes and verifiers',
    what: 'authorization code, PKCE verifier, nonce',
    form: 'sealed',
    operators: 'none',
    purpose: 'to exchange the code once',
    steps: [],
    ends: 'the end of the attempt, 10 minutes at most',
  },
  claims: {
    name: 'Claims of a sign-in',
    what: "the issuer's id, e-mail address, name, picture URL",
    form: 'sealed',
    operators: 'none',
    purpose: 'to hand them to the app, once',
    steps: ['oldIdentityAttempts'],
    ends: 'the redeem',
  },
  proofs: {
    name: 'One-use secrets of a browser',
    what: 'launch token, state, cookie, result proof',
    form: 'hashed',
    operators: 'none',
    purpose: 'to bind a flow to one browser',
    steps: [],
    ends: 'with their attempt',
  },
  recognition: {
    name: 'Keyed hashes that recognize a person',
    what: "of the app's keys, account, principal, imported token, post's id",
    form: 'hashed',
    operators: 'none',
    purpose: 'to find receipts and accounts without a name',
    steps: ['oldImportedTokens'],
    ends: 'with their row',
  },
  record: {
    name: 'State of connections and jobs',
    what: 'ids of ours, statuses, codes, instants',
    form: 'plain',
    operators: 'every role',
    purpose: 'to do and show the work',
    steps: ['oldReceipts', 'oldBulkDisconnects', 'oldCoverage'],
    ends: 'the erase; of receipts their age',
  },
  deletions: {
    name: 'Records of deletions',
    what: 'confirmation code, instants, ids of ours',
    form: 'plain',
    operators: 'every role',
    purpose: 'to prove an erasure and repeat it after a restore',
    steps: ['oldErasures', 'oldDeletionRequests', 'oldJournalEntries'],
    ends: 'their age',
  },
  events: {
    name: 'Webhook events',
    what: 'ids of ours, codes, instants, results of deliveries',
    form: 'plain',
    operators: 'every role',
    purpose: 'to notify the app of changes',
    steps: ['oldWebhookEvents'],
    ends: 'their age',
  },
  operators: {
    name: 'Operators',
    what: "a token's label, the issuer's id or a command's user and host, acts, whose data they read",
    form: 'plain',
    operators: 'every role',
    purpose: 'to account for acts and reads',
    steps: ['oldPersonReads', 'oldSessionTokens', 'oldAdminSessions', 'oldAdminIdempotencyKeys'],
    ends: 'acts and issued tokens have no end',
  },
  operatorSecrets: {
    name: 'Secrets of operators and apps',
    what: 'admin token, session, key of an app',
    form: 'hashed',
    operators: 'none',
    purpose: 'to authenticate them',
    steps: [],
    ends: 'of sessions and admin tokens as above; keys stay',
  },
  clientSecrets: {
    name: 'Secrets of our clients and webhooks',
    what: 'client secret, signing secret',
    form: 'sealed',
    operators: 'none',
    purpose: 'to authenticate us, and to sign',
    steps: ['oldWebhookSecrets'],
    ends: 'their replacement',
  },
  settings: {
    name: 'Settings and counts, no person',
    what: 'apps, policies, registrations, endpoints, counters, outbox',
    form: 'plain',
    operators: 'every role',
    purpose: 'to run the service',
    steps: ['oldUsage', 'oldEndedWork', 'oldUnknownAnswers'],
    ends: '–',
  },
};

/** Every column of every table, by its kind. `*`: the other columns of a table of settings, which contains no person. */
export const COLUMNS = {
  account_grant: {
    account: 'provider_account_id',
    profile: 'profile',
    consent: 'permissions obtained_at status attempt_id',
    tokens: 'sealed_tokens',
    recognition: 'principal_mac account_macs import_mac',
    record:
      'grant_id profile_observed_at scope_id provider registration_id connection_id tokens_timeline access_expires_at refresh_expires_at generation refresh_claim refresh_claimed_at refused_at ended_by ended_answer ended_answer_code',
  },
  admin_idempotency: {
    operators: 'token_id result_id created_at',
    operatorSecrets: 'idempotency_key request_mac',
  },
  admin_session: { operators: 'token_id proven_at created_at last_used_at', operatorSecrets: 'session_sha256' },
  admin_token: {
    operators: 'token_id label role openid_sub created_at expires_at revoked_at last_used_at',
    operatorSecrets: 'secret_sha256',
  },
  app: { settings: '*' },
  app_identity: { settings: '*' },
  app_key: {
    settings: 'key_id app_id label created_at expires_at revoked_at last_used_at',
    operatorSecrets: 'secret_sha256',
  },
  app_logo: { settings: 'app_id sha256 width height image' },
  app_policy: { settings: '*' },
  audit_log: {
    operators: 'audit_id happened_at actor action target related outcome changes things correlation_id is_read',
  },
  bulk_disconnect: {
    subject: 'tenant_key',
    record: 'bulk_disconnect_id app_id registration_id total disconnected correlation_id started_at finished_at',
  },
  connect_attempt: {
    consent: 'capabilities created_at finished_at status',
    flow: 'sealed_code_verifier sealed_code',
    proofs: 'launch_token_sha256 state_sha256 browser_sha256',
    record:
      'attempt_id scope_id app_id provider registration_id return_url reconnect_connection_id result_code connection_id creator_action code_arrived_at exchange_claimed_at correlation_id expires_at result_expires_at noticed_at last_answer last_answer_code last_refusal last_refused_at',
  },
  connection: {
    account: 'provider_account_id',
    profile: 'profile',
    consent: 'capabilities proven_at removal_reported_at',
    record:
      'connection_id profile_observed_at scope_id app_id provider registration_id status sync_status last_successful_sync_at upkeep_due_at upkeep_failing_since refresh_due_at posts_read_since created_at changed_at proof_failed_at unproven_since',
  },
  connection_count: { settings: 'count_id provider status change' },
  content_item: {
    posts:
      'provider_content_id kind canonical_url details published_at availability reason metrics metrics_observed_at observed_at blanked_at',
    recognition: 'content_mac',
    record: 'content_item_id connection_id read_number missing_since',
  },
  coverage: { record: 'coverage_id connection_id published scanned_at' },
  deletion_request: { deletions: 'code requested_at found_count spared_newer' },
  deletion_request_connection: { deletions: 'code connection_id correlation_id' },
  disconnect_job: {
    tokens: 'sealed_tokens',
    recognition: 'scope_mac principal_mac account_macs',
    record:
      'job_id kind status connection_id grant_id attempt_id app_id provider registration_id scope_id bulk_disconnect_id erasure_id tokens_timeline keeps_tokens refresh_claim refresh_claimed_at creator_action error_code run tries failed_tries last_failure first_failed_at last_tried_at last_answer next_retry_at next_check_at awaits_revoke give_up_at correlation_id created_at started_at finished_at spares reason',
  },
  ended_work: { settings: 'end_id hour app_id kind provider outcome count' },
  ended_work_count: { settings: 'count_id app_id hour kind provider outcome count' },
  erasure: { recognition: 'scope_mac', deletions: 'erasure_id app_id connection_ids requested_at completed_at' },
  failover_state: { settings: 'only_row handled_timeline taken_until' },
  gauge_snapshot: { settings: 'only_row measured_at state' },
  identity_attempt: {
    subject: 'tenant_key',
    flow: 'sealed_nonce sealed_code_verifier sealed_code',
    claims: 'sealed_claims',
    proofs: 'launch_token_sha256 result_proof_sha256 state_sha256 browser_sha256',
    record:
      'attempt_id app_id issuer_id return_url status stage code_arrived_at exchange_claimed_at redeemed_at correlation_id created_at expires_at result_expires_at finished_at last_answer last_answer_code last_refusal last_refused_at',
  },
  identity_issuer: { settings: '*', clientSecrets: 'sealed_client_secret' },
  imported_token: { recognition: 'import_mac expires_at' },
  installation: { settings: 'only_row installation_id' },
  journal_entry: { deletions: 'entry_id kind id happened_at' },
  journal_state: { settings: 'only_row last_number' },
  launch_origin: { settings: 'app_id origin' },
  outbox: {
    settings:
      'outbox_id workflow_id workflow_type input signal_name search_attributes restart lane once_key correlation_id traceparent tries refusals last_failure next_retry_at created_at',
  },
  platform_callback_secret: { settings: 'secret_id registration_id created_at', clientSecrets: 'sealed_secret' },
  provider_rate_limit: { settings: 'provider' },
  read_job: {
    requests: 'provider_content_id url provider_cursor result_provider_content_id',
    recognition: 'url_sha256',
    record:
      'job_id published_after published_before window_omitted max_items read_number chain_number kind connection_id app_id provider requested_by is_refresh status item_count added_count changed_count removed_count steps reached_end chain_started_at read_before tries failed_tries last_failure failure_type failures_in_a_row first_failed_at last_tried_at last_answer next_retry_at next_check_at error_code incomplete_reason correlation_id created_at wanted_since started_at finished_at',
  },
  registration: { settings: '*', clientSecrets: 'sealed_client_secret' },
  registration_app: { settings: 'registration_id app_id serves_since' },
  registration_usage: { settings: 'registration_id day app_id units refresh_units' },
  return_url: { settings: 'app_id url' },
  schema_migration: { settings: 'name checksum applied_at' },
  scope: { subject: 'tenant_key external_subject_id', record: 'scope_id app_id erasure_id' },
  sweep_turn: { settings: 'only_row taken_at' },
  tenant: { subject: 'tenant_key', settings: 'app_id created_at' },
  unknown_answer: {
    settings: 'unknown_answer_id provider place status code text made_of_it times first_seen_at last_seen_at',
  },
  webhook_delivery: {
    events:
      'delivery_id event_id endpoint_id app_id event_type connection_id status tries next_retry_at last_http_status last_failure last_tried_at history finished_at occurred_at',
  },
  webhook_endpoint: { settings: '*' },
  webhook_event: { events: 'event_id app_id type connection_id sequence data occurred_at' },
  webhook_secret: { settings: 'secret_id endpoint_id created_at retires_at', clientSecrets: 'sealed_secret' },
  webhook_sequence: { events: 'connection_id last_number' },
  webhook_wake: { settings: 'wake_id endpoint_id' },
  worker_presence: { settings: 'worker_id place seen_at name ended_at' },
};

/** The kinds that the page leaves out: no personal data. */
const IMPERSONAL = ['clientSecrets', 'settings'];

const ROLES = ['api', 'worker', 'maintenance', 'readonly'];
const columnsOf = (kind) =>
  Object.entries(COLUMNS).flatMap(([table, kinds]) =>
    (kinds[kind] ?? '').split(' ').flatMap((one) => (one ? [`${table}.${one}`] : [])),
  );

/** The columns that each database role may select, as `ops/postgres/roles.sql` grants them. */
export function readGrants(roles) {
  const seen = new Map(ROLES.map((role) => [role, new Set()]));
  const text = roles.replaceAll(/--.*$/gm, '');
  for (const [, rights = '', tables = '', to = ''] of text.matchAll(
    /\bgrant\b([\s\S]*?)\bon\b([\s\S]*?)\bto\b([^;]*);/g,
  )) {
    for (const role of ROLES.filter((one) => to.includes(`accounts_${one}`))) {
      const [, columns] = /select\s*\(([^)]*)\)/.exec(rights) ?? [];
      const whole = columns === undefined && /\bselect\b/.test(rights);
      for (const table of tables.split(',').map((one) => one.trim())) {
        const own = whole
          ? Object.values(COLUMNS[table] ?? {})
              .join(' ')
              .split(' ')
          : (columns ?? '').split(',');
        for (const column of own) if (column.trim() !== '') seen.get(role)?.add(`${table}.${column.trim()}`);
      }
    }
  }
  return seen;
}

const tabulate = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---|').join('')}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
];

/** Steps whose instant alone would mislead. */
const WORDS = {
  oldGrants: 'a dead grant without a connection: at once',
  oldPosts: '30 days after `content_item.observed_at`',
};

/** `30 days after connection.profile_observed_at`. A since with a sum of its own stays as it is. */
const describeStep = ({ table, since, after }) => {
  const [name] = table.split(' ');
  return after === '0'
    ? `at \`${name}.${since}\``
    : `${after} after \`${name}.${since.replace('(day + 1)::timestamptz', 'day')}\``;
};

const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'];

/** @param {{ retentions: any, facts: any, formatProvider: (name: any) => string, roles: string }} sources the retention table, the platforms' facts and roles.sql */
export function renderData({ retentions, facts, formatProvider, roles }) {
  const grants = readGrants(roles);
  const readersOf = (kind) => {
    const own = columnsOf(kind);
    const told =
      KINDS[kind].form === 'plain' ? own : own.filter((name) => /sealed_|_mac|_macs|sha256|idempotency_key/.test(name));
    const readers = ROLES.filter((role) => told.some((name) => grants.get(role)?.has(name)));
    return readers.join(', ') || 'none';
  };
  const platforms = Object.values(facts);
  return [
    HEAD,
    ...tabulate(
      ['Kind', 'What', 'Stored', 'Purpose', 'Kept until', 'Operators', 'Database roles'],
      Object.entries(KINDS)
        .filter(([kind]) => !IMPERSONAL.includes(kind))
        .map(([kind, { name, what, form, operators, purpose, steps, ends }]) => [
          `**${name}**`,
          what,
          form,
          purpose,
          [...steps.map((step) => WORDS[step] ?? describeStep(retentions[step])), ends].join('; '),
          operators,
          readersOf(kind),
        ]),
    ),
    MIDDLE,
    ...tabulate(
      [
        'Platform',
        'Permissions',
        ...CAPABILITIES.map((name) => `\`${name}\``),
        'Disconnected after',
        'We revoke',
        'It reports',
      ],
      platforms.map((one) => [
        formatProvider(one.name),
        one
          .permissionsFor(CAPABILITIES)
          .map((name) => `\`${name}\``)
          .join('<br>'),
        ...CAPABILITIES.map((capability) =>
          one
            .permissionsFor([capability])
            .map((name) => `\`${name.replace('https://www.googleapis.com/auth/', '')}\``)
            .join('<br>'),
        ),
        one.longestUnprovenDays === null
          ? '90 days; can be changed'
          : `${one.longestUnprovenDays} days; can be shortened`,
        one.canRevoke ? 'yes' : 'no: the person removes the app',
        one.platformCallbacks.map(({ path }) => `\`${path}\``).join(', ') || 'nothing',
      ]),
    ),
    '',
    '“Disconnected after”: days since the grant was last proven alive ([providers.md](providers.md#data-of-ended-grants)).',
    '',
    '`scripts/data-page.mjs` lists the columns of each kind.',
    '',
  ].join('\n');
}

const HEAD = `# Personal data

**Use this page** for your record of processing, a platform's review or a data subject's question.

## Where data goes

\`\`\`mermaid
flowchart LR
  person["Person's browser"] -- "launch form, callback with a code" --> api
  app["Your app's backend"] -- "keys of a person, reads" --> api
  api -- "profile, posts, counts" --> app
  api -- "sealed codes, settings" --> db[("Postgres")]
  db -- "rows; sealed tokens only to the worker" --> worker
  worker -- "profile, posts, sealed tokens" --> db
  worker -- "code, tokens, reads, revoke" --> platform["YouTube, TikTok, Instagram"]
  worker -- "code" --> issuer["OpenID issuer"]
  platform -- "removals, deletion requests" --> api
  api -- "ids and codes" --> temporal["Temporal"] -- "the same" --> worker
  worker -- "events: ids and codes" --> app
  worker -- "erasures: ids" --> journal[("Erasure journal")]
  api & worker -- "ids and codes" --> telemetry["Your telemetry"]
  operator["Operators' browsers"] -- "acts, audited reads" --> api
  db -- "all rows" --> backup[("Your backups")]
\`\`\`

## Kinds

Sealed: encrypted by a key outside the database. Hashed: SHA-256, keyed where the value could be guessed. A sweep deletes expired data every
quarter of an hour. An erase deletes all data of a connection.
`;

const MIDDLE = `
An app reads the profiles, posts and connections of its tenants. See the roles of [operators](admin-operations.md) and of the
[database](production.md#postgres).

## Outside the database

| Place | Contains | Kept |
|---|---|---|
| Temporal | ids of ours and closed codes | its retention, 14 days |
| Logs, traces, metrics | constants, ids, codes | as long as you keep them |
| Erasure journal | ids of erased connections, keys and grants | until older than your [oldest backup](backup.md) |
| Backups, [archived WAL](security.md#what-postgres-keeps-after-an-erase) | all rows; sealed values stay sealed | as long as you keep them: [30 days at most](production.md#data-at-rest) |
| [Keys](configuration.md#keys) | no data; with a dump, they open every value | until rotated |
| The app's own copy | the data that it copied | [its duty](callers.md#data-that-you-copy) |

The service never fetches the stored URLs of pictures. It sends data to no one else.

## Platforms
`;
