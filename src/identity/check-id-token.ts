import { createHash } from 'node:crypto';
import type * as client from 'openid-client';
import { z } from 'zod';
import { decodeUtf8 } from '../basics/utf8.ts';
import { parseJson } from '../providers/json.ts';
import { ProviderError } from '../providers/provider.ts';

/** How far an issuer's clock may be off. */
export const SKEW_SECONDS = 60;

/** The issuer's id of a person (OpenID Connect Core, 2). */
const IssuerSubject = z.string().regex(/^[\x20-\x7e]{1,255}$/);

const Claims = z.object({
  sub: IssuerSubject,
  iat: z.number(),
  azp: z.string().optional(),
  at_hash: z.string().optional(),
  auth_time: z.number().optional(),
});

/**
 * Checks the parts of an id_token that the library leaves to its user (OpenID Connect Core, 3.1.3.7 and 3.1.3.8), for every
 * sign-in alike. The library has checked the signature, `iss`, `aud`, `exp`, `nonce`, and the age of `auth_time`.
 * @param expected.begunAt no id_token may have been issued before this.
 * @throws ProviderError `ContractBroken`
 */
export async function checkIdToken(
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
  { clientId, begunAt, now }: { readonly clientId: string; readonly begunAt: Date; readonly now: Date },
): Promise<{ readonly claims: Readonly<Record<string, unknown>>; readonly sub: string }> {
  const claims = tokens.claims();
  const checked = Claims.safeParse(claims);
  if (!checked.success || claims === undefined) throw refuse('lacks a claim it must have');
  const { sub, iat, azp, at_hash: tokenHash, auth_time: signedInAt = iat } = checked.data;
  if (azp !== undefined && azp !== clientId) throw refuse('is for another client');
  if (tokenHash !== undefined && tokenHash !== halfHash(tokens.access_token, readAlgorithm(tokens.id_token)))
    throw refuse('is for another access token');
  if (iat < begunAt.getTime() / 1000 - SKEW_SECONDS) throw refuse('is older than the sign-in');
  // `max_age` proves nothing about an instant that has not come.
  if (Math.max(iat, signedInAt) > now.getTime() / 1000 + SKEW_SECONDS) throw refuse('is from the future');
  return { claims, sub };
}

const refuse = (why: string) => new ProviderError('ContractBroken', `The id_token ${why}.`);

/** The header's `alg`, whose signature the library has checked. */
function readAlgorithm(idToken = ''): string {
  const header: unknown = parseJson(decodeUtf8(Buffer.from(idToken.split('.')[0] ?? '', 'base64url')) ?? '');
  return z.object({ alg: z.string() }).safeParse(header).data?.alg ?? '';
}

/** `at_hash` is the left half of the hash that the signature's algorithm uses (OpenID Connect Core, 3.1.3.6). */
function halfHash(accessToken: string, algorithm: string): string {
  const bits = /(?:256|384|512)$/.exec(algorithm)?.[0] ?? '512'; // EdDSA with Ed25519 uses SHA-512.
  const hash = createHash(`sha${bits}`).update(accessToken, 'utf8').digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
}
