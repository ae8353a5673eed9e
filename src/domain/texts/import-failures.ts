import type { ProviderErrorType, ResultCode } from '../../basics/codes.ts';
import { describeResult } from './failure-messages.ts';

/** Why a line of an import became no connection. */
export interface ImportFailure {
  readonly code: string;
  readonly message: string;
  /** Whether the same line can succeed later, without a change. */
  readonly retryable: boolean;
  /** Null if the line may be tried again at any time, or never. */
  readonly retryAfterSeconds: number | null;
}

type Own =
  | 'BAD_LINE'
  | 'DUPLICATE_LINE'
  | 'NO_TOKEN'
  | 'NOT_PERMITTED'
  | 'OTHER_CLIENT'
  | 'CLIENT_UNPROVEN'
  | 'TOKENS_OF_ANOTHER_SUBJECT'
  | 'IMPORT_ENDED'
  | 'ANSWER_LOST'
  | 'INTERNAL';

const PROVIDER: Readonly<Record<ProviderErrorType, readonly [code: string, message: string, retryable?: true]>> = {
  GrantDead: [
    'GRANT_DEAD',
    'The provider refused the token: it has ended, or belongs to another client. The person must connect again.',
  ],
  TokenStale: ['GRANT_DEAD', 'The provider refused the access token. The person must connect again.'],
  PermissionMissing: ['MISSING_PERMISSION', 'The grant does not allow reading the account.'],
  AccountUnusable: ['ACCOUNT_UNUSABLE', 'The account has no channel or professional profile to connect.'],
  AccountMismatch: ['ACCOUNT_MISMATCH', 'The provider answered about another account than that of the token.'],
  ClientRejected: [
    'CLIENT_REJECTED',
    'The provider refused our client for this token: the token may belong to another client. Check the registration.',
  ],
  RetryLater: ['PROVIDER_UNAVAILABLE', 'The provider did not answer, or asked for a pause.', true],
  OwnRateLimit: ['OWN_RATE_LIMIT', 'Too many calls to the provider are waiting for their slot.', true],
  QuotaSpent: ['QUOTA_USED_UP', "The registration's daily quota, or the app's share of it, is used up.", true],
  ContractBroken: ['PROVIDER_CONTRACT', 'The provider sent an unknown answer.'],
  NotFound: ['PROVIDER_CONTRACT', 'The provider does not know the account.'],
  UnsupportedUrl: ['PROVIDER_CONTRACT', 'The provider sent an unknown answer.'],
};

const OWN: Readonly<Record<Own, readonly [message: string, retryable?: true]>> = {
  BAD_LINE: ['The line does not have the required form.'],
  DUPLICATE_LINE: ['An earlier line of this run has the same token.'],
  NO_TOKEN: ['The line has no token that can be used: give the refresh token, for PROVIDER_C the access token.'],
  NOT_PERMITTED: ['The app may not connect this account.'],
  OTHER_CLIENT: ['The tokens belong to another client than that of the registration.'],
  CLIENT_UNPROVEN: ['The provider does not report which client the tokens belong to. See --accept-unproven.'],
  TOKENS_OF_ANOTHER_SUBJECT: ['These tokens are already imported for another subject.'],
  IMPORT_ENDED: [
    'An earlier run imported this token, and that grant is gone: the person disconnected or connected anew. If they are not connected, only they can connect again.',
  ],
  ANSWER_LOST: [
    'The answer to a refresh was lost. Run the line again; if the grant is dead then, the person must connect again.',
  ],
  INTERNAL: ['The service failed. Its message is on standard error.', true],
};

const RETRYABLE: readonly string[] = ['ACCOUNT_DISCONNECTING', 'REGISTRATION_PAUSED', 'POLICY_CHANGED', 'ANSWER_LOST'];

/** Describes a failure in our own words. @param more.message replaces the usual message. */
export function describeImportFailure(
  code: Own | ProviderErrorType | ResultCode | 'ALREADY_CONNECTED',
  more: { readonly retryAfterSeconds?: number | undefined; readonly message?: string | undefined } = {},
): ImportFailure {
  const build = (name: string, message: string, retryable: boolean): ImportFailure => ({
    code: name,
    message: more.message ?? message,
    retryable: retryable || RETRYABLE.includes(name),
    retryAfterSeconds: more.retryAfterSeconds ?? null,
  });
  if (code in PROVIDER) {
    const [name, message, retryable] = PROVIDER[code as ProviderErrorType];
    return build(name, message, retryable ?? false);
  }
  if (code in OWN) {
    const [message, retryable] = OWN[code as Own];
    return build(code, message, retryable ?? false);
  }
  return build(code, describeResult(code) ?? 'The grant was not imported.', false);
}
