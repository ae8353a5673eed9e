import type { ProviderErrorType } from '../../basics/codes.ts';
import {
  classifyStatus,
  classifyUnknownAnswer,
  createClassified,
  createUnexpected,
  findEntry,
  LIMIT_STATUS,
  readJson,
  readRetryAfter,
} from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import { ProviderError } from '../provider.ts';
import { ErrorAnswer } from './wire.ts';

/**
 * Error codes of RFC 6749, section 5.2, and of TikTok for Developers, OAuth error handling. Unknown codes are retried.
 * `invalid_request` and the like do not reject our client: a person may have edited the authorization request.
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
  rate_limit_exceeded: 'PlatformLimit',
};

/** TikTok API v2 error handling. Both permission codes also come with status 401, so the status decides nothing. */
const API_ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  rate_limit_exceeded: 'PlatformLimit',
  internal_error: 'RetryLater',
  access_token_invalid: 'TokenStale',
  scope_not_authorized: 'PermissionMissing',
  scope_permission_missed: 'PermissionMissing',
  invalid_params: 'ContractBroken',
  invalid_file_upload: 'ContractBroken',
};

/** The platform accepts a challenge of the wrong form, and refuses the exchange of the code. */
const CHALLENGE_REFUSED = /code verifier|code challenge/i;
/** The redirect URI of the exchange differs from the one of the authorization request. */
const REDIRECT_URI_REFUSED = /redirect[_ ]?ur[il]/i;
const CHALLENGE_HINT = 'the platform refuses our PKCE challenge. Change PROVIDER_B_PKCE.';

const findErrorDescription = (json: unknown): string => ErrorAnswer.safeParse(json).data?.error_description ?? '';

/** Reads the error code from a body of any status. @returns undefined without a code or for `ok` */
function findErrorCode(json: unknown): string | undefined {
  const { data } = ErrorAnswer.safeParse(json);
  const code = typeof data?.error === 'string' ? data.error : data?.error.code;
  return code === 'ok' || code === '' ? undefined : code;
}

/**
 * Classifies an answer of the token endpoint. An error code we know spends nothing. After any other failure the code or
 * the refresh token may be spent.
 * @returns undefined for a successful answer
 */
export function findProviderBOAuthError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  return classify(OAUTH_ERRORS, answer, where, now, { outcomeUnknown: answer.status !== LIMIT_STATUS });
}

/** Classifies an answer of the revocation endpoint. Its error codes for an access token that has ended are not documented. */
export function findRevocationError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const stale = {
    invalid_grant: 'TokenStale',
    invalid_token: 'TokenStale',
    access_token_invalid: 'TokenStale',
  } as const;
  const table = { ...OAUTH_ERRORS, ...stale };
  return classify(table, answer, where, now, {});
}

/** Classifies an answer of the API. @returns undefined for a successful answer */
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
  const code = findErrorCode(json);
  const pause = readRetryPause(answer, code, now);
  if (code !== undefined) {
    if (code === 'invalid_request' && CHALLENGE_REFUSED.test(findErrorDescription(json))) {
      return new ProviderError('ClientRejected', `${where}: ${CHALLENGE_HINT}`, { status, platformCode: code });
    }
    if (code === 'invalid_request' && REDIRECT_URI_REFUSED.test(findErrorDescription(json)))
      return createUnexpected('ClientRejected', where, answer);
    const type = findEntry(table, code);
    return type === undefined
      ? createUnexpected(classifyStatus(status), where, answer, { ...ifUnknown, ...pause })
      : createClassified(type, where, answer, pause);
  }
  if (status === 200 && json !== undefined) return undefined;
  return classifyUnknownAnswer(answer, where, now, { ...ifUnknown, ...pause });
}

/** The rate limit's window. Used if the answer does not contain the time of the reset. */
const RATE_WINDOW_SECONDS = 60;

function readRetryPause(answer: HttpAnswer, code: string | undefined, now: Date): { retryAfterSeconds?: number } {
  const said = readRetryAfter(answer, now);
  if (said.retryAfterSeconds !== undefined) return said;
  if (answer.status !== LIMIT_STATUS && code !== 'rate_limit_exceeded') return {};
  const reset = Number(answer.headers['x-ratelimit-reset']);
  if (!Number.isFinite(reset) || reset <= 0) return { retryAfterSeconds: RATE_WINDOW_SECONDS };
  // Clients report both a Unix time and a number of seconds.
  const fromNow = reset > 1e9 ? reset - now.getTime() / 1000 : reset;
  return { retryAfterSeconds: Math.max(1, Math.ceil(fromNow)) };
}
