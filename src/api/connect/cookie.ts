import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AttemptId } from '../../ids.ts';
import { sha256 } from '../tokens.ts';
import type { FlowAttempt } from './flow.ts';

/** As long as an attempt can wait for its callback. */
const MAX_AGE_SECONDS = 10 * 60;

/**
 * One cookie for each attempt, so that two tabs do not disturb one another. With the `__Host-` prefix no other host,
 * not even a sibling domain, can have set it; browsers take that prefix over https only.
 */
const nameOf = (attemptId: AttemptId, secure: boolean): string =>
  `${secure ? '__Host-' : ''}ss_${sha256(attemptId).toString('base64url').slice(0, 16)}`;

/** Marks this browser as the attempt's own. Lax: the callback is a navigation that another site starts. */
export function markBrowser(c: Context, attemptId: AttemptId, token: string, secure: boolean): void {
  setCookie(c, nameOf(attemptId, secure), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: MAX_AGE_SECONDS,
  });
}

/** Whether this is the browser that launched the attempt. Compared in constant time. */
export function isOwnBrowser(c: Context, attempt: FlowAttempt, secure: boolean): boolean {
  const token = getCookie(c, nameOf(attempt.attemptId, secure));
  if (token === undefined || attempt.browserSha256 === null) return false;
  return timingSafeEqual(sha256(token), attempt.browserSha256);
}
