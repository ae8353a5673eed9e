import { parse, serialize } from 'hono/utils/cookie';
import { isRandomToken } from '../tokens.ts';

/** As long as a session can last. */
const MAX_AGE_SECONDS = 8 * 60 * 60;

/** With the `__Host-` prefix no other host can have set it; browsers take that prefix over https only. */
const SECURE_NAME = '__Host-admin_session';
const LOOPBACK_NAME = 'admin_session';

const nameFor = (secure: boolean) => (secure ? SECURE_NAME : LOOPBACK_NAME);

/** Strict: no request that another site begins carries it. */
const attributes = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'Strict', secure }) as const;

export const formatSessionCookie = (secret: string, secure: boolean): string =>
  serialize(nameFor(secure), secret, { ...attributes(secure), maxAge: MAX_AGE_SECONDS });

export const formatEndedSessionCookie = (secure: boolean): string =>
  serialize(nameFor(secure), '', { ...attributes(secure), maxAge: 0 });

/** The secret of a request's session, or undefined. */
export function readSession(headers: Headers, secure: boolean): string | undefined {
  const secret = parse(headers.get('cookie') ?? '')[nameFor(secure)];
  return secret !== undefined && isRandomToken(secret) ? secret : undefined;
}

/**
 * Whether a page of this very origin sent the request; a browser says so of every POST and DELETE.
 * @param secure whether browsers come over https. A page that came over http could have been put there by the network.
 */
export function isSameOrigin(headers: Headers, secure: boolean): boolean {
  const own = `${secure ? 'https' : 'http'}://${headers.get('host')}`;
  return URL.canParse(own) && headers.get('origin') === new URL(own).origin;
}
