import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { type Client, type ErrorCode, ServiceError, type SubjectScope } from 'social-account-connection-client';
import { z } from 'zod';
import type { Config } from './config.ts';
import type { Notice, Session, Sessions } from './sessions.ts';
import { findAccount, type Storage, type User } from './storage.ts';
import { describeRefusal, ERRORS } from './texts.ts';

export type Studio = Readonly<{ config: Config; service: Client; storage: Storage; sessions: Sessions }>;

/** A signed-in user. Both values of the scope come from this server, so the browser cannot change them. */
export type Me = Readonly<{ session: Session; user: User; scope: SubjectScope }>;

/** The session and user of a request, identified only by the cookie. */
interface Visit {
  readonly sessionId: string | undefined;
  readonly session: Session | undefined;
  readonly me: Me | undefined;
  /** The version of the session's changes, which the page shows. Undefined if nothing announces any. */
  readonly seen: string | undefined;
}

export type StudioEnv = { Variables: { visit: Visit } };
export type StudioContext = Context<StudioEnv>;
export const newRoutes = () => new Hono<StudioEnv>();

/** With the `__Host-` prefix no other host can have set it; browsers take that prefix over https only. */
const cookieName = ({ PUBLIC_URL }: Config) => (PUBLIC_URL.startsWith('https:') ? '__Host-studio' : 'studio');

export function readVisit(c: Context, { config, sessions, storage }: Studio): Visit {
  const sessionId = getCookie(c, cookieName(config));
  const session = sessions.find(sessionId);
  const user = session?.userId === undefined ? undefined : storage.findUser(session.userId);
  const scope = { tenantKey: config.TENANT_KEY, externalSubjectId: user?.id ?? '' };
  const me = session && user && { session, user, scope };
  return { sessionId, session, me, seen: config.WEBHOOK_SECRETS.length === 0 ? undefined : session?.changes.version };
}

/** Sets the cookie as Lax, because people return from the provider's site through a redirect. An empty id deletes it. */
export function setSessionCookie(c: StudioContext, config: Config, sessionId: string): void {
  const secure = config.PUBLIC_URL.startsWith('https:');
  const life = sessionId === '' ? { maxAge: 0 } : {};
  setCookie(c, cookieName(config), sessionId, { path: '/', httpOnly: true, sameSite: 'Lax', secure, ...life });
}

export class SignInRequired extends Error {
  override readonly name = 'SignInRequired';
}

/** @throws SignInRequired */
export function requireUser(c: StudioContext): Me {
  const { me } = c.get('visit');
  if (me === undefined) throw new SignInRequired();
  return me;
}

/** The user, and the account that the path names. The service checks that it is the user's. @throws SignInRequired */
export function requireAccount(c: StudioContext) {
  const me = requireUser(c);
  const connectionId = c.req.param('id') ?? '';
  const known = findAccount(me.user, connectionId);
  return { ...me, connectionId, known, path: `/connections/${connectionId}`, key: { scope: me.scope, connectionId } };
}

/** Redirects to another page, which shows the notice once. */
export function redirectTo(c: StudioContext, path: string, notice?: Notice): Response {
  const { session } = c.get('visit');
  if (session !== undefined && notice !== undefined) session.notice = notice;
  return c.redirect(path, 303);
}

/** Redirects back and shows there why the service refused the request. */
export function redirectWithError(c: StudioContext, path: string, error: ServiceError, onBadInput?: string): Response {
  const why = `${ERRORS[error.code].title}. ${describeRefusal(error)}`;
  const text = error.code === 'BAD_USER_INPUT' ? (onBadInput ?? why) : why;
  return redirectTo(c, path, { mood: 'bad', text, reference: error.correlationId });
}

/** Returns a refusal by the service as a value, so that the page can show it. Rethrows any other error. */
export const catchRefusal = <Result>(request: Promise<Result>): Promise<Result | ServiceError> =>
  request.catch((error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  });

/** For optional parts of a page. @param code rethrows refusals with another code */
export async function unlessRefused<Result>(request: Promise<Result>, code?: ErrorCode): Promise<Result | undefined> {
  const answer = await catchRefusal(request);
  if (!(answer instanceof ServiceError)) return answer;
  if (code !== undefined && answer.code !== code) throw answer;
  return undefined;
}

export const readFields = async (c: StudioContext): Promise<Record<string, string>> =>
  z
    .record(z.string(), z.string())
    .catch({})
    .parse(await c.req.parseBody());

/**
 * The address of a link to a platform, if there is a link: provider data is untrusted, so it must be http or https. In
 * development, the accounts and posts of a sandbox do not exist at the platform itself; see `VISIT_URL`.
 */
export function toLink({ VISIT_URL }: Config, url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  return VISIT_URL === undefined ? url : `${VISIT_URL}?${new URLSearchParams({ url })}`;
}
