import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Hashes a token or proof for storage: SHA-256 over its text. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Creates a one-use token: 256 random bits as 64 hexadecimal characters. */
export function createToken(): { readonly text: string; readonly sha256: Buffer } {
  const text = randomBytes(32).toString('hex');
  return { text, sha256: sha256(text) };
}

/** 256 bits as 43 characters of base64url, for a state, a nonce, a cookie or a PKCE verifier (RFC 7636, 4.1). */
export const createRandomToken = (): string => randomBytes(32).toString('base64url');

/** Derives a token of the same form from one of those. One cannot be computed from another of its purposes. */
export const deriveToken = (token: string, purpose: string): string =>
  createHmac('sha256', token).update(purpose).digest('base64url');

const RANDOM_TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const isRandomToken = (text: string): boolean => RANDOM_TOKEN.test(text);
