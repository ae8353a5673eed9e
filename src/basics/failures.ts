import type { JobErrorCode, ResultCode } from './failure-codes.ts';

/*
 * Every way in which work can fail, and everything that the service derives from it. A new type of failure is a row here: the compiler
 * requires each of its columns, and scripts/closed-sets.mjs forbids lists of types elsewhere (D-830).
 */

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
    /** What the platform no longer serves of a connection: the capability that was called, or each of the account. */
    readonly withdraws?: 'CAPABILITY' | 'ACCOUNT';
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

/** A failure of a call to a platform. */
interface PlatformFailureRule extends FailureRule {
  /** What the service makes of an answer, in test/providers/provider-answers.md. */
  readonly means: string;
  /** The same for operators, such as `access ended`. */
  readonly briefly: string;
  /**
   * Why a line of an import became no connection; docs/importing.md has the codes. `isRetryable`: the same line can
   * succeed later.
   */
  readonly import: { readonly code: string; readonly message: string; readonly isRetryable?: true };
}

const FAILED = { log: 'FAILURE', requeues: false } as const;
const NORMAL = { log: 'NORMAL', requeues: false } as const;
const DEFECT = { log: 'DEFECT', requeues: false } as const;

/** What a call to a platform fails with. */
const PLATFORM_FAILURES = {
  /** A temporary failure. `retryAfterSeconds` is set if the provider gave a delay. */
  RetryLater: {
    message: 'temporary failure, retry later.',
    job: { code: 'PROVIDER_UNAVAILABLE', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: true },
    grant: { shows: 'PLATFORM_FAILED', upkeep: 'SOON' },
    worker: FAILED,
    means: 'A fault of the platform. The call is tried again later',
    briefly: 'a temporary failure',
    import: {
      code: 'PROVIDER_UNAVAILABLE',
      message: 'The provider did not answer, or reported a failure of its own.',
      isRetryable: true,
    },
  },
  /** The platform limits our requests. `retryAfterSeconds` is set if it gave a delay. */
  PlatformLimit: {
    message: 'the platform limits our requests, retry later.',
    job: { code: 'PROVIDER_RATE_LIMITED', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: true },
    grant: { shows: 'PLATFORM_FAILED', upkeep: 'SOON' },
    worker: FAILED,
    means: 'The platform limits our requests. The call is tried again later',
    briefly: "the platform's limit",
    import: {
      code: 'PROVIDER_UNAVAILABLE',
      message: 'The provider limits our requests.',
      isRetryable: true,
    },
  },
  /** Our own rate limit for the provider is reached. Nothing was sent, and nothing has failed. */
  OwnRateLimit: {
    message: 'our own rate limit is reached.',
    job: { code: 'PROVIDER_RATE_LIMITED', ends: 'IN_TIME', wait: 'OWN_DELAY' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: true },
    grant: { shows: 'NOT_ASKED', upkeep: 'SOON' },
    worker: { log: 'NORMAL', requeues: true },
    means: 'Our own limit',
    briefly: 'our own rate limit',
    import: {
      code: 'OWN_RATE_LIMIT',
      message: 'Too many calls to the provider are waiting for their slot.',
      isRetryable: true,
    },
  },
  /** The registration's quota is used up until `retryAfterSeconds` from now. */
  QuotaSpent: {
    message: 'the daily quota is used up.',
    job: { code: 'PROVIDER_RATE_LIMITED', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'PROVIDER_UNAVAILABLE', retries: false },
    grant: { shows: 'NO_QUOTA', upkeep: 'SOON' },
    worker: NORMAL,
    means: 'The quota of the day is used up. The registration waits until it resets',
    briefly: 'quota used up',
    import: {
      code: 'QUOTA_USED_UP',
      message: "The registration's daily quota, or the app's share of it, is used up.",
      isRetryable: true,
    },
  },
  /** The provider rejected the access token. Refresh it. Right after a refresh it means the grant is dead. */
  TokenStale: {
    message: 'the platform rejected the access token.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' }, // `callWithFreshToken` makes another failure of it.
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'TOKEN_REFUSED', upkeep: 'LATER' },
    worker: FAILED,
    means: 'The access token is old. It is refreshed',
    briefly: 'access token expired',
    import: { code: 'GRANT_DEAD', message: 'The provider refused the access token. The person must connect again.' },
  },
  /** The person or the provider ended the grant. */
  GrantDead: {
    message: 'the grant was revoked or has expired.',
    job: { code: 'RECONNECT_REQUIRED', ends: 'WITH_GRANT', wait: 'BACK_OFF' },
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'DEAD', upkeep: 'LATER' },
    worker: FAILED,
    means: 'The grant has ended. That is believed of a part of the connections (D-760)',
    briefly: 'access ended',
    import: {
      code: 'GRANT_DEAD',
      message:
        'The provider refused the token: it has ended, or belongs to another client. The person must connect again.',
    },
  },
  /** The grant is alive but lacks the permission. */
  PermissionMissing: {
    message: 'the grant lacks a permission.',
    job: { code: 'CAPABILITY_UNAVAILABLE', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'MISSING_PERMISSION', retries: false },
    grant: { shows: 'ALIVE', withdraws: 'CAPABILITY', upkeep: 'LATER' },
    worker: FAILED,
    means: 'The grant lacks a permission. That is believed of a part of the connections (D-760)',
    briefly: 'permission missing',
    import: { code: 'MISSING_PERMISSION', message: 'The grant does not allow reading the account.' },
  },
  /** The person's account has nothing to connect (no channel, not a professional account). */
  AccountUnusable: {
    message: 'the account has no channel or professional profile to connect.',
    job: { code: 'ACCOUNT_UNUSABLE', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'ACCOUNT_UNUSABLE', retries: false },
    grant: { shows: 'ALIVE', withdraws: 'ACCOUNT', upkeep: 'LATER' },
    worker: FAILED,
    means: 'The account has nothing to connect',
    briefly: 'account cannot connect',
    import: { code: 'ACCOUNT_UNUSABLE', message: 'The account has no channel or professional profile to connect.' },
  },
  /** The answer is about another account than the connection's, or names none. */
  AccountMismatch: {
    message: "the answer is about another account than the connection's.",
    job: { code: 'ACCOUNT_MISMATCH', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'ACCOUNT_MISMATCH', retries: false },
    grant: { shows: 'OTHER_ACCOUNT', upkeep: 'LATER' },
    worker: FAILED,
    means: 'The answer is about another account. Nothing of it is stored',
    briefly: 'another account',
    import: {
      code: 'ACCOUNT_MISMATCH',
      message: 'The provider answered about another account than that of the token.',
    },
  },
  /** The content does not exist or belongs to another account. Providers seldom distinguish the two. */
  NotFound: {
    message: 'content not found.',
    job: { code: 'CONTENT_NOT_FOUND', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
    means: 'No such post. It is gone only after a second read (D-296)',
    briefly: 'post not found',
    import: { code: 'PROVIDER_CONTRACT', message: 'The provider does not know the account.' },
  },
  /** The URL is not the URL of a post at this provider. */
  UnsupportedUrl: {
    message: 'the URL is not the URL of a post on this platform.',
    job: { code: 'UNSUPPORTED_URL', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'EXCHANGE_FAILED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
    means: 'No URL of a post',
    briefly: 'not the URL of a post',
    import: { code: 'PROVIDER_CONTRACT', message: 'The provider sent an unknown answer.' },
  },
  /**
   * The provider rejects our client id, secret or configuration. This never affects a grant and proves nothing,
   * because a person can cause it by editing the authorization request in the browser.
   */
  ClientRejected: {
    message: 'the platform rejected our OAuth client or its configuration.',
    job: { code: 'PROVIDER_UNAVAILABLE', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'CLIENT_REFUSED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
    means: 'Our own client or app. No connection changes; an alert',
    briefly: 'client refused',
    import: {
      code: 'CLIENT_REJECTED',
      message:
        'The provider refused our client for this token: the token may belong to another client. Check the registration.',
    },
  },
  /** An answer in an unknown format. */
  ContractBroken: {
    message: 'unexpected response format.',
    job: { code: 'PROVIDER_CONTRACT', ends: 3, wait: 'BACK_OFF' }, // An unknown format may be a temporary fault.
    attempt: { code: 'EXCHANGE_FAILED', retries: 'REPEATABLE' },
    grant: { shows: 'PLATFORM_FAILED', upkeep: 'LATER' },
    worker: FAILED,
    means: 'Our own request is refused, or the answer has another form. It is kept for people',
    briefly: 'unknown format',
    import: { code: 'PROVIDER_CONTRACT', message: 'The provider sent an unknown answer.' },
  },
} as const satisfies Readonly<Record<string, PlatformFailureRule>>;

/** Failures that no platform has reported. */
const OWN_FAILURES = {
  /** Our own time-out, or a worker that ended. Another try may succeed. */
  Interrupted: {
    message: 'Our own time-out, or a worker that ended.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: true },
    grant: { shows: 'NOTHING', upkeep: 'SOON' },
    worker: FAILED,
  },
  /** Our own Postgres is down, full or read-only. */
  DatabaseAway: {
    message: 'Our own database is away.',
    job: { code: 'INTERNAL', ends: 'NEVER', wait: 'OWN_DELAY' }, // The next try shows how the read ends.
    attempt: { code: 'INTERNAL', retries: true },
    grant: { shows: 'NOTHING', upkeep: 'SOON' },
    worker: FAILED,
  },
  /** Postgres refuses the data. It would refuse the same data again. */
  DataRefused: {
    message: 'The database refuses the data.',
    job: { code: 'INTERNAL', ends: 'AT_ONCE', wait: 'REPAIR' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: DEFECT,
  },
  /** A right, a column or a table is missing, such as during a roll-out. */
  SchemaMismatch: {
    message: 'The database lacks a right, a column or a table.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'REPAIR' },
    attempt: { code: 'INTERNAL', retries: true },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: DEFECT,
  },
  /** The row of accepted work is gone: a fail-over has lost it. */
  RowLost: {
    message: 'The row of accepted work is lost.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: FAILED,
  },
  /** An inline step has to run through its queue. No history contains it. */
  NotInline: {
    message: 'The queue has to run this.',
    job: { code: 'INTERNAL', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: { log: 'FAILURE', requeues: true },
  },
  /** The row no longer needs this work. */
  NotWanted: {
    message: 'Nothing asks for this call any longer.',
    job: { code: 'CONNECTION_DISCONNECTED', ends: 'WITH_GRANT', wait: 'BACK_OFF' },
    attempt: { code: 'EXPIRED', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: NORMAL,
  },
  /** Policy or registration no longer allow it. */
  NotAllowed: {
    message: 'The policy or the registration no longer allows this.',
    job: { code: 'CAPABILITY_UNAVAILABLE', ends: 'AT_ONCE', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'FORBIDDEN', upkeep: 'LATER' },
    worker: FAILED,
  },
  /** The connection is suspended, or its registration is paused. */
  Paused: {
    message: 'The connection is suspended or its registration is paused.',
    job: { code: 'AUTHORIZATION_SUSPENDED', ends: 'IN_TIME', wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'FORBIDDEN', upkeep: 'LATER' },
    worker: NORMAL,
  },
  /** An attempt is no longer permitted. */
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
  /** Anything else. */
  Unexpected: {
    message: 'Unexpected failure.',
    job: { code: 'INTERNAL', ends: 5, wait: 'BACK_OFF' },
    attempt: { code: 'INTERNAL', retries: false },
    grant: { shows: 'NOTHING', upkeep: 'LATER' },
    worker: { log: 'DEFECT', requeues: true },
  },
} as const satisfies Readonly<Record<string, FailureRule>>;

export const FAILURES = { ...PLATFORM_FAILURES, ...OWN_FAILURES };
export type ProviderErrorType = keyof typeof PLATFORM_FAILURES;
export type FailureType = keyof typeof FAILURES;
/** @internal */
export const PROVIDER_ERROR_TYPES = Object.keys(PLATFORM_FAILURES) as readonly ProviderErrorType[];
/** @internal */
export const FAILURE_TYPES = Object.keys(FAILURES) as readonly FailureType[];

export const platformRuleOf = (type: ProviderErrorType): PlatformFailureRule => PLATFORM_FAILURES[type];
export const isProviderErrorType = (type: string): type is ProviderErrorType => Object.hasOwn(PLATFORM_FAILURES, type);

/** A type from a history: one that this build does not know is `Unexpected`. */
export const toFailureType = (type: string | null | undefined): FailureType =>
  type != null && Object.hasOwn(FAILURES, type) ? (type as FailureType) : 'Unexpected';

export const ruleOf = (type: string | null | undefined): FailureRule => FAILURES[toFailureType(type)];

/** Once a code was sent, these ends only mean that its answer was lost: by the platform, or by a worker of ours that ended. */
const WITHOUT_ANSWER: readonly ResultCode[] = ['PROVIDER_UNAVAILABLE', 'INTERNAL'];

/** @param wasSent the code was sent, and the platform may have accepted it */
export function findAttemptCode(type: FailureType, { wasSent }: { wasSent: boolean }): ResultCode {
  const { code } = ruleOf(type).attempt;
  return wasSent && WITHOUT_ANSWER.includes(code) ? 'EXCHANGE_FAILED' : code;
}

/** The failures that are refusals of our own database. */
export const DATABASE_REFUSALS = FAILURE_TYPES.filter((type) => ruleOf(type).job.wait === 'REPAIR');

/** The failures that the service counts as its own. */
export type Defect = {
  [Type in FailureType]: (typeof FAILURES)[Type]['worker']['log'] extends 'DEFECT' ? Type : never;
}[FailureType];
export const DEFECTS = FAILURE_TYPES.filter((type): type is Defect => ruleOf(type).worker.log === 'DEFECT');

/** The next try belongs to our own rate limit, or to a database that is away: the platform has not failed. */
export const isOwnDelay = (type: string): boolean => ruleOf(type).job.wait === 'OWN_DELAY';

/** A later try of the same call may succeed: nothing is wrong with its token, its account or our client. */
export const isTemporary = (type: string): boolean => ruleOf(type).attempt.retries === true;

/** The platform no longer accepts this token. */
export const isTokenRefused = (type: string | null | undefined): boolean =>
  ['DEAD', 'TOKEN_REFUSED'].includes(ruleOf(type).grant.shows);
