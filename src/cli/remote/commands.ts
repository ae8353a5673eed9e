import { flag, may, mayList, mayNumber, need, needNumber, type OptionShape, type RemoteCommand } from './shape.ts';

const PROVIDERS = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'];
const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'];
const JOB_KINDS = ['SCAN', 'METRICS', 'LOOKUP', 'REVOKE', 'ERASE', 'COMPENSATION'];
const JOB_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'];
const CONNECTION_STATUSES = ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'];
const ATTEMPT_STATUSES = [
  'CREATED',
  'AUTHORIZING',
  'EXCHANGING',
  'COMPLETED',
  'DENIED',
  'FAILED',
  'EXPIRED',
  'CANCELED',
];

const PAGE = { first: 'Int', after: 'String' };
const paged = (select: string) => `items { ${select} } pageInfo { endCursor hasNextPage }`;

const KEY = 'id createdAt expiresAt revokedAt active';
const APP = 'id name enabled requestsPerSecond createdAt tenantCount missing';
const WHOLE_APP = `${APP} returnUrls launchOrigins policies { provider capabilities quotaPercent } keys { ${KEY} }
  registrations { id provider label } identity { issuer { id issuer } returnUrl enabled }`;
const REGISTRATION = 'id provider label clientId createdAt pausedAt rejectedAt secretExpiresAt connectionCount';
const ISSUER = 'id issuer clientId tokenAuthMethod redirectUri secretExpiresAt';
const CONNECTION = 'id status provider appId appName tenantKey createdAt readFault';
const ATTEMPT = 'id status provider appId appName resultCode connectionId createdAt expiresAt finishedAt correlationId';
const FAILURE = 'code message';
const JOB = `id kind status provider appId appName tenantKey connectionId tries lastFailure { ${FAILURE} } failure { ${FAILURE} }
  stuck stuckSince nextTryAt givesUpAt createdAt finishedAt workflowId`;
const LIVE = `workflowId state progress { step since tries lastFailure { ${FAILURE} } waitingFor waitingUntil done total }
  pendingActivities { name attempt lastFailureType nextTryAt } historyLength workerBuild disagreement`;
const BULK = 'id appId tenantKey registrationId startedAt finishedAt total disconnected unsettled revokesFailed';
const TOKEN = 'id label role createdAt expiresAt revokedAt lastUsedAt sessionOnly';
const ERASURE = 'id appId requestedAt completedAt remaining connectionIds';
const CHANGE = 'registration { id provider label pausedAt } connectionCount openJobCount dryRun';
const ENDPOINT = `id appId appName url enabled disabledReason failingSince failures eventTypes createdAt
  secrets { id createdAt retiresAt }`;
const DELIVERY = `id status eventType occurredAt tries lastStatus lastFailure { ${FAILURE} } nextTryAt endpointId appId
  connectionId eventId`;

const JOB_FILTER = {
  app: may('filter.appId', 'APP_ID'),
  provider: may('filter.provider', 'PROVIDER', PROVIDERS),
  connection: may('filter.connectionId', 'CONNECTION_ID'),
  kind: mayList('filter.kinds', 'KIND', JOB_KINDS),
  status: mayList('filter.statuses', 'STATUS', JOB_STATUSES),
  reason: may('filter.lastFailure', 'CODE'),
};

type Rest = Partial<Pick<RemoteCommand, 'secret' | 'fixed' | 'confirm' | 'isPaged' | 'show'>>;
type Args = Readonly<Record<string, string>>;

const build =
  (kind: RemoteCommand['kind'], group: string) =>
  (
    name: string,
    summary: string,
    options: Readonly<Record<string, OptionShape>>,
    args: Args,
    select: string,
    rest: Rest = {},
  ): RemoteCommand => ({ kind, group, summary, options, fields: [{ name, args, select }], ...rest });

const ask = (group: string) => build('query', group);
const act = (group: string) => build('mutation', group);

const WORK = 'Connections and jobs';
const APPS = 'Apps';
const CLIENTS = 'Registrations and issuers';
const WEBHOOKS = 'Webhooks';
const PEOPLE = 'Erasures and bulk disconnects';
const OPERATORS = 'Operators and the service';

