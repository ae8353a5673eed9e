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
