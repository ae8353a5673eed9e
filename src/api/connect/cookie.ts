import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AttemptId } from '../../basics/ids.ts';
import { sha256 } from '../tokens.ts';
import type { FlowAttempt } from './flow-attempt.ts';

/** The longest time that an attempt waits for its callback. */
const MAX_AGE_SECONDS = 10 * 60;

/**
 * Each attempt has its own cookie, so that two tabs do not affect each other. The `__Host-` prefix prevents every other
 * host from setting it, even a sibling domain. Browsers accept that prefix only over https.
 */
const nameOf = (attemptId: AttemptId, secure: boolean): string =>
  `${secure ? '__Host-' : ''}ss_${sha256(attemptId).toString('base64url').slice(0, 16)}`;

/** Marks this browser as the attempt's own. SameSite is Lax, because another site starts the callback's navigation. */
export function markBrowser(c: Context, attemptId: AttemptId, token: string, secure: boolean): void {
  setCookie(c, nameOf(attemptId, secure), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: MAX_AGE_SECONDS,
  });
}

/** @returns the cookie's token if this browser launched the attempt. Compares in constant time. */
export function findOwnBrowser(c: Context, attempt: FlowAttempt, secure: boolean): string | undefined {
  const token = getCookie(c, nameOf(attempt.attemptId, secure));
  if (token === undefined || attempt.browserSha256 === null) return undefined;
  return timingSafeEqual(sha256(token), attempt.browserSha256) ? token : undefined;
}
