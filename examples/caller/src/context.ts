import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Config } from './config.ts';
import type { SubjectScope } from './generated/service.ts';
import type { Service } from './service.ts';
import { ServiceError } from './service.ts';
import type { Notice, Session, Sessions } from './sessions.ts';
import type { Storage, User } from './storage.ts';

/** What every route works with. */
export interface Studio {
  readonly config: Config;
  readonly service: Service;
  readonly storage: Storage;
  readonly sessions: Sessions;
}

/** Who is asking, by the cookie and by nothing else. */
export interface Visit {
  readonly sessionId: string | undefined;
  readonly session: Session | undefined;
  readonly user: User | undefined;
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
  return { sessionId, session, user };
}

/** Lax, because people come back from the provider by a link from another site. */
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

/** Nobody is signed in. */
export class SignInRequired extends Error {
  override readonly name = 'SignInNeeded';
}

/** @throws SignInNeeded */
export function signedIn(c: StudioContext): { session: Session; user: User } {
  const { session, user } = c.get('visit');
  if (session === undefined || user === undefined) throw new SignInRequired();
  return { session, user };
}

/** Whose accounts are asked for. Both values come from this server: nothing the browser sends can change them. */
export const getScope = ({ config }: Studio, user: User): SubjectScope => ({
  tenantKey: config.tenantKey,
  externalSubjectId: user.id,
});

/** Goes to another page of ours, and says something there, once. */
export function redirectTo(c: StudioContext, path: string, notice?: Notice): Response {
  const { session } = c.get('visit');
  if (session !== undefined && notice !== undefined) session.notice = notice;
  return c.redirect(path, 303);
}

/** A refusal by the service as a value, where a page has something to show in its place. Anything else goes on up. */
export async function catchRefusal<Result>(asked: Promise<Result>): Promise<Result | ServiceError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
