import { PAGE_LANGUAGES } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { Operation } from '../../domain/rules/roles.ts';
import { SETTING_FIELDS } from '../../generated/admin-operations.ts';
import type { More } from '../derive-command.ts';
import { briefAttempt } from './shows/attempts.ts';
import { AUDIT_CHOICES, briefEntry } from './shows/audit.ts';
import { briefFound, FOUND } from './shows/found.ts';
import { listHistory } from './shows/history.ts';
import { briefGroup, briefJob, briefStuckJob, FOLLOW_RETRIES, followRetry, showRetried } from './shows/jobs.ts';
import { briefKey, describeKey } from './shows/keys.ts';
import { showNewToken } from './shows/operators.ts';
import { briefOverview } from './shows/overview.ts';
import { briefVerified, showVerified } from './shows/proofs.ts';
import { briefRegistration, followRegistrationTest } from './shows/registrations.ts';
import { briefDelivery, briefEndpoint, followTest, showTest } from './shows/webhooks.ts';

/** The headings of `--help`, and the first words of the commands below each. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Apps: ['app', 'branding', 'logo', 'key', 'tenant', 'return-url', 'launch-origin', 'policy', 'identity'],
  'Registrations and issuers': ['registration', 'answers', 'callback-secret', 'issuer'],
  'Connections and jobs': ['connections', 'attempts', 'sign-in', 'jobs', 'live'],
  Webhooks: ['webhook'],
  'Erasures and bulk disconnects': ['disconnects', 'erasures', 'person', 'proof', 'certificate'],
  'Operators and the service': ['find', 'overview', 'ended-work', 'service', 'credentials', 'audit', 'admin', 'whoami'],
};

const FAILURE = 'code message';
const PAST = 'tries lastAnswer since until';
const KEY = 'id label createdAt expiresAt revokedAt lastUsedAt active';
const APP = `id ${SETTING_FIELDS.App} createdAt tenantCount missing`;
const BRANDING = 'branding { color language logo { url width height } }';
const IDENTITY = 'identity { issuer { id issuer } returnUrl enabled }';
const POLICIES = 'id policies { provider capabilities quotaPercent }';
const REGISTRATION = `id provider label clientId createdAt pausedAt testedAt testAnsweredAt acceptedAt accepted rejectedAt rejectionAnswer
  rejectionAnswerCode refusedFrom refusedUntil doubtedAt ${SETTING_FIELDS.Registration} connectionCount`;
const PERMISSIONS = 'permissions { name isAsked isNeeded } capabilities';
const SECRETS = 'id callbackSecrets { id createdAt }';
const ENDPOINT = `id appId appName url enabled disabledReason disabledAt failingSince failures lastAnswer pastFailures { ${PAST} } waiting { count since } eventTypes createdAt
  secrets { id createdAt retiresAt }`;
const DELIVERY = `id status eventType occurredAt tries lastHttpStatus lastFailure { ${FAILURE} } nextRetryAt waitsForEndpoint
  endpointId appId connectionId eventId`;
const BULK =
  'id appId tenantKey registrationId registrationLabel startedAt finishedAt total disconnected unsettled revokesFailed';
const ERASURE = 'id appId requestedAt completedAt remaining connectionIds';
const TOKEN = 'id label role createdAt expiresAt revokedAt lastUsedAt sessionOnly';
const JOB = `id kind status provider appId appName tenantKey connectionId providerAccountId tries lastTriedAt lastAnswer
  recoveredFrom { at answer failure { ${FAILURE} } } refusedClient { registrationId label answer answerCode } lastFailure { ${FAILURE} } failure { ${FAILURE} } creatorAction creatorActionReason stuck stuckSince
  nextRetryAt givesUpAt createdAt finishedAt
  correlationId workflowId`;
const LIVE = `workflowId state failing progress { step since tries lastFailure { ${FAILURE} } waitingFor waitingUntil done total }
  pendingActivities { name attempt lastFailureType nextRetryAt } historyLength workerBuild disagreement`;
const HAPPENED = `id kind status createdAt startedAt finishedAt tries lastFailure { ${FAILURE} } failure { ${FAILURE} }
  recoveredFrom { answer failure { ${FAILURE} } } creatorAction`;
const ATTEMPT =
  'id status provider appId appName resultCode lastAnswer lastAnswerCode lastRefusal connectionId createdAt expiresAt finishedAt correlationId';
const TEST = `${DELIVERY} history { durationMs }`;

/** What a command shows of an answer, by the answer's type. */
export const SELECTIONS: Readonly<Record<string, string>> = {
  App: APP,
  AppUse: 'connectionCount deletable',
  AppKey: KEY,
  IssuedKey: `key { ${KEY} } secret`,
  Tenant: 'tenantKey connectionCount',
  RemovedTenant: `dryRun connectionCount bulkDisconnect { ${BULK} }`,
  Registration: REGISTRATION,
  RegistrationChange: 'registration { id provider label pausedAt } connectionCount openJobCount dryRun',
  UnknownAnswer: 'id provider request status code text madeOfIt times firstSeenAt lastSeenAt',
  IdentityIssuer: 'id issuer clientId tokenAuthMethod redirectUri secretExpiresAt',
  IdentityIssuerTest: 'problem',
  Connection: 'id status provider providerAccountId appId appName tenantKey createdAt readErrorCode',
  RowCount: 'count isExact',
  Attempt: ATTEMPT,
  SignIn: 'id status appId appName tenantKey issuer redeemedAt createdAt expiresAt finishedAt correlationId',
  Job: JOB,
  StuckWork: `count retryableCount groupCount groups { appId appName provider kind count failedCount since lastAnswer lastAnswerCode
    lastFailure { ${FAILURE} } }`,
  RetriedJobs: 'dryRun count failedCount more correlationId',
  LiveState: LIVE,
  WebhookEventType: 'name description',
  WebhookEndpoint: ENDPOINT,
  NewWebhookSecret: `endpoint { ${ENDPOINT} } secret`,
  WebhookDelivery: DELIVERY,
  RedeliveredWebhooks: 'dryRun count continueAt',
  BulkDisconnect: BULK,
  DisconnectedAll: `dryRun connectionCount unsentRevokes bulkDisconnect { ${BULK} }`,
  Person: 'isTenant isHeld otherTenants erasureId erasureRequestedAt',
  ErasedSubject: `dryRun connectionCount attemptCount keptTokenCount unsentRevokes erasure { ${ERASURE} }`,
  SubjectExport: 'rows endCursor',
  ProofOfDeletion: 'connectionId document signature',
  CertificateOfDeletion: 'registrationId document signature',
  Found: FOUND,
  Overview: `at openAttempts retryingJobs stuckRevokes oldestStuckRevokeAt stuckJobs oldestStuckJobAt outboxWaiting outboxOldestAt
    workers workersSeenAt workerProcesses { name seenAt silent } failingWorkflows expiringCredentialCount connections { provider status count } jobs { kind status count }
    providers { provider openJobs pausedRegistrations rejectedRegistrations spentRegistrations
      blockedErases failing { kind count lastAnswer lastAnswerCode failure { code } } refusedFrom refusedUntil pastFailures { ${PAST} }
      health { level reasons since work { kind succeeded failed } } }
    webhookHealth { level reasons } recoveredWebhookEndpoints { url pastFailures { ${PAST} } }`,
  EndedWork: 'counts { at kind outcome cause succeeded count }',
  Service: 'graphqlUrl redirectUris { provider url }',
  ExpiringCredential: 'kind id label appId expiresAt expired',
  Audit:
    'happenedAt actor actorLabel action target things { kind name id } changes { setting from to } outcome correlationId id',
  AuditChoices: 'actors { actor actorLabel } actions',
  AdminToken: TOKEN,
  NewAdminToken: `token { ${TOKEN} } secret`,
};

