import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../basics/secret.ts';

/** Tolerance for a platform's clock that is ahead of ours. */
const AHEAD_MS = 300_000;

/** Whether `signature` is the HMAC-SHA256 of `signed`. Compares in constant time. */
export function isSignatureValid(secret: Secret, signature: Buffer, ...signed: readonly (string | Buffer)[]): boolean {
  const hmac = createHmac('sha256', secret.reveal());
  for (const part of signed) hmac.update(part);
  const own = hmac.digest();
  return signature.length === own.length && timingSafeEqual(signature, own);
}

/** Whether a timestamp is in the future, where it would make an old request look newer than the grant it is about. */
export const isFromFuture = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > AHEAD_MS;
