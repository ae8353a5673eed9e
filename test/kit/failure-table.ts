import type { FailureType, ProviderErrorType } from '../../src/basics/failures.ts';

export interface Expected {
  /** A caller's read; `docs/callers-codes.md` has the codes. "ends 3": only the third in a row ends it. "1 s": no try. */
  readonly read: string;
  /** An attempt to connect. "waits": it is tried again, unless the wait is longer than the attempt has left. */
  readonly attempt: `${string} ${'ends' | 'waits'}`;
  /** What the platform no longer serves. */
  readonly withdraws?: 'CAPABILITY' | 'ACCOUNT';
}

interface ExpectedOfPlatform extends Expected {
  /** A line of an import; `docs/importing.md` has the codes. "later": the same line can succeed later. */
  readonly line: `${string} ${'later' | 'never'}`;
}

/** What each failure leads to, from the pages: what the code makes of it has to agree. A new failure is a row here. */
export const FAILURE_TABLE = {
  RetryLater: {
    read: 'PROVIDER_UNAVAILABLE waits',
    attempt: 'PROVIDER_UNAVAILABLE waits',
    line: 'PROVIDER_UNAVAILABLE later',
  },
  PlatformLimit: {
    read: 'PROVIDER_RATE_LIMITED waits',
    attempt: 'PROVIDER_UNAVAILABLE waits',
    line: 'PROVIDER_UNAVAILABLE later',
  },
  OwnRateLimit: {
    read: 'PROVIDER_RATE_LIMITED 1 s',
    attempt: 'PROVIDER_UNAVAILABLE waits',
    line: 'OWN_RATE_LIMIT later',
  },
  QuotaSpent: {
    read: 'PROVIDER_RATE_LIMITED waits',
    attempt: 'PROVIDER_UNAVAILABLE ends',
    line: 'QUOTA_USED_UP later',
  },
  TokenStale: { read: 'INTERNAL waits', attempt: 'EXCHANGE_FAILED ends', line: 'GRANT_DEAD never' },
  GrantDead: { read: 'RECONNECT_REQUIRED ends', attempt: 'EXCHANGE_FAILED ends', line: 'GRANT_DEAD never' },
  PermissionMissing: {
    read: 'CAPABILITY_UNAVAILABLE ends',
    attempt: 'MISSING_PERMISSION ends',
    line: 'MISSING_PERMISSION never',
    withdraws: 'CAPABILITY',
  },
  AccountUnusable: {
    read: 'ACCOUNT_UNUSABLE ends',
    attempt: 'ACCOUNT_UNUSABLE ends',
    line: 'ACCOUNT_UNUSABLE never',
    withdraws: 'ACCOUNT',
  },
  AccountMismatch: {
    read: 'ACCOUNT_MISMATCH ends',
    attempt: 'ACCOUNT_MISMATCH ends',
    line: 'ACCOUNT_MISMATCH never',
  },
  NotFound: { read: 'CONTENT_NOT_FOUND ends', attempt: 'EXCHANGE_FAILED ends', line: 'PROVIDER_CONTRACT never' },
  UnsupportedUrl: { read: 'UNSUPPORTED_URL ends', attempt: 'EXCHANGE_FAILED ends', line: 'PROVIDER_CONTRACT never' },
  ClientRejected: {
    read: 'PROVIDER_UNAVAILABLE waits',
    attempt: 'CLIENT_REFUSED ends',
    line: 'CLIENT_REJECTED never',
  },
  ContractBroken: {
    read: 'PROVIDER_CONTRACT ends 3',
    attempt: 'EXCHANGE_FAILED ends',
    line: 'PROVIDER_CONTRACT never',
  },
  Interrupted: { read: 'INTERNAL waits', attempt: 'INTERNAL waits' },
  DatabaseAway: { read: 'INTERNAL 1 s', attempt: 'INTERNAL waits' },
  DataRefused: { read: 'INTERNAL ends', attempt: 'INTERNAL ends' },
  SchemaMismatch: { read: 'INTERNAL waits for a repair', attempt: 'INTERNAL waits' },
  RowLost: { read: 'INTERNAL waits', attempt: 'INTERNAL ends' },
  NotInline: { read: 'INTERNAL waits', attempt: 'INTERNAL ends' },
  NotWanted: { read: 'CONNECTION_DISCONNECTED ends', attempt: 'EXPIRED ends' },
  NotAllowed: { read: 'CAPABILITY_UNAVAILABLE ends', attempt: 'INTERNAL ends' },
  Paused: { read: 'AUTHORIZATION_SUSPENDED waits', attempt: 'INTERNAL ends' },
  POLICY_CHANGED: { read: 'INTERNAL waits', attempt: 'POLICY_CHANGED ends' },
  REGISTRATION_PAUSED: { read: 'INTERNAL waits', attempt: 'REGISTRATION_PAUSED ends' },
  ACCOUNT_DISCONNECTING: { read: 'INTERNAL waits', attempt: 'ACCOUNT_DISCONNECTING ends' },
  Unexpected: { read: 'INTERNAL ends 5', attempt: 'INTERNAL ends' },
} satisfies Record<FailureType, Expected> & Record<ProviderErrorType, ExpectedOfPlatform>;
