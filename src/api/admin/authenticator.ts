import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../basics/errors.ts';
import type { AdminTokenId } from '../../basics/ids.ts';
import type { Database } from '../../store/driver/sql.ts';
import {
  type AdminToken,
  findAdminToken,
  findSessionToken,
  findUsableSession,
  updateTokenLastUse,
} from '../../store/operators/admin-tokens.ts';
import { type Credentials, readCredentials } from '../graphql/credentials.ts';
import type { Exchange, RequestHeaders } from '../http/exchange.ts';
import type { FailureDelay } from '../http/failure-delay.ts';
import { sha256 } from '../tokens.ts';
import type { Operator } from './actor.ts';
import { isSameOrigin, readSession } from './session-cookie.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/**
 * Finds the actor of a request, or throws ServiceError `UNAUTHENTICATED`, delayed for an address that keeps failing. Wrong
 * credentials from an address never affect valid ones from the same address.
 */
export interface AdminAuthenticator {
  /** By `Bearer <token-id>.<secret>`. */
  token(authorization: string | null, exchange: Exchange): Promise<Operator>;
  /** By bearer credential, or by session cookie from a page of this origin. */
  request(headers: RequestHeaders, exchange: Exchange): Promise<Operator>;
}

/** The same answer for a missing, malformed, unknown, revoked or expired token, so that a guess reveals nothing. */
const unauthenticated = () => new ServiceError('UNAUTHENTICATED', 'This needs a valid admin token, or a session.');

/**
 * @param secure true if browsers connect over https. Their cookie then has another name.
 * @param delays delays the answers to failures.
 */
export function createAdminAuthenticator(
  { sql, secure, delays }: { sql: Database; secure: boolean; delays: FailureDelay },
  signInThrottle: SignInThrottle,
): AdminAuthenticator {
  /** @param findTarget the token that was named, where there is such a one. */
  const note = (exchange: Exchange, findTarget?: () => Promise<AdminTokenId | undefined>) =>
    signInThrottle.auditRefusal(exchange, 'authenticate', 'UNAUTHENTICATED', findTarget);

  async function refuse(exchange: Exchange, findTarget?: Parameters<typeof note>[1]): Promise<never> {
    await note(exchange, findTarget);
    await delays.delayFailure(exchange.address);
    throw unauthenticated();
  }

  async function admit({ tokenId, role, openidSub }: AdminToken, fresh: boolean): Promise<Operator> {
    await updateTokenLastUse(sql, tokenId);
    return { tokenId, role, openidSub, fresh };
  }

  async function token(authorization: string | null, exchange: Exchange): Promise<Operator> {
    const credentials = findCredentials(authorization);
    if (credentials === undefined) return await refuse(exchange);
    const { keyId, secretSha256 } = credentials;
    const found = await findAdminToken(sql, keyId as string as AdminTokenId);
    if (!found?.usable || !timingSafeEqual(found.secretSha256, secretSha256)) {
      return await refuse(exchange, async () => found?.tokenId);
    }
    return await admit(found, true);
  }

  async function session(headers: RequestHeaders, exchange: Exchange): Promise<Operator> {
    const secret = readSession(headers, secure);
    if (secret === undefined) throw unauthenticated();
    const hash = sha256(secret);
    const findTarget = () => findSessionToken(sql, hash);
    // Does not count as a failed try, so that a foreign page cannot slow down the browser's user.
    if (!isSameOrigin(headers, secure)) {
      await note(exchange, findTarget);
      throw unauthenticated();
    }
    const found = await findUsableSession(sql, hash);
    return found === undefined ? await refuse(exchange, findTarget) : await admit(found, found.fresh);
  }

  return {
    token,
    request: async (headers, exchange) => {
      const authorization = headers.get('authorization');
      return authorization === null ? await session(headers, exchange) : await token(authorization, exchange);
    },
  };
}

function findCredentials(authorization: string | null): Credentials | undefined {
  try {
    return readCredentials(authorization);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
