import { describeRefusal, type UnexpectedAnswer } from './unexpected-answers.ts';

/**
 * Who refused, in an authorization response without a code.
 * - `PERSON`: the person did not consent, or canceled.
 * - `CLIENT`: the platform does not accept our client, its request or its settings, or not for this account. Another try ends the same.
 * - `PLATFORM`: the platform failed, or used a form that no table here contains. Another try may work.
 */
export type Refuser = 'PERSON' | 'CLIENT' | 'PLATFORM';

/** The platform's wording, redacted for people. */
export interface Refusal extends UnexpectedAnswer {
  /** False for a form that no table contains. */
  readonly isKnown: boolean;
}

export type AuthorizationResponse =
  | { readonly kind: 'code'; readonly code: string; readonly issuer: string | null }
  | {
      readonly kind: 'refused';
      readonly by: Refuser;
      readonly refusal: Refusal;
      readonly issuer: string | null;
    }
  /** Altered or truncated: the platform's own response can still come. */
  | { readonly kind: 'malformed' };

/** The forms of a platform's refusals beyond the standard ones. */
export interface RefusalForms {
  /** The refuser, by the word in a parameter. */
  readonly words: Readonly<Record<string, Refuser>>;
  /** The refuser, by the number in a parameter. */
  readonly numbers?: Readonly<Record<string, Refuser>>;
  /** The meaning of any other number. `PLATFORM`, as of an unknown form, if not set. */
  readonly otherNumber?: Refuser;
}

/**
 * Errors of RFC 6749, section 4.1.2.1; OpenID Connect Core, 3.1.2.6; RFC 8707; RFC 9101; RFC 9126; RFC 9396; and the words by which
 * OpenID issuers and platforms report that a person has canceled (LinkedIn, Sign in with Apple and others).
 */
const STANDARD: Readonly<Record<string, Refuser>> = {
  access_denied: 'PERSON',
  user_denied: 'PERSON',
  user_cancel: 'PERSON',
  cancelled: 'PERSON',
  canceled: 'PERSON',
  user_cancelled: 'PERSON',
  user_canceled: 'PERSON',
  user_cancelled_login: 'PERSON',
  user_canceled_login: 'PERSON',
  user_cancelled_authorize: 'PERSON',
  user_canceled_authorize: 'PERSON',
  authorization_declined: 'PERSON',
  consent_declined: 'PERSON',
  invalid_request: 'CLIENT',
  invalid_client: 'CLIENT',
  unauthorized_client: 'CLIENT',
  unsupported_response_type: 'CLIENT',
  unsupported_response_mode: 'CLIENT',
  unsupported_grant_type: 'CLIENT',
  invalid_scope: 'CLIENT',
  invalid_target: 'CLIENT',
  invalid_redirect_uri: 'CLIENT',
  redirect_uri_mismatch: 'CLIENT',
  invalid_authorization_details: 'CLIENT',
  // Issuers send these for requests without interaction, which we never send: our prompt does not suit, or an administrator must consent.
  interaction_required: 'CLIENT',
  login_required: 'CLIENT',
  account_selection_required: 'CLIENT',
  consent_required: 'CLIENT',
  unmet_authentication_requirements: 'CLIENT',
  invalid_request_uri: 'CLIENT',
  invalid_request_object: 'CLIENT',
  request_not_supported: 'CLIENT',
  request_uri_not_supported: 'CLIENT',
  registration_not_supported: 'CLIENT',
  server_error: 'PLATFORM',
  temporarily_unavailable: 'PLATFORM',
};

/**
 * Parameters that make a response a refusal, by precedence. Meta sends `error_code` and `error_message` without `error`; TikTok's
 * dialog `errCode` and `error_type`.
 */
const WORDS = ['error_subtype', 'error', 'error_reason', 'error_type'] as const;
const NUMBERS = ['error_code', 'errCode', 'err_code'] as const;
const NOTHING_WRONG = ['', '0'];

/** Longer than the code of any platform. */
const MAX_CODE_LENGTH = 4_096;

/**
 * Reads an authorization response (RFC 6749, section 4.1.2; `iss` from RFC 9207). Unknown parameters are ignored. A response without
 * a code is a refusal if it reports any error, also in an unknown form. One that repeats a parameter, has an unusable code and no
 * error, or has neither, is malformed.
 */
export function readAuthorizationResponse(
  query: URLSearchParams,
  forms: RefusalForms = { words: {} },
): AuthorizationResponse {
  const issuer = query.get('iss');
  const code = query.get('code');
  if (['code', 'error', 'iss'].some((name) => query.getAll(name).length > 1)) return { kind: 'malformed' };
  if (code !== null && ![...WORDS, ...NUMBERS].some((name) => listValues(query, name).length > 0))
    return code !== '' && code.length <= MAX_CODE_LENGTH ? { kind: 'code', code, issuer } : { kind: 'malformed' };
  if (![...query.keys()].some((name) => /^err/i.test(name) && listValues(query, name).length > 0))
    return { kind: 'malformed' };
  const by = findRefuser(query, forms);
  const refusal = { ...describeRefusal(query), isKnown: by !== undefined };
  return { kind: 'refused', by: by ?? 'PLATFORM', refusal, issuer };
}

/** "Invalid Scopes" is `invalid_scopes`. */
const toWord = (value: string): string => value.trim().toLowerCase().replaceAll(/[ -]+/g, '_');

const listValues = (query: URLSearchParams, name: string) =>
  query.getAll(name).filter((value) => !NOTHING_WRONG.includes(value));

function findRefuser(query: URLSearchParams, { words, numbers = {}, otherNumber }: RefusalForms): Refuser | undefined {
  const known = { ...STANDARD, ...words };
  const find = (table: Readonly<Record<string, Refuser>>, value: string) =>
    Object.hasOwn(table, value) ? table[value] : undefined;
  const byWord = WORDS.flatMap((name) => listValues(query, name).map((value) => find(known, toWord(value))));
  const byNumber = NUMBERS.flatMap((name) =>
    listValues(query, name).map((value) =>
      /^-?\d{1,12}$/.test(value) ? (find(numbers, value) ?? otherNumber) : find(known, toWord(value)),
    ),
  );
  return [...byWord, ...byNumber].find((refuser) => refuser !== undefined);
}
