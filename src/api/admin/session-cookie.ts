import { parse, serialize } from 'hono/utils/cookie';
import type { RequestHeaders } from '../http/exchange.ts';
import { isRandomToken } from '../tokens.ts';

/** The longest duration of a session. */
const MAX_AGE_SECONDS = 8 * 60 * 60;

/** The `__Host-` prefix prevents every other host from setting it. Browsers accept that prefix only over https. */
const SECURE_NAME = '__Host-admin_session';
const LOOPBACK_NAME = 'admin_session';

const nameFor = (secure: boolean) => (secure ? SECURE_NAME : LOOPBACK_NAME);

/** Strict: requests that another site starts do not send it. */
const attributes = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'Strict', secure }) as const;

export const formatSessionCookie = (secret: string, secure: boolean): string =>
  serialize(nameFor(secure), secret, { ...attributes(secure), maxAge: MAX_AGE_SECONDS });

export const formatEndedSessionCookie = (secure: boolean): string =>
  serialize(nameFor(secure), '', { ...attributes(secure), maxAge: 0 });

/** Reads the secret of a request's session. @returns undefined without a session. */
export function readSession(headers: RequestHeaders, secure: boolean): string | undefined {
  const secret = parse(headers.get('cookie') ?? '')[nameFor(secure)];
  return secret !== undefined && isRandomToken(secret) ? secret : undefined;
}

/**
 * Checks that a page of this origin sent the request. Browsers send `Origin` with every POST and DELETE.
 * @param secure true if browsers connect over https. Then a page over http, which the network can forge, does not count.
 */
export function isSameOrigin(headers: RequestHeaders, secure: boolean): boolean {
  const own = `${secure ? 'https' : 'http'}://${headers.get('host')}`;
  return URL.canParse(own) && headers.get('origin') === new URL(own).origin;
}
