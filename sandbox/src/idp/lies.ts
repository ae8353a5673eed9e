import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { IdpLie } from '../faults.ts';

/** The false claims that an id_token can contain. */
export const ID_TOKEN_LIES: readonly IdpLie[] = [
  'wrongNonce',
  'wrongAudience',
  'wrongIssuer',
  'expired',
  'unknownKey',
  'algNone',
  'emailUnverified',
  'claimsMissing',
];

/** And those of a userinfo answer. */
export const USERINFO_LIES: readonly IdpLie[] = ['userinfoSubject', 'emailUnverified', 'claimsMissing'];

const OPTIONAL_CLAIMS = ['email', 'email_verified', 'name', 'given_name', 'family_name', 'picture'];

/** The same id_token with these lies in it, signed anew. */
export async function falsifyIdToken(idToken: string, lies: readonly IdpLie[], signingKey: CryptoKey): Promise<string> {
  const { kid } = decodeProtectedHeader(idToken);
  const claims = falsifyClaims(decodeJwt(idToken), lies);
  if (lies.includes('algNone')) return new UnsecuredJWT(claims).encode();
  const isUnknown = lies.includes('unknownKey');
  const key = isUnknown ? (await generateKeyPair('RS256')).privateKey : signingKey;
  const header = { alg: 'RS256', typ: 'JWT', ...(kid !== undefined && { kid: isUnknown ? `${kid}-unknown` : kid }) };
  return await new SignJWT(claims).setProtectedHeader(header).sign(key);
}

/** The same claims, of an id_token or a userinfo answer, with these lies among them. */
export function falsifyClaims(claims: JWTPayload, lies: readonly IdpLie[]): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  const changed: JWTPayload = {
    ...claims,
    ...(lies.includes('wrongNonce') && { nonce: 'not-the-nonce-that-was-sent' }),
    ...(lies.includes('wrongAudience') && { aud: 'somebody-else', azp: 'somebody-else' }),
    ...(lies.includes('wrongIssuer') && { iss: 'https://issuer.example' }),
    ...(lies.includes('expired') && { iat: now - 7200, exp: now - 3600 }),
    ...(lies.includes('userinfoSubject') && { sub: 'somebody-else' }),
    ...(lies.includes('emailUnverified') && { email_verified: false }),
  };
  if (lies.includes('claimsMissing')) for (const name of OPTIONAL_CLAIMS) delete changed[name];
  return changed;
}
