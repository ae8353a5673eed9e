import type { ProviderErrorType } from '../../basics/codes.ts';
import {
  classifyUnknownAnswer,
  createClassified,
  createUnexpected,
  findEntry,
  LIMIT_STATUS,
  readJson,
  readRetryAfter,
} from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import type { ProviderError } from '../provider.ts';
import { countSecondsToQuotaReset } from './quota-reset.ts';
import { ApiErrorAnswer, OAuthErrorResponse } from './wire.ts';

/**
 * Error codes of RFC 6749, section 5.2, and Google's own. `invalid_request` and the like do not reject our client: a
 * person may have edited the authorization request in the browser.
 */
const OAUTH_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  invalid_grant: 'GrantDead',
  invalid_client: 'ClientRejected',
  unauthorized_client: 'ClientRejected',
  // Not in RFC 6749. Deleted in the console, or by Google after months without use.
  deleted_client: 'ClientRejected',
  disabled_client: 'ClientRejected',
  restricted_client: 'ClientRejected',
  // The consent screen is limited to the accounts of one organization.
  org_internal: 'ClientRejected',
  // A policy of the account's administrator, Google's Advanced Protection, or a restricted account.
  admin_policy_enforced: 'GrantDead',
  policy_enforced: 'GrantDead',
  access_denied: 'GrantDead',
  invalid_request: 'ContractBroken',
  invalid_scope: 'ContractBroken',
  unsupported_grant_type: 'ContractBroken',
  temporarily_unavailable: 'RetryLater',
};

/** YouTube Data API errors by `errors[].reason`, `details[].reason` and `status`, in this order of precedence. */
const API_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  quotaExceeded: 'QuotaSpent',
  dailyLimitExceeded: 'QuotaSpent',
  rateLimitExceeded: 'PlatformLimit',
  userRateLimitExceeded: 'PlatformLimit',
  RATE_LIMIT_EXCEEDED: 'PlatformLimit',
  RESOURCE_EXHAUSTED: 'PlatformLimit',
  backendError: 'RetryLater',
  internalError: 'RetryLater',
  authError: 'TokenStale',
  UNAUTHENTICATED: 'TokenStale',
  authenticatedUserAccountClosed: 'GrantDead',
  authenticatedUserAccountSuspended: 'GrantDead',
  insufficientPermissions: 'PermissionMissing',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'PermissionMissing',
  youtubeSignupRequired: 'AccountUnusable',
  authenticatedUserNotChannel: 'AccountUnusable',
  videoNotFound: 'NotFound',
  playlistNotFound: 'NotFound',
  channelNotFound: 'NotFound',
  playlistItemsNotAccessible: 'NotFound',
  channelClosed: 'NotFound',
  channelSuspended: 'NotFound',
  invalidPageToken: 'ContractBroken',
  badRequest: 'ContractBroken',
  // Faults of our Cloud project (google.api.ErrorReason). They accompany a `forbidden` that is not about the account.
  accessNotConfigured: 'ClientRejected',
  SERVICE_DISABLED: 'ClientRejected',
  BILLING_DISABLED: 'ClientRejected',
  CONSUMER_SUSPENDED: 'ClientRejected',
  CONSUMER_INVALID: 'ClientRejected',
  USER_PROJECT_DENIED: 'ClientRejected',
  SECURITY_POLICY_VIOLATED: 'ClientRejected',
  RESOURCE_QUOTA_EXCEEDED: 'PlatformLimit',
  ACCESS_TOKEN_EXPIRED: 'TokenStale',
  // A supervised account, for instance: it has consented, and may call nothing.
  forbidden: 'AccountUnusable',
  channelForbidden: 'AccountUnusable',
  accountDelegationForbidden: 'AccountUnusable',
};

/** Google also reports a used-up daily quota as a rate limit: only the message, or the name of the limit, names the day. */
const DAILY_LIMIT = /limit '[^']{1,100} per day'/i;
const RATE_LIMITS: readonly string[] = ['rateLimitExceeded', 'RATE_LIMIT_EXCEEDED', 'RESOURCE_EXHAUSTED'];

const API_STATUSES: Readonly<Record<number, ProviderErrorType>> = {
  400: 'ContractBroken',
  401: 'TokenStale',
  404: 'NotFound',
};

/** Reads an OAuth error code (RFC 6749, section 5.2) from the body. */
export const findOAuthErrorCode = (answer: HttpAnswer): string | undefined =>
  OAuthErrorResponse.safeParse(readJson(answer)).data?.error;

/**
 * Classifies an answer of an OAuth endpoint. An error code we know spends nothing. After any other failure the code may
 * be spent.
 * @returns undefined for a successful answer
 */
export function findProviderAOAuthError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const { status } = answer;
  const code = findOAuthErrorCode(answer);
  const type = code === undefined ? undefined : findEntry(OAUTH_ERRORS, code);
  // A person can cause it by editing the authorization request, or operators by a wrong setting: people should see it.
  if (code === 'redirect_uri_mismatch') return createUnexpected('ClientRejected', where, answer);
  if (type !== undefined) return createClassified(type, where, answer, readRetryAfter(answer, now));
  if (status === 200 && code === undefined && readJson(answer) !== undefined) return undefined;
  return classifyUnknownAnswer(answer, where, now, { outcomeUnknown: status !== LIMIT_STATUS });
}

/** Classifies an answer of the API. @returns undefined for a successful answer */
export function findProviderAApiError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const { status } = answer;
  const reasons = listApiReasons(answer);
  if (status === 200 && reasons === undefined && readJson(answer) !== undefined) return undefined;
  const listed = reasons?.filter((reason) => Object.hasOwn(API_ERRORS, reason)) ?? [];
  // `forbidden` also accompanies a more precise reason.
  const known = listed.find((reason) => reason !== 'forbidden') ?? listed[0];
  const spent = known !== undefined && RATE_LIMITS.includes(known) && isLimitOfDay(answer);
  const classified = known === undefined ? reasons && API_STATUSES[status] : API_ERRORS[known];
  const type = spent ? 'QuotaSpent' : classified;
  if (type === 'QuotaSpent')
    return createClassified(type, where, answer, { retryAfterSeconds: countSecondsToQuotaReset(now) });
  if (type !== undefined) return createClassified(type, where, answer, readRetryAfter(answer, now));
  return classifyUnknownAnswer(answer, where, now);
}

function isLimitOfDay(answer: HttpAnswer): boolean {
  const { data } = ApiErrorAnswer.safeParse(readJson(answer));
  if (data === undefined) return false;
  const { message, limits } = data.error;
  return DAILY_LIMIT.test(message) || limits.some((name) => name.includes('PerDay'));
}

/** Lists the reasons in an API error, by precedence. @returns undefined if the body is not an API error */
export function listApiReasons(answer: HttpAnswer): readonly string[] | undefined {
  const { data } = ApiErrorAnswer.safeParse(readJson(answer));
  if (data === undefined) return undefined;
  const { errors, details, status } = data.error;
  const missingScope = /insufficient_scope/.test(answer.headers['www-authenticate'] ?? '');
  return [
    ...errors,
    ...details,
    ...(missingScope ? ['ACCESS_TOKEN_SCOPE_INSUFFICIENT'] : []),
    ...(status === undefined ? [] : [status]),
  ];
}
