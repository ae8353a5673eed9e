import { type Context, Hono } from 'hono';
import { ServiceError } from '../../basics/errors.ts';
import { ADMIN_ROLES, type AdminRole } from '../../domain/rules/roles.ts';
import { classifyIssuerError } from '../../identity/classify-issuer-error.ts';
import type { OperatorSignIn, SignedInOperator } from '../../identity/operator-sign-in.ts';
import type { BusinessClock } from '../../store/business-clock.ts';
import { type Database, getBusinessTime, inTransaction } from '../../store/driver/sql.ts';
import { insertAdminSession, insertAdminToken } from '../../store/operators/admin-tokens.ts';
import { insertAuditEntry } from '../../store/operators/audit-log.ts';
import type { Mac } from '../../vault/mac.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { createRandomToken, sha256 } from '../tokens.ts';
import { formatActor } from './actor.ts';
import { buildRefusal, endSession } from './session.ts';
import { formatSessionCookie, readSession } from './session-cookie.ts';
import { createKnownBrowserCookie, createSignInCookie, type SignInBegun } from './sign-in-cookie.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface OpenIdOptions {
  readonly signIn: OperatorSignIn;
  /** The clock of `signIn`. Each request reads it. */
  readonly clock: BusinessClock;
  /** The role of each group that has one. */
  readonly roles: Readonly<Record<string, AdminRole>>;
  /** Base of the console as browsers reach it, without `/admin`. */
  readonly adminUrl: string;
}

const START_PATH = '/api/admin/sign-in';
const CALLBACK_PATH = '/api/admin/sign-in/callback';
const SESSION_MS = 8 * 60 * 60 * 1000;
const NOT_PUBLIC =
  'The identity provider has an address that is not public and that ADMIN_OIDC_PRIVATE_NETWORKS does not allow';
/** A code is for one use, so a second try of a sign-in cannot succeed. Its cookie lives for ten minutes. */
const ONE_TRY = { perSecond: 1 / 600, burst: 1 };

/**
 * Creates the routes that sign operators in through OpenID Connect. GET `/api/admin/sign-in` leads to the issuer and back
 * to the console with a session. The session has its own token, which is stored nowhere else and ends with the session or
 * when an admin revokes it. With `?again=1` the person must sign in again, and the session then counts as fresh. `from`
 * is the console path to return to.
 */
