import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { type Client, ServiceError, type SubjectScope } from 'social-account-connection-client';
import { z } from 'zod';
import type { Config } from './config.ts';
import type { Notice, Session, Sessions } from './sessions.ts';
import type { Storage, User } from './storage.ts';
import { describeRefusal, ERRORS } from './texts.ts';

/** The dependencies of every route. */
export interface Studio {
  readonly config: Config;
  readonly service: Client;
  readonly storage: Storage;
  readonly sessions: Sessions;
}

/** A signed-in user. Both values of the scope come from this server, so the browser cannot change them. */
interface Me {
  readonly session: Session;
  readonly user: User;
  readonly scope: SubjectScope;
}

/** The session and user of a request, identified only by the cookie. */
interface Visit {
  readonly sessionId: string | undefined;
  readonly session: Session | undefined;
  readonly me: Me | undefined;
  /** The version of the session's changes, which the page shows. Undefined if nothing announces any. */
  readonly seen: string | undefined;
}

export interface StudioEnv {
  Variables: { visit: Visit };
}
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

/** Redirects to another page, which shows the notice once. */
export function redirectTo(c: StudioContext, path: string, notice?: Notice): Response {
  const { session } = c.get('visit');
  if (session !== undefined && notice !== undefined) session.notice = notice;
  return c.redirect(path, 303);
}

/** Redirects back and shows there why the service refused the request. */
export const redirectWithError = (c: StudioContext, path: string, error: ServiceError, onBadInput?: string) =>
  redirectTo(c, path, {
    mood: 'bad',
    text:
      (error.code === 'BAD_USER_INPUT' ? onBadInput : undefined) ??
      `${ERRORS[error.code].title}. ${describeRefusal(error)}`,
    reference: error.correlationId,
  });

/** Returns a refusal by the service as a value, so that the page can show it. Rethrows any other error. */
export const catchRefusal = <Result>(request: Promise<Result>): Promise<Result | ServiceError> =>
  request.catch((error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  });

/** Reads the text fields of a form. */
export async function readFields(c: StudioContext): Promise<Record<string, string>> {
  const fields = z.record(z.string(), z.string()).catch({});
  return fields.parse(await c.req.parseBody());
}

/** In development, the accounts and posts of a sandbox do not exist at the platform itself; see `VISIT_URL`. */
export const toVisit = ({ VISIT_URL }: Config, url: string | null | undefined) =>
  VISIT_URL === undefined || !url ? url : `${VISIT_URL}?${new URLSearchParams({ url })}`;
