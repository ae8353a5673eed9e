import { classifyUnknownAnswer, createFailure, findEntry, readJson, readRetryAfter } from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import type { ProviderError, ProviderErrorType } from '../provider.ts';
import { ErrorAnswer } from './wire.ts';

/**
 * OAuth error handling, TikTok for Developers. What is not here is something we do not know: it is tried again. A request
 * that does not fit its code says nothing of our client: a person may have changed the authorization request.
 */
const OAUTH_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  invalid_grant: 'GrantDead',
  access_denied: 'ContractBroken',
  invalid_client: 'ClientRejected',
  invalid_request: 'ContractBroken',
  invalid_scope: 'ContractBroken',
  unauthorized_client: 'ClientRejected',
  unsupported_grant_type: 'ContractBroken',
  unsupported_response_type: 'ContractBroken',
  server_error: 'RetryLater',
  temporarily_unavailable: 'RetryLater',
  rate_limit_exceeded: 'RetryLater',
};

/** TikTok API v2 error handling. Both permission codes also come with status 401, hence never by status. */
const API_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  rate_limit_exceeded: 'RetryLater',
  internal_error: 'RetryLater',
  access_token_invalid: 'TokenStale',
  scope_not_authorized: 'PermissionMissing',
  scope_permission_missed: 'PermissionMissing',
  invalid_params: 'ContractBroken',
  invalid_file_upload: 'ContractBroken',
};

/** The error code in a body, whatever the status; undefined where there is none or it says `ok`. */
function errorCode(json: unknown): string | undefined {
  const { data } = ErrorAnswer.safeParse(json);
  const code = typeof data?.error === 'string' ? data.error : data?.error.code;
  return code === 'ok' || code === '' ? undefined : code;
}

/**
 * What an OAuth endpoint's answer came to; undefined for a good one. A refusal in words we know used nothing up;
 * whatever else comes back may hide that the code or the refresh token is spent.
 */
export function findProviderBOAuthError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  return classify(OAUTH_ERRORS, answer, where, now, { outcomeUnknown: answer.status !== 429 });
}

/** The same of a revoke, whose token is an access token: how a refusal of it is worded is not documented. */
export function findRevocationError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const table = { ...OAUTH_ERRORS, invalid_token: 'GrantDead', access_token_invalid: 'GrantDead' } as const;
  return classify(table, answer, where, now, {});
}

/** What an API answer came to; undefined for a good one. */
export function findProviderBApiError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  return classify(API_ERRORS, answer, where, now, {});
}

function classify(
  table: Readonly<Record<string, ProviderErrorType>>,
  answer: HttpAnswer,
  where: string,
  now: Date,
  ifUnknown: { outcomeUnknown?: boolean },
): ProviderError | undefined {
  const { status } = answer;
  const json = readJson(answer);
  const code = errorCode(json);
  const pause = retryPause(answer, code, now);
  if (code !== undefined) {
    const type = findEntry(table, code);
    return type === undefined
      ? createFailure('RetryLater', where, { status, ...ifUnknown, ...pause })
      : createFailure(type, where, { status, ...pause });
  }
  if (status === 200 && json !== undefined) return undefined;
  return classifyUnknownAnswer(answer, where, now, { ...ifUnknown, ...pause });
}

/** The one-minute window of the rate limit, where the provider does not say how much of it is left. */
const RATE_WINDOW_SECONDS = 60;

function retryPause(answer: HttpAnswer, code: string | undefined, now: Date): { retryAfterSeconds?: number } {
  const said = readRetryAfter(answer, now);
  if (said.retryAfterSeconds !== undefined) return said;
  if (answer.status !== 429 && code !== 'rate_limit_exceeded') return {};
  const reset = Number(answer.headers['x-ratelimit-reset']);
  if (!Number.isFinite(reset) || reset <= 0) return { retryAfterSeconds: RATE_WINDOW_SECONDS };
  // Seen both as an instant and as a number of seconds.
  const fromNow = reset > 1e9 ? reset - now.getTime() / 1000 : reset;
  return { retryAfterSeconds: Math.max(1, Math.ceil(fromNow)) };
}
