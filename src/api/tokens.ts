import { createHash, randomBytes } from 'node:crypto';

/** What of a token or proof is stored: SHA-256 over its text as it was given out. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** 256 random bits as 64 hexadecimal characters, for one use. */
export function createToken(): { readonly text: string; readonly sha256: Buffer } {
  const text = randomBytes(32).toString('hex');
  return { text, sha256: sha256(text) };
}

/** 256 bits as 43 characters of base64url: fit for a state, a nonce, a cookie and a PKCE verifier (RFC 7636, 4.1). */
export const createRandomToken = (): string => randomBytes(32).toString('base64url');

const RANDOM_TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const isRandomToken = (text: string): boolean => RANDOM_TOKEN.test(text);
