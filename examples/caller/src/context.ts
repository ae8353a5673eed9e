import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Client, SubjectScope } from 'social-account-connection-client';
import { ServiceError } from 'social-account-connection-client';
import type { Config } from './config.ts';
import type { Notice, Session, Sessions } from './sessions.ts';
import type { Storage, User } from './storage.ts';

/** The dependencies of every route. */
export interface Studio {
  readonly config: Config;
  readonly service: Client;
  readonly storage: Storage;
  readonly sessions: Sessions;
}

/** The session and user of a request, identified only by the cookie. */
export interface Visit {
  readonly sessionId: string | undefined;
  readonly session: Session | undefined;
  readonly user: User | undefined;
  /** The version of the session's changes when the request arrived, which the page shows. Undefined if nothing announces any. */
  readonly seen: string | undefined;
}

export interface StudioEnv {
  Variables: { visit: Visit };
}
export type StudioContext = Context<StudioEnv>;

/** With the `__Host-` prefix no other host can have set it; browsers take that prefix over https only. */
const cookieName = ({ publicUrl }: Config) => (publicUrl.startsWith('https:') ? '__Host-studio' : 'studio');

export function readVisit(c: Context, { config, sessions, storage }: Studio): Visit {
  const sessionId = getCookie(c, cookieName(config));
  const session = sessions.find(sessionId);
  const user = session?.userId === undefined ? undefined : storage.findUser(session.userId);
  const seen = config.webhookSecrets.length === 0 ? undefined : session?.changes.version;
  return { sessionId, session, user, seen };
}

/** Sets the cookie as Lax, because people return from the provider's site through a redirect. */
export function setSessionCookie(c: StudioContext, config: Config, sessionId: string): void {
  setCookie(c, cookieName(config), sessionId, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: config.publicUrl.startsWith('https:'),
  });
}

export function clearSessionCookie(c: StudioContext, config: Config): void {
  deleteCookie(c, cookieName(config), { path: '/', secure: config.publicUrl.startsWith('https:') });
}

/** The request needs a signed-in user. */
export class SignInRequired extends Error {
  override readonly name = 'SignInNeeded';
}

/** @throws SignInNeeded */
export function requireUser(c: StudioContext): { session: Session; user: User } {
  const { session, user } = c.get('visit');
  if (session === undefined || user === undefined) throw new SignInRequired();
  return { session, user };
}

/** The scope of a user's accounts. Both values come from this server, so the browser cannot change them. */
export const getScope = ({ config }: Studio, user: User): SubjectScope => ({
  tenantKey: config.tenantKey,
  externalSubjectId: user.id,
});

/** Redirects to another page, which shows the notice once. */
export function redirectTo(c: StudioContext, path: string, notice?: Notice): Response {
  const { session } = c.get('visit');
  if (session !== undefined && notice !== undefined) session.notice = notice;
  return c.redirect(path, 303);
}

/** Returns a refusal by the service as a value, so that the page can show it. Rethrows any other error. */
export async function catchRefusal<Result>(request: Promise<Result>): Promise<Result | ServiceError> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
