import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../secret.ts';

/** How far a platform's clock may be ahead of ours. */
const AHEAD_MS = 300_000;

/** Whether `signature` is the HMAC-SHA256 of `signed`. In constant time. */
export function isSignatureValid(secret: Secret, signature: Buffer, ...signed: readonly (string | Buffer)[]): boolean {
  const hmac = createHmac('sha256', secret.reveal());
  for (const part of signed) hmac.update(part);
  const own = hmac.digest();
  return signature.length === own.length && timingSafeEqual(signature, own);
}

/** A stamp from the future would make an old request look newer than the grants it is about. */
export const isFromFuture = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > AHEAD_MS;