const app = { app: need('id', 'APP_ID') };
const ofApp = { app: need('appId', 'APP_ID') };
const registration = { registration: need('id', 'REGISTRATION_ID') };
const endpoint = { endpoint: need('id', 'ENDPOINT_ID') };
const delivery = { delivery: need('id', 'DELIVERY_ID') };
const dryRun = { 'dry-run': flag('dryRun') };
const once = { 'idempotency-key': may('input.idempotencyKey', 'KEY') };
const ID = { id: 'ID!' };
const ID_DRY = { id: 'ID!', dryRun: 'Boolean' };

/** Every command of the admin API, by its name. A test compares their operations with those of the schema. */
export const REMOTE_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  'app list': ask(APPS)(
    'apps',
    'List apps, newest first',
    { search: may('filter.search', 'TEXT') },
    { filter: 'AppFilter', ...PAGE },
    paged(APP),
    { isPaged: true },
  ),
  'app show': ask(APPS)('app', 'Show one app and its settings', app, ID, WHOLE_APP),
  'app create': act(APPS)(
    'createApp',
    'Register a customer application',
    { name: need('input.name', 'NAME'), rate: mayNumber('input.requestsPerSecond', 'REQUESTS'), ...once },
    { input: 'CreateAppInput!' },
    APP,
  ),
  'app change': act(APPS)(
    'changeApp',
    "Change an app's name or its limit of requests per second",
    { ...app, name: may('name', 'NAME'), rate: mayNumber('requestsPerSecond', 'REQUESTS') },
    { id: 'ID!', name: 'String', requestsPerSecond: 'Int' },
    APP,
  ),
  'app disable': act(APPS)('disableApp', "Refuse an app's requests from now on", app, ID, APP),
  'app enable': act(APPS)('enableApp', 'Enable a disabled app', app, ID, APP),
  'key list': {
    ...ask(APPS)('app', "List an app's keys, without their secrets", app, ID, `keys { ${KEY} }`),
    show: ({ keys }: { keys: unknown }) => keys,
  },
  'key issue': act(APPS)(
    'issueKey',
    'Issue a key; this shows it once',
    { app: need('input.appId', 'APP_ID'), expires: may('input.expiresAt', 'ISO_8601'), ...once },
    { input: 'IssueKeyInput!' },
    `key { ${KEY} } secret`,
  ),
  'key revoke': act(APPS)('revokeKey', 'Revoke a key at once', { key: need('id', 'KEY_ID') }, ID, KEY),
  'tenant list': ask(APPS)(
    'tenants',
    "List an app's tenants, by key",
    ofApp,
    { appId: 'ID!', ...PAGE },
    paged('tenantKey connectionCount'),
    { isPaged: true },
  ),
  'tenant add': act(APPS)(
    'addTenant',
    'Register a tenant of an app',
    { ...ofApp, key: need('tenantKey', 'TENANT_KEY') },
    { appId: 'ID!', tenantKey: 'String!' },
    'tenantKey',
  ),
  'tenant remove': act(APPS)(
    'removeTenant',
    'Remove a tenant, and keep or disconnect its connections',
    {
      ...ofApp,
      key: need('tenantKey', 'TENANT_KEY'),
      connections: need('connections', 'HANDLING', ['KEEP', 'DISCONNECT_ALL']),
      ...dryRun,
    },
    { appId: 'ID!', tenantKey: 'String!', connections: 'TenantConnections!', dryRun: 'Boolean' },
    `dryRun connectionCount bulkDisconnect { ${BULK} }`,
    { confirm: { of: ['key'], when: ({ connections }) => connections === 'DISCONNECT_ALL' } },
  ),
  'return-url add': act(APPS)(
    'addReturnUrl',
    'Register a URL that browsers return to',
    { ...ofApp, url: need('url', 'URL') },
    { appId: 'ID!', url: 'String!' },
    'id returnUrls',
  ),
  'return-url remove': act(APPS)(
    'removeReturnUrl',
    'Remove a return URL',
    { ...ofApp, url: need('url', 'URL') },
    { appId: 'ID!', url: 'String!' },
    'id returnUrls',
  ),
  'launch-origin add': act(APPS)(
    'addLaunchOrigin',
    'Register an origin whose pages may post a launch token',
    { ...ofApp, origin: need('origin', 'ORIGIN') },
    { appId: 'ID!', origin: 'String!' },
    'id launchOrigins',
  ),
  'launch-origin remove': act(APPS)(
    'removeLaunchOrigin',
    'Remove a launch origin',
    { ...ofApp, origin: need('origin', 'ORIGIN') },
    { appId: 'ID!', origin: 'String!' },
    'id launchOrigins',
  ),
  'policy set': act(APPS)(
    'setPolicy',
    'Set the capabilities an app may request at a provider; none forbids the provider',
    {
      ...ofApp,
      provider: need('provider', 'PROVIDER', PROVIDERS),
      capability: mayList('capabilities', 'CAPABILITY', CAPABILITIES),
      'quota-percent': mayNumber('quotaPercent', 'PERCENT|default'),
    },
    { appId: 'ID!', provider: 'SocialProvider!', capabilities: '[Capability!]!', quotaPercent: 'Int' },
    'id policies { provider capabilities quotaPercent }',
    { fixed: { capabilities: [] } },
  ),
  'policy refresh': act(APPS)(
    'setRefreshPolicy',
    "Refresh an app's connections at a provider every so many minutes; without --minutes, no longer",
    {
      ...ofApp,
      provider: need('provider', 'PROVIDER', PROVIDERS),
      minutes: mayNumber('everyMinutes', 'MINUTES'),
      days: mayNumber('windowDays', 'DAYS'),
      posts: mayNumber('newestPosts', 'POSTS'),
    },
    { appId: 'ID!', provider: 'SocialProvider!', everyMinutes: 'Int', windowDays: 'Int', newestPosts: 'Int' },
    'id policies { provider refreshMinutes refreshDays refreshPosts }',
  ),
  'identity set': act(APPS)(
    'setIdentity',
    'Let an app sign people in at an issuer',
    {
      ...ofApp,
      issuer: need('issuerId', 'ISSUER_ID'),
      'return-url': need('returnUrl', 'URL'),
    },
    { appId: 'ID!', issuerId: 'ID!', returnUrl: 'String!', enabled: 'Boolean' },
    'id identity { issuer { id issuer } returnUrl enabled }',
    { fixed: { enabled: true } },
  ),
  'identity end': act(APPS)(
    'setIdentity',
    'End the sign-in of an app at an issuer',
    {
      ...ofApp,
      issuer: need('issuerId', 'ISSUER_ID'),
      'return-url': need('returnUrl', 'URL'),
    },
    { appId: 'ID!', issuerId: 'ID!', returnUrl: 'String!', enabled: 'Boolean' },
    'id identity { issuer { id issuer } returnUrl enabled }',
    { fixed: { enabled: false } },
  ),

  'registration list': ask(CLIENTS)('registrations', 'List our clients at providers', {}, {}, REGISTRATION),
  'registration show': ask(CLIENTS)(
    'registration',
    'Show one client, its apps and its quota',
    registration,
    ID,
    `${REGISTRATION} redirectUri callbackUrls { enteredAs url } callbackSecrets { id createdAt }
      apps { appId name callsUsed callsAllowed } usage { day callsUsed callsAllowed callsLeft spentUntil }`,
  ),
  'registration create': act(CLIENTS)(
    'createRegistration',
    'Store our OAuth client at a provider',
    {
      provider: need('input.provider', 'PROVIDER', PROVIDERS),
      label: need('input.label', 'LABEL'),
      'client-id': need('input.clientId', 'ID'),
      'secret-expires': may('input.secretExpiresAt', 'ISO_8601'),
      ...once,
    },
    { input: 'CreateRegistrationInput!' },
    REGISTRATION,
    { secret: 'input.clientSecret' },
  ),
  'registration rotate-secret': act(CLIENTS)(
    'rotateRegistrationSecret',
    "Replace a registration's client secret",
    { ...registration, 'secret-expires': may('secretExpiresAt', 'ISO_8601') },
    { id: 'ID!', clientSecret: 'String!', secretExpiresAt: 'DateTime' },
    REGISTRATION,
    { secret: 'clientSecret' },
  ),
  'registration pause': act(CLIENTS)(
    'pauseRegistration',
    'Stop reads and new attempts through a registration',
    { ...registration, ...dryRun },
    ID_DRY,
    CHANGE,
  ),
  'registration resume': act(CLIENTS)(
    'resumeRegistration',
    'Resume a paused registration',
    registration,
    ID,
    REGISTRATION,
  ),
  'registration retry': act(CLIENTS)(
    'retryRegistration',
    'Retry a registration that its provider refused, after you have fixed the cause',
    registration,
    ID,
    REGISTRATION,
  ),
  'registration clear-quota': act(CLIENTS)(
    'clearSpentQuota',
    'Use a registration again before its quota resets',
    registration,
    ID,
    REGISTRATION,
  ),
  'registration quota': act(CLIENTS)(
    'setDailyQuota',
    'Set the daily quota that the provider has granted',
    { ...registration, calls: needNumber('calls', 'UNITS|default') },
    { id: 'ID!', calls: 'Int' },
    REGISTRATION,
  ),
  'registration refresh-share': act(CLIENTS)(
    'setRefreshShare',
    'Set the largest part of quota and pace that automatic refreshes may use',
    { registration: need('registrationId', 'REGISTRATION_ID'), percent: needNumber('percent', 'PERCENT') },
    { registrationId: 'ID!', percent: 'Int!' },
    `${REGISTRATION} refreshPercent`,
  ),
  'registration serve': act(CLIENTS)(
    'serveApp',
    'Assign a registration to an app',
    { registration: need('registrationId', 'REGISTRATION_ID'), ...ofApp },
    { registrationId: 'ID!', appId: 'ID!' },
    `${REGISTRATION} apps { appId name }`,
  ),
  'registration stop-serving': act(CLIENTS)(
    'stopServingApp',
    "End a registration's service of an app",
    { registration: need('registrationId', 'REGISTRATION_ID'), ...ofApp, ...dryRun },
    { registrationId: 'ID!', appId: 'ID!', dryRun: 'Boolean' },
    CHANGE,
  ),
  'callback-secret add': act(CLIENTS)(
    'addCallbackSecret',
    'Store a secret with which the platform signs its callbacks',
    { registration: need('registrationId', 'REGISTRATION_ID'), 'idempotency-key': may('idempotencyKey', 'KEY') },
    { registrationId: 'ID!', secret: 'String!', idempotencyKey: 'String' },
    'id callbackSecrets { id createdAt }',
    { secret: 'secret' },
  ),
  'callback-secret remove': act(CLIENTS)(
    'removeCallbackSecret',
    'Remove a secret of the platform’s callbacks; it stops working at once',
    { 'callback-secret': need('id', 'CALLBACK_SECRET_ID') },
    ID,
    'id callbackSecrets { id createdAt }',
  ),
  'issuer list': ask(CLIENTS)('identityIssuers', 'List OpenID issuers', {}, {}, ISSUER),
  'issuer create': act(CLIENTS)(
    'createIdentityIssuer',
    'Store our client at an OpenID issuer',
    {
      issuer: need('input.issuer', 'URL'),
      'client-id': need('input.clientId', 'ID'),
      auth: may('input.tokenAuthMethod', 'METHOD', ['CLIENT_SECRET_BASIC', 'CLIENT_SECRET_POST']),
      'secret-expires': may('input.secretExpiresAt', 'ISO_8601'),
      ...once,
    },
    { input: 'CreateIdentityIssuerInput!' },
    ISSUER,
    { secret: 'input.clientSecret' },
  ),
  'issuer rotate-secret': act(CLIENTS)(
    'rotateIdentityIssuerSecret',
    'Replace our client secret at an issuer',
    { issuer: need('id', 'ISSUER_ID'), 'secret-expires': may('secretExpiresAt', 'ISO_8601') },
    { id: 'ID!', clientSecret: 'String!', secretExpiresAt: 'DateTime' },
    ISSUER,
    { secret: 'clientSecret' },
  ),

  'connections list': ask(WORK)(
    'connections',
    'List connections, newest first',
    {
      app: may('filter.appId', 'APP_ID'),
      provider: may('filter.provider', 'PROVIDER', PROVIDERS),
      registration: may('filter.registrationId', 'REGISTRATION_ID'),
      status: mayList('filter.statuses', 'STATUS', CONNECTION_STATUSES),
      tenant: may('filter.tenantKey', 'TENANT_KEY'),
      subject: may('filter.externalSubjectId', 'SUBJECT'),
    },
    { filter: 'ConnectionFilter', ...PAGE },
    paged(CONNECTION),
    { isPaged: true },
  ),
  'connections show': ask(WORK)(
    'connection',
    'Show the history of one connection: attempts, grants, receipts and reads',
    { connection: need('id', 'CONNECTION_ID') },
    ID,
    `id connection { ${CONNECTION} } attempts { id status resultCode createdAt } grants { id status obtainedAt }
      receipts { id kind status createdAt } jobs { id kind status createdAt }`,
  ),
  'connections disconnect': act(WORK)(
    'disconnectConnection',
    'Disconnect one connection as its app would: revoke, then erase',
    { connection: need('id', 'CONNECTION_ID') },
    ID,
    'id receipts { id kind status }',
    { confirm: { of: ['connection'] } },
  ),
  'attempts list': ask(WORK)(
    'attempts',
    'List Connect attempts, newest first',
    {
      app: may('filter.appId', 'APP_ID'),
      provider: may('filter.provider', 'PROVIDER', PROVIDERS),
      status: mayList('filter.statuses', 'STATUS', ATTEMPT_STATUSES),
      connection: may('filter.connectionId', 'CONNECTION_ID'),
    },
    { filter: 'AttemptFilter', ...PAGE },
    paged(ATTEMPT),
    { isPaged: true },
  ),
  'attempts show': ask(WORK)('attempt', 'Show one Connect attempt', { attempt: need('id', 'ATTEMPT_ID') }, ID, ATTEMPT),
  'attempts cancel': act(WORK)(
    'cancelAttempt',
    'Cancel an unfinished attempt and revoke its grant',
    { attempt: need('id', 'ATTEMPT_ID') },
    ID,
    ATTEMPT,
  ),
  'jobs list': ask(WORK)('jobs', 'List jobs, newest first', JOB_FILTER, { filter: 'JobFilter', ...PAGE }, paged(JOB), {
    isPaged: true,
  }),
  'jobs stuck': ask(WORK)(
    'jobs',
    'List stuck jobs, longest stuck first',
    JOB_FILTER,
    { filter: 'JobFilter', ...PAGE },
    paged(JOB),
    { isPaged: true, fixed: { filter: { stuck: true } } },
  ),
  'jobs groups': ask(WORK)(
    'stuckWork',
    'Count stuck jobs by app, provider, kind and reason',
    JOB_FILTER,
    { filter: 'JobFilter', first: 'Int' },
    `count retryableCount groupCount groups { appId appName provider kind count failedCount since lastFailure { ${FAILURE} } }`,
    { fixed: { first: 100 } },
  ),
  'jobs show': {
    ...ask(WORK)('job', 'Show one job, and the state of its workflow', { job: need('id', 'JOB_ID') }, ID, JOB),
    fields: [
      { name: 'job', args: ID, select: JOB },
      { name: 'liveState', args: ID, select: LIVE },
    ],
  },
  'live show': ask(WORK)(
    'liveState',
    'Show the workflow of an attempt, job or bulk disconnect, as Temporal answers now',
    { id: need('id', 'ID') },
    ID,
    LIVE,
  ),
  'jobs retry': act(WORK)('retryJob', 'Retry one job now', { job: need('id', 'JOB_ID') }, ID, JOB),
  'jobs retry-stuck': act(WORK)(
    'retryJobs',
    'Retry all stuck jobs of a filter, including FAILED revokes',
    { ...JOB_FILTER, ...dryRun },
    { filter: 'JobFilter!', dryRun: 'Boolean' },
    'dryRun count failedCount more',
    { fixed: { filter: { stuck: true } } },
  ),

  'webhook events': ask(WEBHOOKS)('webhookEventTypes', 'List the types of events', {}, {}, 'name description'),
  'webhook list': ask(WEBHOOKS)(
    'webhookEndpoints',
    "List an app's webhook endpoints",
    ofApp,
    { appId: 'ID!' },
    ENDPOINT,
  ),
  'webhook troubled': ask(WEBHOOKS)(
    'troubledWebhookEndpoints',
    'List the endpoints of all apps that are disabled or whose last try failed',
    {},
    PAGE,
    paged(ENDPOINT),
    { isPaged: true },
  ),
  'webhook show': ask(WEBHOOKS)('webhookEndpoint', 'Show one webhook endpoint', endpoint, ID, ENDPOINT),
  'webhook create': act(WEBHOOKS)(
    'createWebhookEndpoint',
    'Add a webhook endpoint to an app; this shows its secret once',
    {
      app: need('input.appId', 'APP_ID'),
      url: need('input.url', 'URL'),
      event: mayList('input.eventTypes', 'TYPE'),
      ...once,
    },
    { input: 'CreateWebhookEndpointInput!' },
    `endpoint { ${ENDPOINT} } secret`,
  ),
  'webhook change': act(WEBHOOKS)(
    'changeWebhookEndpoint',
    "Change an endpoint's URL or events",
    { ...endpoint, url: may('url', 'URL'), event: mayList('eventTypes', 'TYPE') },
    { id: 'ID!', url: 'String', eventTypes: '[String!]' },
    ENDPOINT,
  ),
  'webhook disable': act(WEBHOOKS)('disableWebhookEndpoint', 'Stop sending to an endpoint', endpoint, ID, ENDPOINT),
  'webhook enable': act(WEBHOOKS)('enableWebhookEndpoint', 'Send to an endpoint again', endpoint, ID, ENDPOINT),
  'webhook remove': act(WEBHOOKS)(
    'removeWebhookEndpoint',
    'Remove an endpoint and its secrets',
    endpoint,
    ID,
    'id name',
    { confirm: { of: ['endpoint'] } },
  ),
  'webhook rotate-secret': act(WEBHOOKS)(
    'rotateWebhookSecret',
    'Add a second secret to an endpoint; this shows it once',
    { ...endpoint, 'idempotency-key': may('idempotencyKey', 'KEY') },
    { id: 'ID!', idempotencyKey: 'String' },
    `endpoint { ${ENDPOINT} } secret`,
  ),
  'webhook retire-secret': act(WEBHOOKS)(
    'retireWebhookSecret',
    'End the use of a secret',
    { ...endpoint, secret: need('secretId', 'SECRET_ID'), 'after-hours': mayNumber('afterHours', 'HOURS') },
    { id: 'ID!', secretId: 'ID!', afterHours: 'Int' },
    ENDPOINT,
  ),
  'webhook test': act(WEBHOOKS)('sendTestWebhook', 'Send a test event to an endpoint', endpoint, ID, DELIVERY),
  'webhook deliveries': ask(WEBHOOKS)(
    'webhookDeliveries',
    'List deliveries of the last 30 days, the newest event first',
    {
      app: may('filter.appId', 'APP_ID'),
      endpoint: may('filter.endpointId', 'ENDPOINT_ID'),
      status: may('filter.status', 'STATUS', ['PENDING', 'DELIVERED', 'FAILED']),
      event: may('filter.eventType', 'TYPE'),
      connection: may('filter.connectionId', 'CONNECTION_ID'),
      since: may('filter.since', 'ISO_8601'),
    },
    { filter: 'WebhookDeliveryFilter', ...PAGE },
    paged(DELIVERY),
    { isPaged: true },
  ),
  'webhook delivery': ask(WEBHOOKS)('webhookDelivery', 'Show one delivery', delivery, ID, DELIVERY),
  'webhook redeliver': act(WEBHOOKS)('redeliverWebhook', 'Send one event again', delivery, ID, DELIVERY),
  'webhook redeliver-since': act(WEBHOOKS)(
    'redeliverWebhooks',
    'Send the failed events again that occurred since an instant',
    { ...endpoint, since: need('since', 'ISO_8601') },
    { id: 'ID!', since: 'DateTime!', failedOnly: 'Boolean' },
    'count continueAt',
  ),

  'disconnects list': ask(PEOPLE)('bulkDisconnects', 'List the last 50 bulk disconnects', {}, {}, BULK),
  'disconnects show': ask(PEOPLE)(
    'bulkDisconnect',
    'Show one bulk disconnect',
    { 'bulk-disconnect': need('id', 'BULK_DISCONNECT_ID') },
    ID,
    BULK,
  ),
  'disconnects start': act(PEOPLE)(
    'disconnectAll',
    'Disconnect all connections of a tenant or of a registration',
    {
      app: may('input.appId', 'APP_ID'),
      tenant: may('input.tenantKey', 'TENANT_KEY'),
      registration: may('input.registrationId', 'REGISTRATION_ID'),
      ...dryRun,
    },
    { input: 'DisconnectAllInput!', dryRun: 'Boolean' },
    `dryRun connectionCount run { ${BULK} }`,
    { confirm: { of: ['tenant', 'registration'] }, fixed: { input: {} } },
  ),
  'erasures list': ask(PEOPLE)(
    'erasures',
    'List the receipts of erasures, newest first',
    {},
    PAGE,
    paged('id appId appName requestedAt completedAt connectionCount remaining'),
    { isPaged: true },
  ),
  'erasures show': ask(PEOPLE)(
    'erasure',
    'Show the receipt of an erasure',
    { erasure: need('id', 'ERASURE_ID') },
    ID,
    `${ERASURE} jobs { id kind status }`,
  ),
  'person erase': act(PEOPLE)(
    'eraseSubject',
    'Erase a person: disconnect and erase everything of one subject',
    {
      app: need('input.appId', 'APP_ID'),
      tenant: need('input.tenantKey', 'TENANT_KEY'),
      subject: need('input.externalSubjectId', 'SUBJECT'),
      ...dryRun,
    },
    { input: 'EraseSubjectInput!', dryRun: 'Boolean' },
    `dryRun connectionCount attemptCount keptTokenCount erasure { ${ERASURE} }`,
    { confirm: { of: ['subject'] } },
  ),
  'person export': act(PEOPLE)(
    'exportSubject',
    'Export one page of the data stored about a person; pass endCursor as --after for the next',
    {
      app: need('input.appId', 'APP_ID'),
      tenant: need('input.tenantKey', 'TENANT_KEY'),
      subject: need('input.externalSubjectId', 'SUBJECT'),
      after: may('after', 'CURSOR'),
    },
    { input: 'ExportSubjectInput!', after: 'String' },
    'rows endCursor',
  ),
  'proof export': ask(PEOPLE)(
    'proofOfDeletion',
    'Export the proof that the data of a connection was deleted',
    { connection: need('connectionId', 'CONNECTION_ID') },
    { connectionId: 'ID!' },
    'connectionId document signature',
  ),
  'proof verify': {
    ...ask(PEOPLE)(
      'verifyProofOfDeletion',
      'Check a proof of deletion: that this service made it, and that nobody changed it',
      { document: need('document', 'DOCUMENT'), signature: need('signature', 'SIGNATURE') },
      { document: 'String!', signature: 'String!' },
      '',
    ),
    show: (isValid: boolean) => ({ isValid }),
  },

  find: ask(OPERATORS)(
    'find',
    'Find everything by an id, its first 8 characters, a correlation id, or a tenant key',
    { text: need('text', 'TEXT') },
    { text: 'String!' },
    'kind id appId label',
  ),
  'overview show': ask(OPERATORS)(
    'overview',
    'Show the connections, the stuck jobs and the state of the providers',
    {},
    {},
    `at openAttempts stuckRevokes oldestStuckRevokeAt stuckJobs oldestStuckJobAt outboxWaiting outboxOldestAt
      expiringCredentialCount connections { provider status count } jobs { kind status count }
      providers { provider openJobs succeededLastHour failedLastHour pausedRegistrations rejectedRegistrations spentRegistrations }`,
  ),
  'service show': ask(OPERATORS)(
    'service',
    "Show the service's URLs",
    {},
    {},
    'graphqlUrl redirectUris { provider url }',
  ),
  'credentials expiring': ask(OPERATORS)(
    'expiringCredentials',
    'List keys, secrets and tokens that expire soon',
    { days: mayNumber('withinDays', 'DAYS') },
    { withinDays: 'Int' },
    'kind id label appId expiresAt expired',
  ),
  'audit list': ask(OPERATORS)(
    'auditLog',
    'List the audit log, newest first',
    {
      actor: may('filter.actor', 'ACTOR'),
      action: may('filter.action', 'ACTION'),
      target: may('filter.target', 'ID'),
      outcome: may('filter.outcome', 'OUTCOME'),
      correlation: may('filter.correlationId', 'CORRELATION_ID'),
    },
    { filter: 'AuditFilter', ...PAGE },
    paged('happenedAt actor actorLabel action target outcome correlationId id'),
    { isPaged: true },
  ),
  'admin token list': ask(OPERATORS)('adminTokens', 'List the admin tokens that have not expired', {}, {}, TOKEN),
  'admin token revoke': act(OPERATORS)(
    'revokeAdminToken',
    'Revoke an admin token at once, and end its sessions',
    { token: need('id', 'TOKEN_ID') },
    ID,
    TOKEN,
  ),
  whoami: ask(OPERATORS)('me', 'Show the token of this request', {}, {}, TOKEN),
};
