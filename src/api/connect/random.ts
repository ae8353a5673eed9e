import { createHash, randomBytes } from 'node:crypto';

/** 256 bits as 43 characters of base64url: fit for a state, a nonce, a cookie and a PKCE verifier (RFC 7636, 4.1). */
export const randomToken = (): string => randomBytes(32).toString('base64url');

const RANDOM_TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const isRandomToken = (text: string): boolean => RANDOM_TOKEN.test(text);

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
