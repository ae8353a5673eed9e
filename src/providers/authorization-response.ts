import type { AuthorizationResponse } from './facts.ts';

/** More than any provider sends; a longer one is not stored. */
const MAX_CODE_LENGTH = 4_096;

/**
 * Reads an authorization response (RFC 6749, 4.1.2; `iss` by RFC 9207). Unknown parameters are ignored, a repeated one
 * is not an answer.
 */
export function readAuthorizationResponse(query: URLSearchParams): AuthorizationResponse {
  const names = ['code', 'error', 'iss'] as const;
  const malformed = { kind: 'malformed' } as const;
  if (names.some((name) => query.getAll(name).length > 1)) return malformed;
  const [code, error, issuer] = names.map((name) => query.get(name));
  if (error) return { kind: error === 'access_denied' ? 'denied' : 'failed', issuer: issuer ?? null };
  return code && code.length <= MAX_CODE_LENGTH ? { kind: 'code', code, issuer: issuer ?? null } : malformed;
}
