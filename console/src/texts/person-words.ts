import {
  type AttemptStatus,
  type Availability,
  CAPABILITIES,
  type Capability,
  type ConnectionStatus,
  type ContentKind,
  type DeliveryStatus,
  type DisconnectReason,
  type GRANT_STATUSES,
  type IncompleteReason,
  type JobKind,
  type JobStatus,
  METRIC_NAMES,
  type MetricName,
  PLATFORM_NAMES,
  type SentEventType,
  type SYNC_STATUSES,
} from '../../../src/basics/codes.ts';
import { ATTEMPT_ENDS, JOB_ENDS } from '../../../src/basics/failure-codes.ts';

/* The words of an export for the person whose data it is: someone who knows neither the service nor the codes of its tables. */

const CONNECTION_STATUS: Readonly<Record<ConnectionStatus, string>> = {
  CONNECTED: 'connected',
  SUSPENDED: 'paused, until another account of yours is disconnected',
  RECONNECT_REQUIRED: 'access has ended. Only you can connect the account again',
  DISCONNECTED: 'being disconnected',
  DELETING: 'being erased',
};

const SYNC_STATUS: Readonly<Record<(typeof SYNC_STATUSES)[number], string>> = {
  PENDING: 'not read yet',
  RUNNING: 'being read',
  READY: 'up to date',
  PARTIAL: 'read in part',
  STALE: 'last read more than a day ago',
  FAILED: 'the last reading failed',
};

const ATTEMPT_STATUS: Readonly<Record<AttemptStatus, string>> = {
  CREATED: 'not begun',
  AUTHORIZING: 'waiting for your answer at the platform',
  EXCHANGING: 'being completed',
  COMPLETED: 'connected',
  DENIED: 'access was denied',
  FAILED: 'not connected',
  EXPIRED: 'not finished in time',
  CANCELED: 'canceled',
};

const toRecalled = (ends: Readonly<Record<string, { readonly recalls: string }>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(ends).map(([code, { recalls }]) => [code, recalls]));

const ATTEMPT_RESULT = toRecalled(ATTEMPT_ENDS);

const GRANT_STATUS: Readonly<Record<(typeof GRANT_STATUSES)[number], string>> = {
  PENDING: 'not in use yet',
  LIVE: 'in use',
  REVOKING: 'being ended at the platform',
  DEAD: 'ended',
};

const JOB_KIND: Readonly<Record<JobKind, string>> = {
  SCAN: 'Reading of posts',
  METRICS: 'Reading of the numbers of one post',
  LOOKUP: 'Search for one post',
  REVOKE: 'End of our access at the platform',
  ERASE: 'Erasure of the data here',
  COMPENSATION: 'End of an access that was not used',
};

const JOB_STATUS: Readonly<Record<JobStatus, string>> = {
  QUEUED: 'not begun',
  RUNNING: 'in progress',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  CANCELED: 'not needed any more',
};

const JOB_ERROR = toRecalled(JOB_ENDS);

const INCOMPLETE: Readonly<Record<IncompleteReason, string>> = {
  MAX_ITEMS: 'the highest number of posts for one reading was reached',
  PROVIDER_LIMIT: 'the platform lists no more posts',
  PROVIDER_UNAVAILABLE: 'the platform was no longer available',
};

const REQUESTED_BY: Readonly<Record<string, string>> = { CALLER: 'the application', SERVICE: 'this service' };

const DISCONNECT_REASON: Readonly<Record<DisconnectReason, string>> = {
  APP: 'the application asked for it',
  OPERATOR: 'an operator of this service asked for it',
  PLATFORM_REMOVAL: 'you removed the app at the platform',
  PLATFORM_DELETION: 'you asked the platform for the deletion',
  UNUSED: 'we could not confirm for a long time that access still works',
};

const CONTENT_KIND: Readonly<Record<ContentKind, string>> = {
  VIDEO: 'Video',
  IMAGE: 'Picture',
  CAROUSEL: 'Several pictures',
  UNKNOWN: 'Post of another kind',
};

const AVAILABILITY: Readonly<Record<Availability, string>> = {
  AVAILABLE: 'available',
  UNSUPPORTED: 'not offered by the platform',
  NOT_GRANTED: 'not permitted',
  UNAVAILABLE: 'not available',
};

const DELIVERY: Readonly<Record<DeliveryStatus, string>> = {
  PENDING: 'not delivered yet',
  DELIVERED: 'delivered',
  FAILED: 'not delivered',
};

