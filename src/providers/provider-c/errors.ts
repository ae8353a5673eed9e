import type { ProviderErrorType } from '../../basics/codes.ts';
import { classifyUnknownAnswer, createClassified, createUnexpected, LIMIT_STATUS, readJson } from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import { parseJson } from '../json.ts';
import type { ProviderError } from '../provider.ts';
import { BusinessUsage, type GraphError, GraphErrorAnswer, ShortTokenError } from './wire.ts';

/** Graph API error handling: rate limits of app, person and account. */
const LIMIT_CODES = [4, 17, 32, 613, 80002];
const TRANSIENT_CODES = [1, 2];
const DEAD_CODES = [190, 102];
/** 803 stands for an unknown id in a batch. */
const NOT_FOUND_CODES = [24, 25, 803];
const APP_LACKS_CAPABILITY = 3;
const APP_UNKNOWN = 101;
/**
 * The platform blocks or has deactivated the app, or the app's settings demand a proof of its secret with each call: every call
 * of every account fails, also with good tokens.
 */
const APP_BLOCKED =
  /^API access (?:blocked|deactivated)|application (?:has been deleted|does not exist)|require an appsecret_proof/i;
/** A fault of the platform with the code of a dead token. */
const APP_NOT_READ = /error validating application|cannot get application info/i;
/**
 * The account is not professional, or not any more; or, after a good consent and code exchange, the app has only Standard
 * Access, or the tester has not accepted the invitation. It heals without a new consent.
 */
const ACCOUNT_NOT_SERVED =
  /unsupported request - method type|(?:not an?|no longer an?) (?:instagram )?(?:business|professional)/i;
/** The page is too large for the platform now. */
const TOO_MUCH_DATA = /reduce the amount of data/i;
const NO_PERMISSION = 10;
const BAD_PARAMETER = 100;
const NO_SUCH_OBJECT = 33;
const SESSION_ENDED = /session has been invalidated/i;

/** Reads a Graph API error from the body. */
export const findGraphError = (answer: HttpAnswer): GraphError | undefined =>
  GraphErrorAnswer.safeParse(readJson(answer)).data?.error;

/** Whether the API refused one of the request's parameters: a field, a metric or a cursor. */
export const isBadParameter = (error: GraphError | undefined): boolean =>
  error !== undefined && error.code === BAD_PARAMETER && classify(error, 400) === 'ContractBroken';

/** Whether the API may answer a request for fewer items. */
export const wantsSmallerPage = (error: GraphError | undefined): boolean => TOO_MUCH_DATA.test(error?.message ?? '');

/** The field that the error names as refused. */
export const findRefusedField = (error: GraphError | undefined): string | undefined =>
  /nonexisting field \((\w{1,64})\)/i.exec(error?.message ?? '')?.[1];

/**
 * Classifies an answer of the API by its error code. The error's `type` and the HTTP status are too vague.
 * @returns undefined for a successful answer
 */
export function findProviderCApiError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const { status } = answer;
  const error = findGraphError(answer);
  if (error === undefined) {
    return status === 200 && readJson(answer) !== undefined ? undefined : classifyUnknownAnswer(answer, where, now);
  }
  const pause = LIMIT_CODES.includes(error.code) ? { retryAfterSeconds: readSecondsToRegain(answer) } : {};
  const type = classify(error, status);
  return type === undefined
    ? createUnexpected('RetryLater', where, answer)
    : createClassified(type, where, answer, pause);
}

/** @returns undefined for an unknown code */
function classify(error: GraphError, status: number): ProviderErrorType | undefined {
  const { code, error_subcode: subcode, is_transient: isTransient, message } = error;
  if (LIMIT_CODES.includes(code) || status === LIMIT_STATUS) return 'PlatformLimit';
  if (TRANSIENT_CODES.includes(code) || isTransient) return 'RetryLater';
  if (APP_BLOCKED.test(message) || code === APP_LACKS_CAPABILITY || code === APP_UNKNOWN) return 'ClientRejected';
  if (APP_NOT_READ.test(message)) return 'RetryLater';
  if (ACCOUNT_NOT_SERVED.test(message)) return 'AccountUnusable';
  if (DEAD_CODES.includes(code)) return 'GrantDead';
  if (code === NO_PERMISSION || (code >= 200 && code <= 299 && /permission/i.test(message))) return 'PermissionMissing';
  if (NOT_FOUND_CODES.includes(code) || (code === BAD_PARAMETER && subcode === NO_SUCH_OBJECT)) return 'NotFound';
  if (SESSION_ENDED.test(message)) return 'GrantDead';
  return code === BAD_PARAMETER ? 'ContractBroken' : undefined;
}

const HOUR_SECONDS = 60 * 60;

/** Reads the longest wait, in minutes, from the usage header. Without one, an hour. */
function readSecondsToRegain({ headers }: HttpAnswer): number {
  const usage = BusinessUsage.safeParse(parseJson(headers['x-business-use-case-usage'] ?? '')).data ?? {};
  const minutes = Object.values(usage).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access));
  return Math.max(0, ...minutes) * 60 || HOUR_SECONDS;
}

/**
 * Classifies an answer of the short-lived token's endpoint. All refusals share one error code, so only the message distinguishes
 * a rejected client from an invalid authorization code.
 * @returns undefined for a successful answer
 */
export function findShortTokenError(answer: HttpAnswer, where: string, now: Date): ProviderError | undefined {
  const { status } = answer;
  const { data: error } = ShortTokenError.safeParse(readJson(answer));
  if (error !== undefined) {
    if (status === LIMIT_STATUS || error.code === LIMIT_STATUS) return createClassified('PlatformLimit', where, answer);
    if (error.code >= 500) return createClassified('RetryLater', where, answer);
    if (REDIRECT_URI.test(error.error_message)) return createUnexpected('ClientRejected', where, answer);
    if (/client|secret|platform app|developer role/i.test(error.error_message))
      return createClassified('ClientRejected', where, answer);
    const create = mentionsCode(answer) ? createClassified : createUnexpected;
    return create('GrantDead', where, answer);
  }
  if (findGraphError(answer) !== undefined) return findProviderCApiError(answer, where, now);
  if (status === 200 && readJson(answer) !== undefined) return undefined;
  return classifyUnknownAnswer(answer, where, now, { outcomeUnknown: status !== LIMIT_STATUS });
}

/** Whether the API refused the proof of our client's secret. Its error code stands for any bad parameter. */
export const mentionsSecretProof = (answer: HttpAnswer): boolean =>
  /appsecret_proof/i.test(findGraphError(answer)?.message ?? '');

/**
 * The redirect URI of the exchange differs from the one of the authorization request, as when `CONNECT_URL` differs between api and
 * worker. The message also mentions the code, without a statement about it.
 */
const REDIRECT_URI = /redirect[_ ]?ur[il]/i;

const readMessage = (answer: HttpAnswer) => ShortTokenError.safeParse(readJson(answer)).data?.error_message ?? '';

/** Whether the short-lived token's endpoint refused the authorization code itself. Only the message shows it. */
export const mentionsCode = (answer: HttpAnswer): boolean => /\bcode\b/i.test(readMessage(answer));

/** Whether it refused the redirect URI. A made-up code may cause the same words. */
export const mentionsRedirectUri = (answer: HttpAnswer): boolean => REDIRECT_URI.test(readMessage(answer));
