/** All closed sets, each defined once. A leaf: tables, pages, commands and documents name them by these lists. */

export type { ProviderErrorType } from './failures.ts';

/** Creates the predicate of a part of a closed set. */
function isOneOf<const Member extends string>(part: readonly Member[]) {
  return (value: string | null | undefined): value is Member => (part as readonly unknown[]).includes(value);
}

/**
 * The platforms: their names in the schema, rows, logs and code, and the names that people know. To add one, see
 * docs/adding-a-provider.md.
 */
export const PLATFORM_NAMES = {
  PROVIDER_A: 'YouTube',
  PROVIDER_B: 'TikTok',
  PROVIDER_C: 'Instagram',
} as const;
export type ProviderName = keyof typeof PLATFORM_NAMES;
export const PROVIDER_NAMES = Object.keys(PLATFORM_NAMES) as readonly ProviderName[];

export const forEachProvider = <Value>(make: (name: ProviderName) => Value): Readonly<Record<ProviderName, Value>> =>
  Object.fromEntries(PROVIDER_NAMES.map((name) => [name, make(name)])) as Record<ProviderName, Value>;

export const CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] as const;
export type Capability = (typeof CAPABILITIES)[number];
/** Either one obtains posts. */
export const POST_CAPABILITIES = ['CONTENT_LIST', 'CONTENT_LOOKUP'] as const;

export const METRIC_NAMES = ['VIEWS', 'LIKES', 'COMMENTS', 'SHARES'] as const;
export type MetricName = (typeof METRIC_NAMES)[number];
export const AVAILABILITIES = ['AVAILABLE', 'UNSUPPORTED', 'NOT_GRANTED', 'UNAVAILABLE'] as const;
export type Availability = (typeof AVAILABILITIES)[number];
export const CONTENT_KINDS = ['VIDEO', 'IMAGE', 'CAROUSEL', 'UNKNOWN'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

export const ATTEMPT_STATUSES = [
  'CREATED',
  'AUTHORIZING',
  'EXCHANGING',
  'COMPLETED',
  'DENIED',
  'FAILED',
  'EXPIRED',
  'CANCELED',
] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];
/** No callback has arrived. */
export const UNANSWERED_ATTEMPT = ['CREATED', 'AUTHORIZING'] as const;
export const UNFINISHED_ATTEMPT = [...UNANSWERED_ATTEMPT, 'EXCHANGING'] as const;
export const isUnfinishedAttempt = isOneOf(UNFINISHED_ATTEMPT);
/** Ended by time or by another act: an exchange may still bring a grant. */
export const OVERTAKEN_ATTEMPT = ['EXPIRED', 'CANCELED'] as const;

/** The status that callers see. */
export const IDENTITY_STATUSES = ['PENDING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

export const CONNECTION_STATUSES = [
  'CONNECTED',
  'SUSPENDED',
  'RECONNECT_REQUIRED',
  'DISCONNECTED',
  'DELETING',
] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];
/** Its grant is believed alive. */
export const GRANTED_CONNECTION = ['CONNECTED', 'SUSPENDED'] as const;
export const isGrantedConnection = isOneOf(GRANTED_CONNECTION);
/** No disconnect has ended it. */
export const LIVE_CONNECTION = [...GRANTED_CONNECTION, 'RECONNECT_REQUIRED'] as const;
export const isLiveConnection = isOneOf(LIVE_CONNECTION);
export const SYNC_STATUSES = ['PENDING', 'RUNNING', 'READY', 'PARTIAL', 'STALE', 'FAILED'] as const;
/** Its last scan succeeded. */
export const SYNCED = ['READY', 'PARTIAL'] as const;

/**
 * PENDING: exchanged, without a connection yet. LIVE: the current one of its connection. REVOKING: waits for its
 * revoke. DEAD: tokens destroyed.
 */
export const GRANT_STATUSES = ['PENDING', 'LIVE', 'REVOKING', 'DEAD'] as const;
/** In use, or about to be. */
export const WANTED_GRANT = ['PENDING', 'LIVE'] as const;
export const isWantedGrant = isOneOf(WANTED_GRANT);
/** Of a connection, with tokens. */
export const ATTACHED_GRANT = ['LIVE', 'REVOKING'] as const;

