import { createHash } from 'node:crypto';

/** RFC 7636, 4.1. */
export const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a verifier yields this challenge, written as base64url or as hex. */
export const isVerifierValid = (
  verifier: string,
  challenge: string,
  encoding: 'base64url' | 'hex' = 'base64url',
): boolean => VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest(encoding) === challenge;