const EVENT: Readonly<Record<SentEventType, string>> = {
  'connect_session.finished': 'An attempt to connect ended',
  'identity_session.finished': 'A sign-in ended',
  'connection.connected': 'An account was connected',
  'connection.reconnect_required': 'Access to an account ended',
  'connection.suspended': 'Access to an account was paused',
  'connection.resumed': 'Access to an account works again',
  'connection.disconnected': 'An account was disconnected',
  'connection.erased': 'The data of an account was erased',
  'job.finished': 'A reading ended',
  'receipt.settled': 'A step of a disconnect ended',
  'content.changed': 'A reading found new, changed or missing posts',
  'connection.corrected': 'An earlier notice was corrected',
  'webhook.test': 'A test',
};

const CAPABILITY: Readonly<Record<Capability, string>> = {
  PROFILE: 'Read the name and picture of your account',
  CONTENT_LIST: 'List your posts',
  CONTENT_LOOKUP: 'Find one of your posts by its address',
  CONTENT_METRICS: 'Read the numbers of your posts, such as views',
};

const METRIC: Readonly<Record<MetricName, string>> = {
  VIEWS: 'Views',
  LIKES: 'Likes',
  COMMENTS: 'Comments',
  SHARES: 'Shares',
};

/** The words for a column's values. The key is the column, with its table where other tables use the name for other values. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  provider: PLATFORM_NAMES,
  'connection.status': CONNECTION_STATUS,
  sync_status: SYNC_STATUS,
  'connect_attempt.status': ATTEMPT_STATUS,
  result_code: ATTEMPT_RESULT,
  capabilities: CAPABILITY,
  'account_grant.status': GRANT_STATUS,
  'read_job.kind': JOB_KIND,
  'read_job.status': JOB_STATUS,
  'disconnect_job.kind': JOB_KIND,
  'disconnect_job.status': JOB_STATUS,
  'disconnect_job.reason': DISCONNECT_REASON,
  error_code: JOB_ERROR,
  incomplete_reason: INCOMPLETE,
  requested_by: REQUESTED_BY,
  'content_item.kind': CONTENT_KIND,
  availability: AVAILABILITY,
  'webhook_event.type': EVENT,
  event_type: EVENT,
  'webhook_delivery.status': DELIVERY,
};

/** The fields of a profile. */
const FIELDS: Readonly<Record<string, string>> = {
  displayName: 'Name',
  avatarUrl: 'Picture',
  profileUrl: 'Page',
};

const SEALED: Readonly<Record<string, string>> = {
  sealed_tokens: 'the keys to your account at the platform',
  sealed_code: 'the code with which the platform answered',
  sealed_code_verifier: 'a one-time secret of ours',
};

/** The name of a field within a value. */
export const nameField = (name: string): string => FIELDS[name] ?? toWords(name);

/** The name of a value that is stored encrypted. */
export const nameSealed = (column: string): string => SEALED[column] ?? toWords(column).toLowerCase();

/** Splits a name in snake, camel or upper case: `Item count` for `item_count`. */
export const toWords = (name: string): string => {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** The words for a value. A code without words of its own, such as one of a newer version, is split into words. */
export function findWords(table: string, column: string, value: string): string | undefined {
  const words = VALUES[`${table}.${column}`] ?? VALUES[column];
  if (words !== undefined && Object.hasOwn(words, value)) return words[value];
  return CODE.test(value) ? toWords(value).toLowerCase() : undefined;
}

const isOneOf = <Word extends string>(words: readonly Word[], word: unknown): word is Word =>
  words.some((one) => one === word);

interface Part {
  readonly capability?: unknown;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly availability?: unknown;
}

/** Describes a capability or a metric of a list: `Views: 12`, `Likes: not permitted`. @returns undefined for anything else */
export function describePart(part: Part): string | undefined {
  const { capability, name, value, availability } = part;
  const words = typeof availability === 'string' ? findWords('', 'availability', availability) : undefined;
  if (isOneOf(CAPABILITIES, capability)) return `${CAPABILITY[capability]}: ${words ?? 'available'}`;
  if (isOneOf(METRIC_NAMES, name)) return `${METRIC[name]}: ${value ?? words ?? 'not available'}`;
  return undefined;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** `29 November 2026, 17:38 UTC` */
export const formatInstant = (at: Date): string => `${DAY.format(at)}, ${TIME.format(at)} UTC`;

const INSTANT = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)`;
const ONE = new RegExp(`^${INSTANT}$`);
const RANGE = new RegExp(`^[[(]"?(${INSTANT})"?,"?(${INSTANT})"?[\\])]$`);

/** Postgres writes the zone as `+00`, which browsers do not read. */
const readInstant = (text: string): Date => new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));

/** An instant or a range of them, as Postgres writes it. @returns undefined for anything else */
export function describeTime(text: string): string | undefined {
  if (ONE.test(text)) return formatInstant(readInstant(text));
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return `${formatInstant(readInstant(from))} to ${formatInstant(readInstant(to))}`;
}