export function createOpenIdRoutes(
  { sql, mac, signInThrottle, secure }: { sql: Database; mac: Mac; signInThrottle: SignInThrottle; secure: boolean },
  { signIn, clock, roles, adminUrl }: OpenIdOptions,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const cookie = createSignInCookie({ mac, secure, now: clock.now });
  const knownBrowser = createKnownBrowserCookie({ mac, secure, now: clock.now });
  const tries = new TokenBuckets();
  const redirectUri = `${adminUrl}${CALLBACK_PATH}`;

  app.get(START_PATH, async (c) => {
    c.header('cache-control', 'no-store');
    await clock.read(sql);
    try {
      const again = c.req.query('again') === '1';
      const { url, secrets } = await signIn.begin(redirectUri, again);
      const former = readSession(c.req.raw.headers, secure);
      cookie.write(c, {
        ...secrets,
        again,
        returnPath: consolePathIn(c.req.query('from')),
        // The session's own cookie is SameSite=Strict, so it is not sent when the issuer redirects back.
        replaces: former === undefined ? null : sha256(former).toString('base64url'),
      });
      return c.redirect(url, 303);
    } catch (error) {
      const isRefused = classifyIssuerError(error).networkCode === 'EGRESS_REFUSED';
      c.get('exchange').log.warn('Operators cannot sign in', { error, ...(isRefused && { reasons: [NOT_PUBLIC] }) });
      const cause = isRefused
        ? `${NOT_PUBLIC}. Sign`
        : 'The identity provider cannot be reached. Try again later, or sign';
      return c.text(`${cause} in with a token.`, 503);
    }
  });

  app.get(CALLBACK_PATH, async (c) => {
    c.header('cache-control', 'no-store');
    await clock.read(sql);
    const begun = cookie.read(c);
    cookie.delete(c);
    try {
      // Of a sign-in that was tried before, nothing more reaches the issuer, nor counts against its browser or address.
      if (begun?.state !== c.req.query('state') || begun === undefined || !tries.take(begun.state, ONE_TRY)) {
        await signInThrottle.auditRefusal(c.get('exchange'), 'signIn', 'BAD_USER_INPUT');
        throw new ServiceError(
          'BAD_USER_INPUT',
          'This sign-in has expired, was tried before, or was started in another browser. Start again.',
        );
      }
      // Throttled, because a failure costs a request to the issuer too.
      const known = knownBrowser.read(c);
      const session = await signInThrottle.throttle(c.get('exchange'), 'signIn', known?.id, () => enter(c, begun));
      knownBrowser.write(c, known ?? { id: createRandomToken() });
      c.header('set-cookie', formatSessionCookie(session, secure), { append: true });
      return c.redirect(`${adminUrl}${begun.returnPath}`, 303);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status, headers } = buildRefusal(error);
      return c.text(error.message, status, headers);
    }
  });

  /** @returns the secret of a new session. @throws ServiceError `UNAUTHENTICATED` or `FORBIDDEN` */
  async function enter(c: Context<HttpEnv>, begun: SignInBegun): Promise<string> {
    const exchange = c.get('exchange');
    const callbackUrl = new URL(`${redirectUri}${new URL(c.req.url).search}`);
    const operator = await signIn.finish(callbackUrl, begun, begun.again).catch((error: unknown) => {
      exchange.log.warn('An operator could not sign in', { error });
      return undefined;
    });
    const role = operator && roleOf(operator);
    if (operator?.groupsLeftOut)
      exchange.log.warn('The issuer left out the groups of an operator: it has too many. Use roles of the app instead');
    if (operator === undefined || role === undefined) {
      const refusal =
        operator === undefined
          ? new ServiceError('UNAUTHENTICATED', 'The sign-in failed. Start again, or sign in with a token.')
          : new ServiceError('FORBIDDEN', 'None of your groups has a role here.');
      await signInThrottle.auditRefusal(exchange, 'signIn', refusal.code);
      throw refusal;
    }
    const session = createRandomToken();
    const { sub: openidSub } = operator;
    await inTransaction(sql, async (tx) => {
      const label = `OpenID ${openidSub}`.slice(0, 100);
      const expiresAt = new Date((await getBusinessTime(tx)).getTime() + SESSION_MS);
      const { tokenId } = await insertAdminToken(tx, { label, openidSub, role, expiresAt });
      await insertAdminSession(tx, { tokenId, sessionSha256: sha256(session), isProven: begun.again });
      if (begun.replaces !== null) await endSession(tx, Buffer.from(begun.replaces, 'base64url'), exchange);
      const { correlationId } = exchange;
      const actor = formatActor({ tokenId, openidSub });
      await insertAuditEntry(tx, { actor, action: 'signIn', target: tokenId, outcome: 'DONE', correlationId });
    });
    return session;
  }

  /** Finds the highest role of the operator's groups. */
  const roleOf = ({ groups }: SignedInOperator): AdminRole | undefined =>
    ADMIN_ROLES.findLast((one) => groups.some((group) => roles[group] === one));

  return app;
}

const CONSOLE_PATH = /^\/admin(\/[\w./-]*)?(\?[\w.~%&=+-]*)?$/;
const MAX_PATH = 500;

/** @returns the path if it belongs to the console, or the console's front page. */
const consolePathIn = (given: string | undefined): string =>
  given !== undefined && given.length <= MAX_PATH && CONSOLE_PATH.test(given) ? given : '/admin';