const ACCOUNT = { search: { option: 'account', placeholder: 'SUBJECT_OR_ACCOUNT', isPerson: true } };
const REQUIRED_DEFAULT = (word: string) => ({ isRequired: true, placeholder: `${word}|default` });
const DELIVERY_ID = { id: { option: 'delivery', placeholder: 'DELIVERY_ID' } };
const APP_ID = { id: { option: 'app', placeholder: 'APP_ID' } };
const asDeleted = { show: (deleted: boolean) => ({ deleted }) };
const chosenBy = (option: string, placeholder: string) => ({
  local: { [option]: { placeholder, kind: 'text', isRequired: true } } as const,
});

/** @throws ServiceError `NOT_FOUND` */
function pick<Row>(rows: readonly Row[], isChosen: (row: Row) => boolean, what: string): Row {
  const found = rows.find(isChosen);
  if (found === undefined) throw new ServiceError('NOT_FOUND', `NOT_FOUND: There is no such ${what}.`);
  return found;
}

/** What some commands have besides what admin.graphql says of their operation. */
export const MORE: Readonly<Record<string, More>> = {
  'app show': {
    select: `${APP} returnUrls launchOrigins policies { provider capabilities quotaPercent } keys { ${KEY} }
      registrations { id provider label } ${IDENTITY} ${BRANDING}`,
  },
  'app delete': { confirm: { of: ['app'] }, ...asDeleted },
  'branding set': { select: `id ${BRANDING}`, args: { language: { values: PAGE_LANGUAGES } } },
  'logo set': { select: `id ${BRANDING}` },
  'logo remove': { select: `id ${BRANDING}` },
  'key issue': { summary: 'Issues a key, and shows it once' },
  'key revoke': { confirm: { of: ['key'], describe: describeKey }, brief: briefKey },
  'key change': { summary: "Changes a key's label; without --label the key has none" },
  'tenant keys': { show: (keys: readonly string[]) => keys.map((tenantKey) => ({ tenantKey })) },
  'tenant add': { select: 'tenantKey' },
  'tenant remove': {
    confirm: { of: ['tenant'], when: ({ connections }) => connections === 'DISCONNECT_ALL' },
  },
  'return-url add': { select: 'id returnUrls' },
  'return-url remove': { select: 'id returnUrls' },
  'launch-origin add': { select: 'id launchOrigins' },
  'launch-origin remove': { select: 'id launchOrigins' },
  'policy set': {
    summary: 'Sets the capabilities that an app may request at a provider',
    select: POLICIES,
  },
  'policy refresh': {
    summary: "Refreshes an app's connections at a provider at an interval in minutes; without --minutes, stops",
    select: 'id policies { provider refreshMinutes refreshDays refreshPosts }',
  },
  'identity set': {
    summary: 'Lets an app sign people in at an issuer; this replaces its earlier issuer and return URL',
    select: `id ${IDENTITY}`,
    fixed: { enabled: true },
  },
  'registration list': { brief: briefRegistration },
  'registration show': {
    select: `${REGISTRATION} disconnectAfterDays ${PERMISSIONS} redirectUri callbackUrls { enteredAs url } callbackSecrets { id createdAt }
      warnings apps { appId name unitsUsed unitsAllowed } usage { day timeZone resetsAt unitsUsed unitsAllowed unitsLeft spentUntil }`,
  },
  'registration test': {
    summary: 'Asks the provider whether it accepts the client, and waits for the answer',
    follow: followRegistrationTest(REGISTRATION),
  },
  'registration rotate-secret': {
    summary: "Replaces a registration's client secret, and waits until the provider has answered a test of it",
    follow: followRegistrationTest(REGISTRATION, 'The secret is stored. '),
  },
  'registration delete': { confirm: { of: ['registration'] }, ...asDeleted },
  'registration quota': { args: { units: REQUIRED_DEFAULT('UNITS') } },
  'registration disconnect-after': {
    select: `${REGISTRATION} disconnectAfterDays`,
    args: { days: REQUIRED_DEFAULT('DAYS') },
  },
  'registration permissions': {
    summary: 'Sets the permissions that the client asks people for; without any, all that the service uses',
    select: `${REGISTRATION} ${PERMISSIONS}`,
  },
  'registration serve': { select: `${REGISTRATION} apps { appId name } warnings` },
  'callback-secret add': { select: SECRETS },
  'callback-secret remove': { select: SECRETS },
  'issuer test': {
    show: ({ problem }: { problem: string | null }) => ({ works: problem === null, problem }),
    findFault: ({ problem }: { problem: string | null }) => (problem === null ? undefined : 'The test has failed.'),
  },
  'issuer delete': { confirm: { of: ['issuer'] }, ...asDeleted },
  'attempts list': { brief: briefAttempt },
  'attempts show': { select: `${ATTEMPT} lastRefusalMessage lastRefusedAt creatorAction` },
  'connections list': { args: ACCOUNT },
  'connections count': { args: ACCOUNT },
  'connections show': {
    summary: 'The history of one connection, oldest first',
    select: `id endedByJobId connection { status createdAt changedAt disconnectReason } attempts { id status resultCode createdAt finishedAt }
      grants { id obtainedAt endReason } receipts { ${HAPPENED} } jobs { ${HAPPENED} }
      audit { happenedAt actor actorLabel action target outcome }`,
    show: listHistory,
  },
  'connections disconnect': { select: 'id receipts { id kind status }', confirm: { of: ['connection'] } },
  'jobs list': { brief: briefJob },
  'jobs groups': {
    fixed: { first: 100 },
    show: ({ groups }: { groups: unknown }) => groups,
    brief: briefGroup,
  },
  'jobs show': { summary: 'One job, and the state of its workflow', also: { name: 'liveState', select: LIVE } },
  'jobs retry': {
    summary: 'Retries a job, and waits until it has been tried',
    follow: followRetry(JOB),
  },
  'jobs retry-stuck': {
    summary:
      'Retries the stuck jobs of a filter, at most 1,000, and waits for up to 100; --all includes waiting ones that are not stuck yet',
    args: { stuck: { option: 'all', value: null } },
    fixed: { filter: { stuck: true } },
    show: showRetried,
    follow: FOLLOW_RETRIES,
  },
  'webhook list': { brief: briefEndpoint },
  'webhook troubled': { brief: briefEndpoint },
  'webhook deliveries': { brief: briefDelivery },
  'webhook create': { summary: 'Adds a webhook endpoint to an app, and shows its secret once' },
  'webhook rotate-secret': { summary: 'Adds a second secret to an endpoint, and shows it once' },
  'webhook remove': { select: 'id name', confirm: { of: ['endpoint'] } },
  'webhook test': {
    summary: 'Sends a test event to an endpoint, and waits until the endpoint has answered',
    select: TEST,
    show: showTest,
    follow: followTest(TEST),
  },
  'webhook redeliver': { args: DELIVERY_ID },
  'webhook delivery': {
    args: DELIVERY_ID,
    select: `${DELIVERY} history { at durationMs httpStatus failure { ${FAILURE} } } payload`,
  },
  'webhook redeliver-since': {
    summary:
      'Sends the undelivered events again that occurred since an instant, also before the endpoint existed; --all includes the delivered ones',
    args: { failedOnly: { option: 'all', value: false } },
  },
  'disconnects start': { confirm: { of: ['tenant', 'registration'] }, fixed: { input: {} } },
  'erasures list': { select: 'id appId appName requestedAt completedAt connectionCount remaining' },
  'erasures show': { select: `${ERASURE} jobs { id kind status creatorAction creatorActionReason }` },
  'person export': { summary: 'Exports a page of the data of a person; pass endCursor as --after for the next' },
  'person erase': { confirm: { of: ['subject'] } },
  'proof export': { printsFile: true },
  'certificate export': { printsFile: true },
  'proof verify': {
    summary:
      'Whether this service made a proof or certificate of deletion, as exported or downloaded, and it is unchanged; prints what it proves',
    args: {
      document: { option: 'file', placeholder: 'FILE', kind: 'file', fields: ['document', 'signature'] },
      signature: null,
    },
    show: showVerified,
    brief: briefVerified,
    findFault: (isValid: boolean) =>
      isValid ? undefined : 'This service did not make it, or it has been changed since.',
  },
  find: { brief: briefFound },
  'overview show': { brief: briefOverview },
  'ended-work list': { show: ({ counts }: { counts: unknown }) => counts },
  'audit list': {
    summary: 'The audit log, newest first; --changes leaves out reads of persons and dry runs',
    args: { actor: { placeholder: 'NAME_OR_ID' } },
    local: {
      changes: { kind: 'flag', isRequired: false, sets: { 'filter.reads': false, 'filter.dryRuns': false } },
    },
    choices: AUDIT_CHOICES,
    brief: briefEntry,
  },
  'admin token create': {
    summary: 'Issues an admin token, and shows it once. It lives 90 days at most, which is the default',
    args: { label: { isRequired: false } },
    fixed: { input: { label: 'command line' } },
    show: showNewToken,
  },
};

