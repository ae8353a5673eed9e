import {
  type JOB_ERROR_CODES,
  type JobErrorCode,
  PROVIDER_ERROR_TYPES,
  type ProviderErrorType,
  type RESULT_CODES,
  type ResultCode,
} from './codes.ts';

/*
 * Every way in which work can fail, and everything that the service derives from it. A new type of failure is a row here: the compiler
 * requires each of its columns, and scripts/closed-sets.mjs forbids lists of types elsewhere.
 */

/**
 * Failures that no platform has reported.
 * - `Interrupted`: our own time-out, or a worker that ended. Another try may succeed.
 * - `DatabaseAway`: our own Postgres is down, full or read-only.
 * - `DataRefused`: Postgres refuses the data. It would refuse the same data again.
 * - `SchemaMismatch`: a right, a column or a table is missing, such as during a roll-out.
 * - `RowLost`: the row of accepted work is gone: a fail-over has lost it.
 * - `NotInline`: an inline step has to run through its queue. No history contains it.
 * - `NotWanted`: the row no longer needs this work.
 * - `NotAllowed`: policy or registration no longer allow it.
 * - `Paused`: the connection is suspended, or its registration is paused.
 * - `POLICY_CHANGED`, `REGISTRATION_PAUSED`, `ACCOUNT_DISCONNECTING`: an attempt is no longer permitted.
 * - `Unexpected`: anything else.
 */
const OWN_FAILURES = [
  'Interrupted',
  'DatabaseAway',
  'DataRefused',
  'SchemaMismatch',
  'RowLost',
  'NotInline',
  'NotWanted',
  'NotAllowed',
  'Paused',
  'POLICY_CHANGED',
  'REGISTRATION_PAUSED',
  'ACCOUNT_DISCONNECTING',
  'Unexpected',
] as const;
export type FailureType = ProviderErrorType | (typeof OWN_FAILURES)[number];
/** @internal */
export const FAILURE_TYPES: readonly FailureType[] = [...PROVIDER_ERROR_TYPES, ...OWN_FAILURES];

export interface FailureRule {
  /** Our own words: histories and logs contain no others. */
  readonly message: string;
  readonly job: {
    /** The code that rows, the admin API and the Temporal UI show. A read that ends because of it has it too. */
    readonly code: JobErrorCode;
    /**
     * When it ends a read job: at once; at once, unless the connection has another grant by now; after so many failures of this type
     * in a row; when the job's time is up; or never. A revoke ends only when its time is up.
     */
    readonly ends: 'AT_ONCE' | 'WITH_GRANT' | number | 'IN_TIME' | 'NEVER';
    /**
     * The wait before the next try. `OWN_DELAY` is our own wait of moments: it counts as no try and lengthens no back-off. `REPAIR`:
     * only a repair of our database helps. Tries are at least a minute apart, and a revoke waits longer than its time.
     */
    readonly wait: 'BACK_OFF' | 'OWN_DELAY' | 'REPAIR';
  };
  readonly attempt: {
    readonly code: ResultCode;
    /** Whether an attempt tries again until its deadline. `REPEATABLE`: only a call that spent nothing, up to `job.ends` times. */
    readonly retries: boolean | 'REPEATABLE';
  };
  readonly grant: {
    /**
     * The state of the grant that a check shows, on which upkeep, siblings and revokes act. `ALIVE`: the platform accepted the token;
     * `OTHER_ACCOUNT`: it did, for another account; `TOKEN_REFUSED`: the access token is refused; `NOT_ASKED`: nothing was sent;
     * `NO_QUOTA`; `FORBIDDEN`: our rules do not allow the call now; `PLATFORM_FAILED`: the access token may still work.
     */
    readonly shows:
      | 'ALIVE'
      | 'OTHER_ACCOUNT'
      | 'DEAD'
      | 'TOKEN_REFUSED'
      | 'NOT_ASKED'
      | 'NO_QUOTA'
      | 'FORBIDDEN'
      | 'PLATFORM_FAILED'
      | 'NOTHING';
    /** The next upkeep: the same day, or a day later. */
    readonly upkeep: 'SOON' | 'LATER';
  };
  readonly worker: {
    /** `NORMAL`: neither a warning nor a failed activity. `DEFECT`: counted as a failure of the service. */
    readonly log: 'NORMAL' | 'FAILURE' | 'DEFECT';
    /** Whether an inline step that fails so runs again through its queue. */
    readonly requeues: boolean;
  };
}

const FAILED = { log: 'FAILURE', requeues: false } as const;
const NORMAL = { log: 'NORMAL', requeues: false } as const;
const DEFECT = { log: 'DEFECT', requeues: false } as const;

