import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { OperatorSignIn } from '../../identity/operator-sign-in.ts';
import { createAdminToken, insertAdminSession } from '../../store/admin/tokens.ts';
import { audit } from '../../store/setup.ts';
import { type Database, inTransaction } from '../../store/sql.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { randomToken, sha256 } from '../tokens.ts';
import { actorName } from './actor.ts';
import { ADMIN_ROLES, type AdminRole } from './roles.ts';
import { sessionCookie } from './session-cookie.ts';

export interface OpenIdOptions {
  readonly signIn: OperatorSignIn;
  /** The role of each group that has one. */
  readonly roles: Readonly<Record<string, AdminRole>>;
  /** Base of the console as browsers reach it, without `/admin`. */
  readonly adminUrl: string;
}

const START_PATH = '/api/admin/sign-in';
const CALLBACK_PATH = '/api/admin/sign-in/callback';
const SESSION_MS = 8 * 60 * 60 * 1000;
const SIGN_IN_SECONDS = 10 * 60;

const Secrets = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() });

/**
 * Signing in through OpenID Connect: GET `/api/admin/sign-in` leads to the issuer and back to the console, with a
 * session under a token of its own that nobody ever holds: it ends with the session, or when an admin revokes it.
 */
export function createOpenIdRoutes(
  { sql, secure }: { sql: Database; secure: boolean },
  { signIn, roles, adminUrl }: OpenIdOptions,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const cookieName = `${secure ? '__Host-' : ''}admin_sign_in`;
  const redirectUri = `${adminUrl}${CALLBACK_PATH}`;

  app.get(START_PATH, async (c) => {
    c.header('cache-control', 'no-store');
    try {
      const { url, secrets } = await signIn.begin(redirectUri);
      // Lax: the way back is a navigation that the issuer starts.
      const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: SIGN_IN_SECONDS } as const;
      setCookie(c, cookieName, Buffer.from(JSON.stringify(secrets)).toString('base64url'), options);
      return c.redirect(url, 303);
    } catch (error) {
      c.get('exchange').log.warn('Operators cannot sign in', { error });
      return c.text('The identity provider cannot be reached. Try again later, or sign in with a token.', 503);
    }
  });

  app.get(CALLBACK_PATH, async (c) => {
    c.header('cache-control', 'no-store');
    const { correlationId, log } = c.get('exchange');
    const secrets = readSecrets(c, cookieName);
    deleteCookie(c, cookieName, { path: '/', secure });
    if (secrets === undefined) return c.text('This sign-in has ended, or began in another browser. Begin again.', 400);
    const callbackUrl = new URL(`${redirectUri}${new URL(c.req.url).search}`);
    const operator = await signIn.finish(callbackUrl, secrets).catch((error: unknown) => {
      log.warn('An operator could not sign in', { error });
      return undefined;
    });
    const entry = { action: 'signIn', target: null, correlationId };
    if (operator === undefined) {
      await audit(sql, { ...entry, actor: 'unknown', outcome: 'UNAUTHENTICATED' });
      return c.text('The sign-in did not work. Begin again, or sign in with a token.', 401);
    }
    const role = ADMIN_ROLES.findLast((one) => operator.groups.some((group) => roles[group] === one));
    if (role === undefined) {
      await audit(sql, { ...entry, actor: 'unknown', outcome: 'FORBIDDEN' });
      return c.text('None of your groups has a role here.', 403);
    }
    const session = randomToken();
    await inTransaction(sql, async (tx) => {
      const label = `OpenID ${operator.sub}`.slice(0, 100);
      const expiresAt = new Date(Date.now() + SESSION_MS);
      const { tokenId } = await createAdminToken(tx, { label, role, expiresAt });
      await insertAdminSession(tx, tokenId, sha256(session));
      await audit(tx, { ...entry, actor: actorName({ tokenId }), outcome: 'DONE' });
    });
    c.header('set-cookie', sessionCookie(session, secure), { append: true });
    return c.redirect(`${adminUrl}/admin`, 303);
  });

  return app;
}

function readSecrets(c: Context<HttpEnv>, name: string): z.infer<typeof Secrets> | undefined {
  const text = Buffer.from(getCookie(c, name) ?? '', 'base64url').toString();
  try {
    return Secrets.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
