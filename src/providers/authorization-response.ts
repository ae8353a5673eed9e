export type AuthorizationResponse =
  | { readonly kind: 'code'; readonly code: string; readonly issuer: string | null }
  | { readonly kind: 'denied'; readonly issuer: string | null }
  | { readonly kind: 'failed'; readonly issuer: string | null }
  | { readonly kind: 'malformed' };

/** Longer than the code of any platform. */
const MAX_CODE_LENGTH = 4_096;

/**
 * Reads an authorization response (RFC 6749, section 4.1.2; `iss` from RFC 9207). Unknown parameters are ignored. A
 * response that repeats a parameter is malformed.
 */
export function readAuthorizationResponse(query: URLSearchParams): AuthorizationResponse {
  const names = ['code', 'error', 'iss'] as const;
  const malformed = { kind: 'malformed' } as const;
  if (names.some((name) => query.getAll(name).length > 1)) return malformed;
  const [code, error, issuer] = names.map((name) => query.get(name));
  if (error) return { kind: error === 'access_denied' ? 'denied' : 'failed', issuer: issuer ?? null };
  return code && code.length <= MAX_CODE_LENGTH ? { kind: 'code', code, issuer: issuer ?? null } : malformed;
}

/**
 * Errors by which a platform or an issuer refuses the request itself, not the person (RFC 6749, section 4.1.2.1; OpenID Connect
 * Core, 3.1.2.6): our client, its scopes or our prompt do not suit.
 */
const REQUEST_ERRORS: readonly string[] = [
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'request_not_supported',
];

/** @returns the error, if it is one that only an operator can repair. */
export const findRequestError = (query: URLSearchParams): string | undefined =>
  REQUEST_ERRORS.find((error) => error === query.get('error'));