export const FAILURES = {
  RetryLater: {
    message: 'temporary failure, retry later.',
    job: { code: 'PROVIDER_UNAVAILABLE', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: true },
    grant: { shows: 'PLATFORM_FAILED', upkeep: 'SOON' },
    worker: FAILED,
  },
  OwnRateLimit: {
    message: 'our own rate limit is reached.',
    job: { code: 'PROVIDER_RATE_LIMITED', ends: 'IN_TIME', wait: 'OWN_DELAY' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: true },
    grant: { shows: 'NOT_ASKED', upkeep: 'SOON' },
    worker: { log: 'NORMAL', requeues: true },
  },
  QuotaSpent: {
    message: 'the daily quota is used up.',
    job: { code: 'PROVIDER_RATE_LIMITED', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: false },
    grant: { shows: 'NO_QUOTA', upkeep: 'SOON' },
    worker: NORMAL,
  },
  TokenStale: {
    message: 'the platform rejected the access token.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' }, // `callWithFreshToken` makes another failure of it.
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'TOKEN_REFUSED', upkeep: 'LATER' },
    worker: FAILED,
  },
  GrantDead: {
    message: 'the grant was revoked or has expired.',
    job: { code: 'RECONNECT_REQUIRED', ends: 'WITH_GRANT', wait: 'BACK_OFF' },
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'DEAD', upkeep: 'LATER' },
    worker: FAILED,
  },
  PermissionMissing: {
    message: 'the grant lacks a permission.',
    job: { code: 'CAPABILITY_UNAVAILABLE', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'MISSING_PERMISSION', retries: false },
    grant: { shows: 'ALIVE', upkeep: 'LATER' },
    worker: FAILED,
  },
  AccountUnusable: {
    message: 'the account has no channel or professional profile to connect.',
    job: { code: 'ACCOUNT_UNUSABLE', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'ACCOUNT_UNUSABLE', retries: false },
    grant: { shows: 'ALIVE', upkeep: 'LATER' },
    worker: FAILED,
  },
  AccountMismatch: {
    message: "the answer is about another account than the connection's.",
    job: { code: 'ACCOUNT_MISMATCH', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'ACCOUNT_MISMATCH', retries: false },
    grant: { shows: 'OTHER_ACCOUNT', upkeep: 'LATER' },
    worker: FAILED,
  },
  NotFound: {
    message: 'content not found.',
    job: { code: 'CONTENT_NOT_FOUND', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  UnsupportedUrl: {
    message: 'the URL is not the URL of a post on this platform.',
    job: { code: 'UNSUPPORTED_URL', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  ClientRejected: {
    message: 'the platform rejected our OAuth client or its configuration.',
    job: { code: 'PROVIDER_UNAVAILABLE', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'CLIENT_REFUSED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  ContractBroken: {
    message: 'unexpected response format.',
    job: { code: 'PROVIDER_CONTRACT', ends: 3, wait: 'BACK_OFF' }, // An unknown format may be a temporary fault.
    attempt: { code: 'EXCHANGE_FAILED', retries: 'REPEATABLE' },
    grant: { shows: 'PLATFORM_FAILED', upkeep: 'LATER' },
    worker: FAILED,
  },
  Interrupted: {
    message: 'Our own time-out, or a worker that ended.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: true },
    grant: { shows: 'NOTHING', upkeep: 'SOON' },
    worker: FAILED,
  },
  DatabaseAway: {
    message: 'Our own database is away.',
    job: { code: 'INTERNAL', ends: 'NEVER', wait: 'OWN_DELAY' }, // The next try shows how the read ends.
    attempt: { code: 'INTERNAL', retries: true },
    grant: { shows: 'NOTHING', upkeep: 'SOON' },
    worker: FAILED,
  },
  DataRefused: {
    message: 'The database refuses the data.',
    job: { code: 'INTERNAL', ends: 'AT_ONCE', wait: 'REPAIR' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: DEFECT,
  },
  SchemaMismatch: {
    message: 'The database lacks a right, a column or a table.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'REPAIR' },
    attempt: { code: 'INTERNAL', retries: true },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: DEFECT,
  },
  RowLost: {
    message: 'The row of accepted work is lost.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  NotInline: {
    message: 'The queue has to run this.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: { log: 'FAILURE', requeues: true },
  },
  NotWanted: {
    message: 'Nothing asks for this call any longer.',
    job: { code: 'CONNECTION_DISCONNECTED', ends: 'WITH_GRANT', wait: 'BACK_OFF' },
    attempt: { code: 'EXPIRED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: NORMAL,
  },
  NotAllowed: {
    message: 'The policy or the registration no longer allows this.',
    job: { code: 'CAPABILITY_UNAVAILABLE', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'FORBIDDEN', upkeep: 'LATER' },
    worker: FAILED,
  },
  Paused: {
    message: 'The connection is suspended or its registration is paused.',
    job: { code: 'AUTHORIZATION_SUSPENDED', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'FORBIDDEN', upkeep: 'LATER' },
    worker: NORMAL,
  },
  POLICY_CHANGED: {
    message: 'The attempt is no longer allowed.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'POLICY_CHANGED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  REGISTRATION_PAUSED: {
    message: 'The attempt is no longer allowed.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'REGISTRATION_PAUSED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  ACCOUNT_DISCONNECTING: {
    message: 'A disconnect may still end the grant of this account.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'ACCOUNT_DISCONNECTING', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  Unexpected: {
    message: 'Unexpected failure.',
    job: { code: 'INTERNAL', ends: 5, wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: { log: 'DEFECT', requeues: true },
  },
} as const satisfies Record<FailureType, FailureRule>;

/** A type from a history: one that this build does not know is `Unexpected`. */
export const toFailureType = (type: string | null | undefined): FailureType =>
  type != null && Object.hasOwn(FAILURES, type) ? (type as FailureType) : 'Unexpected';

export const ruleOf = (type: string | null | undefined): FailureRule => FAILURES[toFailureType(type)];

/** The failures that are refusals of our own database. */
export const DATABASE_REFUSALS = FAILURE_TYPES.filter((type) => ruleOf(type).job.wait === 'REPAIR');

/** The failures that the service counts as its own. */
export type Defect = {
  [Type in FailureType]: (typeof FAILURES)[Type]['worker']['log'] extends 'DEFECT' ? Type : never;
}[FailureType];
export const DEFECTS = FAILURE_TYPES.filter((type): type is Defect => ruleOf(type).worker.log === 'DEFECT');

/** The next try belongs to our own rate limit, or to a database that is away: the platform has not failed. */
export const isOwnDelay = (type: string): boolean => ruleOf(type).job.wait === 'OWN_DELAY';

/** The platform no longer accepts this token. */
export const isTokenRefused = (type: string): boolean => ['DEAD', 'TOKEN_REFUSED'].includes(ruleOf(type).grant.shows);

/**
 * The evidence of ended work about its platform: a person, an app or an operator may have ended it. `isPartial`: whether a scan
 * that ends so keeps its posts and can be continued, always or only if it has read its whole window.
 */
interface EndRule {
  readonly blames: 'PLATFORM' | 'NOT_PLATFORM';
  readonly isPartial?: 'ALWAYS' | 'AT_END' | 'NEVER';
}

export const JOB_ENDS = {
  PROVIDER_UNAVAILABLE: { blames: 'PLATFORM', isPartial: 'ALWAYS' },
  PROVIDER_RATE_LIMITED: { blames: 'PLATFORM', isPartial: 'ALWAYS' },
  RECONNECT_REQUIRED: { blames: 'PLATFORM', isPartial: 'NEVER' },
  CAPABILITY_UNAVAILABLE: { blames: 'NOT_PLATFORM', isPartial: 'NEVER' },
  ACCOUNT_UNUSABLE: { blames: 'NOT_PLATFORM', isPartial: 'NEVER' },
  ACCOUNT_MISMATCH: { blames: 'NOT_PLATFORM', isPartial: 'NEVER' },
  AUTHORIZATION_SUSPENDED: { blames: 'NOT_PLATFORM', isPartial: 'NEVER' },
  CONTENT_NOT_FOUND: { blames: 'NOT_PLATFORM', isPartial: 'AT_END' },
  UNSUPPORTED_URL: { blames: 'NOT_PLATFORM', isPartial: 'NEVER' },
  CONNECTION_DISCONNECTED: { blames: 'NOT_PLATFORM', isPartial: 'NEVER' },
  PROVIDER_CONTRACT: { blames: 'PLATFORM', isPartial: 'ALWAYS' },
  INTERNAL: { blames: 'PLATFORM', isPartial: 'AT_END' },
} as const satisfies Record<(typeof JOB_ERROR_CODES)[number], Required<EndRule>>;

export const ATTEMPT_ENDS = {
  ACCESS_DENIED: { blames: 'NOT_PLATFORM' },
  MISSING_PERMISSION: { blames: 'NOT_PLATFORM' },
  ACCOUNT_UNUSABLE: { blames: 'NOT_PLATFORM' },
  PARTIAL_PERMISSION: { blames: 'PLATFORM' },
  ACCOUNT_MISMATCH: { blames: 'NOT_PLATFORM' },
  ACCOUNT_DISCONNECTING: { blames: 'NOT_PLATFORM' },
  EXCHANGE_FAILED: { blames: 'PLATFORM' },
  CLIENT_REFUSED: { blames: 'PLATFORM' },
  PROVIDER_UNAVAILABLE: { blames: 'PLATFORM' },
  INTERNAL: { blames: 'PLATFORM' },
  REGISTRATION_PAUSED: { blames: 'NOT_PLATFORM' },
  POLICY_CHANGED: { blames: 'NOT_PLATFORM' },
  EXPIRED: { blames: 'NOT_PLATFORM' },
  CANCELED: { blames: 'NOT_PLATFORM' },
} as const satisfies Record<(typeof RESULT_CODES)[number], EndRule>;