export const JOB_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
/** It has not ended. */
export const OPEN_JOB = ['QUEUED', 'RUNNING'] as const;
export const isOpenJob = isOneOf(OPEN_JOB);
/** It ran to its end. */
export const FINISHED_JOB = ['SUCCEEDED', 'FAILED'] as const;
export const ENDED_JOB = [...FINISHED_JOB, 'CANCELED'] as const;
export const READ_JOB_KINDS = ['SCAN', 'METRICS', 'LOOKUP'] as const;
export type ReadJobKind = (typeof READ_JOB_KINDS)[number];
export type IncompleteReason = 'MAX_ITEMS' | 'PROVIDER_LIMIT' | 'PROVIDER_UNAVAILABLE';

/** REVOKE and ERASE are the receipts of a disconnect. COMPENSATION revokes a grant that no connection uses. */
export const DISCONNECT_JOB_KINDS = ['REVOKE', 'ERASE', 'COMPENSATION'] as const;
export const RECEIPT_KINDS = ['REVOKE', 'ERASE'] as const;
export const isReceiptKind = isOneOf(RECEIPT_KINDS);
export const REVOKE_KINDS = ['REVOKE', 'COMPENSATION'] as const;
export const isRevokeKind = isOneOf(REVOKE_KINDS);

export const JOB_KINDS = [...READ_JOB_KINDS, ...DISCONNECT_JOB_KINDS] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * The events that an app can receive. A leaf: tables, pages and documents name them by this list.
 * @later send a fact to an app: a trigger that calls `write_webhook_event` with a type of event
 */
export const WEBHOOK_EVENT_TYPES = [
  'connect_session.finished',
  'identity_session.finished',
  'connection.connected',
  'connection.reconnect_required',
  'connection.suspended',
  'connection.resumed',
  'connection.disconnected',
  'connection.erased',
  'job.finished',
  'receipt.settled',
  'content.changed',
] as const;
/** An event that an endpoint can subscribe to. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Why a connection was disconnected, and by whom. A leaf: the schema of operators and the events name them by this list. */
export const DISCONNECT_REASONS = ['APP', 'OPERATOR', 'PLATFORM_REMOVAL', 'PLATFORM_DELETION', 'UNUSED'] as const;
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];

/** Sent after a fail-over to an endpoint that received an event that is now lost, regardless of its event types. */
export const WEBHOOK_CORRECTION = 'connection.corrected';

/** Sent at an operator's request, to any endpoint. */
export const WEBHOOK_TEST = 'webhook.test';

export const SENT_EVENT_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_CORRECTION, WEBHOOK_TEST] as const;
export type SentEventType = (typeof SENT_EVENT_TYPES)[number];

/** Why a try got no answer. A leaf: tables, pages and documents name them by this list. */
export const DELIVERY_FAILURES = [
  'TIMEOUT',
  'NAME_UNKNOWN',
  'ADDRESS_REFUSED',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'ANSWER_INVALID',
  'NO_SECRET',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const ENDED_DELIVERY = ['DELIVERED', 'FAILED'] as const;

export const DISABLED_REASONS = ['OPERATOR', 'GONE', 'FAILING'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The languages of the pages that people see at the service (RFC 5646). */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The colors in which the console shows the name of an installation. */
export const INSTALLATION_COLORS = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'violet',
  'pink',
] as const;
export type InstallationColor = (typeof INSTALLATION_COLORS)[number];

/** Every code that a caller can receive in `extensions.code`. */
export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'AUTHORIZATION_SUSPENDED',
  'RECONNECT_REQUIRED',
  'CAPABILITY_UNAVAILABLE',
  'DISCONNECT_IN_PROGRESS',
  'RATE_LIMITED',
  'SYNC_WINDOW_BUSY',
  'UPSTREAM_UNAVAILABLE',
] as const;
/** Further codes that only operators receive. */
export const ADMIN_ERROR_CODES = ['FRESH_SIGN_IN_REQUIRED'] as const;
export type ErrorCode = (typeof ERROR_CODES)[number] | (typeof ADMIN_ERROR_CODES)[number];

/** How an operation of the audit log ended: a refusal has its code. */
export const AUDIT_OUTCOMES: readonly string[] = ['DONE', 'DRY_RUN', 'FAILED', ...ERROR_CODES, ...ADMIN_ERROR_CODES];
