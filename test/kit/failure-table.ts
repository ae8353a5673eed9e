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

const ofPlatform = (
  read: string,
  attempt: Expected['attempt'],
  line: ExpectedOfPlatform['line'],
  withdraws?: Expected['withdraws'],
): ExpectedOfPlatform => ({ read, attempt, line, ...(withdraws && { withdraws }) });

/** What each failure leads to, from the pages: what the code makes of it has to agree. A new failure is a row here. */
export const FAILURE_TABLE = {
  RetryLater: ofPlatform('PROVIDER_UNAVAILABLE waits', 'PROVIDER_UNAVAILABLE waits', 'PROVIDER_UNAVAILABLE later'),
  PlatformLimit: ofPlatform('PROVIDER_RATE_LIMITED waits', 'PROVIDER_UNAVAILABLE waits', 'PROVIDER_UNAVAILABLE later'),
  OwnRateLimit: ofPlatform('PROVIDER_RATE_LIMITED 1 s', 'PROVIDER_UNAVAILABLE waits', 'OWN_RATE_LIMIT later'),
  QuotaSpent: ofPlatform('PROVIDER_RATE_LIMITED waits', 'PROVIDER_UNAVAILABLE ends', 'QUOTA_USED_UP later'),
  TokenStale: ofPlatform('INTERNAL waits', 'EXCHANGE_FAILED ends', 'GRANT_DEAD never'),
  GrantDead: ofPlatform('RECONNECT_REQUIRED ends', 'EXCHANGE_FAILED ends', 'GRANT_DEAD never'),
  PermissionMissing: ofPlatform(
    'CAPABILITY_UNAVAILABLE ends',
    'MISSING_PERMISSION ends',
    'MISSING_PERMISSION never',
    'CAPABILITY',
  ),
  AccountUnusable: ofPlatform('ACCOUNT_UNUSABLE ends', 'ACCOUNT_UNUSABLE ends', 'ACCOUNT_UNUSABLE never', 'ACCOUNT'),
  AccountMismatch: ofPlatform('ACCOUNT_MISMATCH ends', 'ACCOUNT_MISMATCH ends', 'ACCOUNT_MISMATCH never'),
  NotFound: ofPlatform('CONTENT_NOT_FOUND ends', 'EXCHANGE_FAILED ends', 'PROVIDER_CONTRACT never'),
  UnsupportedUrl: ofPlatform('UNSUPPORTED_URL ends', 'EXCHANGE_FAILED ends', 'PROVIDER_CONTRACT never'),
  ClientRejected: ofPlatform('PROVIDER_UNAVAILABLE waits', 'CLIENT_REFUSED ends', 'CLIENT_REJECTED never'),
  ContractBroken: ofPlatform('PROVIDER_CONTRACT ends 3', 'EXCHANGE_FAILED ends', 'PROVIDER_CONTRACT never'),
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