/** Further commands of an operation. */
export const FURTHER: Readonly<Record<string, More & { readonly operation: Operation }>> = {
  'key list': {
    operation: 'app',
    summary: "An app's keys, without their secrets",
    select: `keys { ${KEY} }`,
    args: APP_ID,
    show: ({ keys }: { keys: unknown }) => keys,
    brief: briefKey,
  },
  'key show': {
    operation: 'app',
    summary: 'One key, without its secret',
    select: `keys { ${KEY} }`,
    args: APP_ID,
    ...chosenBy('key', 'KEY_ID'),
    show: ({ keys }: { keys: readonly { id: string }[] }, { key }) => pick(keys, ({ id }) => id === key, 'key'),
    brief: briefKey,
  },
  'tenant show': {
    operation: 'tenants',
    summary: 'One tenant of an app',
    ...chosenBy('tenant', 'TENANT_KEY'),
    show: (tenants: readonly { tenantKey: string }[], { tenant }) =>
      pick(tenants, ({ tenantKey }) => tenantKey === tenant, 'tenant'),
  },
  'return-url list': {
    operation: 'app',
    summary: 'The URLs that browsers return to',
    select: 'returnUrls',
    args: APP_ID,
    show: ({ returnUrls }: { returnUrls: readonly string[] }) => returnUrls.map((url) => ({ url })),
  },
  'launch-origin list': {
    operation: 'app',
    summary: 'The origins whose pages may post a launch token',
    select: 'launchOrigins',
    args: APP_ID,
    show: ({ launchOrigins }: { launchOrigins: readonly string[] }) => launchOrigins.map((origin) => ({ origin })),
  },
  'policy forbid': {
    operation: 'setPolicy',
    summary: 'Forbids a provider to an app: its connections there are no longer read, and no new ones begin',
    select: POLICIES,
    fixed: { capabilities: [] },
  },
  'identity end': {
    operation: 'setIdentity',
    summary: 'Ends the sign-in of an app at an issuer',
    select: `id ${IDENTITY}`,
    fixed: { enabled: false },
  },
  'issuer show': {
    operation: 'identityIssuers',
    summary: 'One OpenID issuer',
    ...chosenBy('issuer', 'ISSUER_ID'),
    show: (issuers: readonly { id: string }[], { issuer }) => pick(issuers, ({ id }) => id === issuer, 'issuer'),
  },
  'jobs stuck': {
    operation: 'jobs',
    summary: 'Stuck jobs, the longest stuck first',
    fixed: { filter: { stuck: true } },
    brief: briefStuckJob,
  },
};
