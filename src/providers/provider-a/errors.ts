import { classifyUnknownAnswer, createFailure, findEntry, readJson, readRetryAfter } from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import type { ProviderError, ProviderErrorType } from '../provider.ts';
import { countSecondsToQuotaReset } from './quota-reset.ts';
import { ApiErrorAnswer, OAuthErrorResponse } from './wire.ts';

/**
 * RFC 6749, 5.2, and what Google adds. A request that does not fit its code says nothing of our client: a person may have
 * changed the authorization request.
 */
const OAUTH_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  invalid_grant: 'GrantDead',
  invalid_client: 'ClientRejected',
  unauthorized_client: 'ClientRejected',
  invalid_request: 'ContractBroken',
  invalid_scope: 'ContractBroken',
  unsupported_grant_type: 'ContractBroken',
  redirect_uri_mismatch: 'ContractBroken',
  temporarily_unavailable: 'RetryLater',
};

/** YouTube Data API errors, by `errors[].reason`, `details[].reason` and `status`, in this order of weight. */
const API_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  quotaExceeded: 'QuotaSpent',
  dailyLimitExceeded: 'QuotaSpent',
  rateLimitExceeded: 'RetryLater',
  userRateLimitExceeded: 'RetryLater',
  RATE_LIMIT_EXCEEDED: 'RetryLater',
  RESOURCE_EXHAUSTED: 'RetryLater',
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
  accessNotConfigured: 'ClientRejected',
};

const API_STATUSES: Readonly<Record<number, ProviderErrorType>> = {
  400: 'ContractBroken',
  401: 'TokenStale',
  404: 'NotFound',
};

/** The OAuth endpoints' error code, where the body has one. */
export const findOAuthErrorCode = (answer: HttpAnswer): string | undefined =>
  OAuthErrorResponse.safeParse(readJson(answer)).data?.error;

/**
 * What an OAuth endpoint's answer came to; undefined for a good one. A refusal in words we know used nothing up;
 * whatever else comes back may hide that the code is spent.
 */
export function findProviderAOAuthError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const { status } = answer;
  const code = findOAuthErrorCode(answer);
  const type = code === undefined ? undefined : findEntry(OAUTH_ERRORS, code);
  if (type !== undefined) return createFailure(type, where, { status, ...readRetryAfter(answer, now) });
  if (status === 200 && code === undefined && readJson(answer) !== undefined) return undefined;
  return classifyUnknownAnswer(answer, where, now, { outcomeUnknown: status !== 429 });
}

/** What an API answer came to; undefined for a good one. */
export function findProviderAApiError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const { status } = answer;
  const reasons = listApiReasons(answer);
  if (status === 200 && reasons === undefined && readJson(answer) !== undefined) return undefined;
  const known = reasons?.find((reason) => Object.hasOwn(API_ERRORS, reason));
  const type = known === undefined ? reasons && API_STATUSES[status] : API_ERRORS[known];
  if (type === 'QuotaSpent')
    return createFailure(type, where, { status, retryAfterSeconds: countSecondsToQuotaReset(now) });
  if (type !== undefined) return createFailure(type, where, { status, ...readRetryAfter(answer, now) });
  return classifyUnknownAnswer(answer, where, now);
}

/** Every reason an API error names, the weightiest first; undefined where the body is not an API error. */
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
