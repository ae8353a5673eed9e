import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { ErrorCode } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import { type Database, inTransaction, type Sql } from '../../store/driver/sql.ts';
import { deleteAdminSession, insertAdminSession } from '../../store/operators/admin-tokens.ts';
import { insertAuditEntry } from '../../store/operators/audit-log.ts';
import { acceptBody } from '../http/bodies.ts';
import { decodeBody } from '../http/decode-body.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { createRandomToken, sha256 } from '../tokens.ts';
import { formatActor } from './actor.ts';
import type { AdminAuthenticator } from './authenticator.ts';
import { formatEndedSessionCookie, formatSessionCookie, isSameOrigin, readSession } from './session-cookie.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

const SESSION_PATH = '/api/admin/session';
const MAX_BODY_BYTES = 1_024;

const Body = z.object({ token: z.string() });

/**
 * Creates the routes that sign a browser in and out. POST `{"token": "<token-id>.<secret>"}` answers 204 and a cookie, and
 * ends the browser's previous session. DELETE ends the session. Both work only from a page of this host. GET returns whether one
 * can sign in through OpenID Connect. A refusal is JSON: `{"code", "message"}`.
 */
export function createSessionRoutes({
  sql,
  authenticator,
  signInThrottle,
  secure,
  openId,
}: {
  sql: Database;
  authenticator: AdminAuthenticator;
  signInThrottle: SignInThrottle;
  secure: boolean;
  openId: boolean;
}): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.get(SESSION_PATH, (c) => c.json({ openIdConnect: openId }, 200, { 'cache-control': 'no-store' }));

  app.post(SESSION_PATH, acceptBody(MAX_BODY_BYTES), async (c) => {
    const exchange = c.get('exchange');
    try {
      await requireOwnPage(c, 'signIn');
      const actor = await authenticator.token(`Bearer ${await readToken(c)}`, exchange);
      const former = readSession(c.req.raw.headers, secure);
      const secret = createRandomToken();
      const session = { tokenId: actor.tokenId, sessionSha256: sha256(secret), isProven: true };
      await inTransaction(sql, async (tx) => {
        if (former !== undefined) await endSession(tx, sha256(former), exchange);
        await insertAdminSession(tx, session);
        await insertAuditEntry(tx, entry(actor, 'signIn', exchange));
      });
      return c.body(null, 204, { 'set-cookie': formatSessionCookie(secret, secure), 'cache-control': 'no-store' });
    } catch (error) {
      if (error instanceof ServiceError) return refuse(c, error);
      throw error;
    }
  });

  app.delete(SESSION_PATH, async (c) => {
    try {
      await requireOwnPage(c, 'signOut');
      const secret = readSession(c.req.raw.headers, secure);
      if (secret !== undefined) await endSession(sql, sha256(secret), c.get('exchange'));
      return c.body(null, 204, { 'set-cookie': formatEndedSessionCookie(secure), 'cache-control': 'no-store' });
    } catch (error) {
      if (error instanceof ServiceError) return refuse(c, error);
      throw error;
    }
  });

  async function requireOwnPage(c: Context<HttpEnv>, action: 'signIn' | 'signOut'): Promise<void> {
    if (isSameOrigin(c.req.raw.headers, secure)) return;
    await signInThrottle.auditRefusal(c.get('exchange'), action, 'FORBIDDEN');
    throw new ServiceError('FORBIDDEN', `Only a page of this host${secure ? ', over https,' : ''} may do this.`);
  }

  return app;
}

type Exchange = HttpEnv['Variables']['exchange'];

const entry = (who: Parameters<typeof formatActor>[0], action: string, { correlationId }: Exchange) => ({
  actor: formatActor(who),
  action,
  target: null,
  outcome: 'DONE',
  correlationId,
});

/** Ends a session, if it has not ended yet. */
export async function endSession(sql: Sql, sessionSha256: Buffer, exchange: Exchange): Promise<void> {
  const owner = await deleteAdminSession(sql, sessionSha256);
  if (owner !== undefined) await insertAuditEntry(sql, entry(owner, 'signOut', exchange));
}

async function readToken(c: Context<HttpEnv>): Promise<string> {
  const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  // A page of another site can send other media types without a CORS preflight.
  if (mediaType !== 'application/json') throw bad('The body must be sent as application/json.');
  const text = decodeBody(new Uint8Array(await c.req.arrayBuffer()), c.req.header('content-type'));
  if (text === undefined) throw bad('The body must be UTF-8, without compression.');
  const parsed = Body.safeParse(parseJson(text));
  if (!parsed.success) throw bad('The body must be {"token": "<token-id>.<secret>"}.');
  return parsed.data.token;
}

const bad = (message: string) => new ServiceError('BAD_USER_INPUT', message);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A list of its own: every other refusal is answered with 400.
const STATUSES: Partial<Record<ErrorCode, 401 | 403 | 429>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
};

/** Builds the refusal of a sign-in or sign-out. */
export function buildRefusal({ code, details: { retryAfterSeconds } }: ServiceError) {
  const headers = { 'cache-control': 'no-store' };
  return {
    status: STATUSES[code] ?? (400 as const),
    headers: retryAfterSeconds === undefined ? headers : { ...headers, 'retry-after': String(retryAfterSeconds) },
  };
}

function refuse(c: Context<HttpEnv>, error: ServiceError): Response {
  const { status, headers } = buildRefusal(error);
  return c.json({ code: error.code, message: error.message }, status, headers);
}
