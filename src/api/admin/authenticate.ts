import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import type { AdminTokenId } from '../../ids.ts';
import {
  type AdminToken,
  findAdminToken,
  findSessionToken,
  noteTokenUse,
  useAdminSession,
} from '../../store/admin/tokens.ts';
import type { Database } from '../../store/sql.ts';
import { type Credentials, readCredentials } from '../graphql/authorization.ts';
import type { Exchange } from '../http/exchange.ts';
import { sha256 } from '../tokens.ts';
import type { Actor } from './actor.ts';
import { isSameOrigin, readSession } from './session-cookie.ts';
import type { Strangers } from './strangers.ts';

const MAX_PROVEN = 1_000;

/** Answers who is asking, or throws ServiceError `UNAUTHENTICATED` or `RATE_LIMITED`. */
export interface AdminAuthenticator {
  /** By `Bearer <token-id>.<secret>`. */
  token(authorization: string | null, exchange: Exchange): Promise<Actor>;
  /** By bearer credential, or by session cookie from a page of this origin. */
  request(headers: Headers, exchange: Exchange): Promise<Actor>;
}

/** One answer for a token that is missing, malformed, unknown, revoked or expired: a guess learns nothing from it. */
const unauthenticated = () => new ServiceError('UNAUTHENTICATED', 'This needs a valid admin token, or a session.');

/** @param secure whether browsers come over https: their cookie has another name then. */
export function createAdminAuthenticator(
  { sql, secure }: { sql: Database; secure: boolean },
  strangers: Strangers,
): AdminAuthenticator {
  // What has worked in this process: somebody else's guessing from behind the same proxy does not lock it out.
  const proven = new Set<string>();

  async function refuse(exchange: Exchange, findTarget?: () => Promise<AdminTokenId | undefined>): Promise<never> {
    await strangers.note(exchange, 'authenticate', 'UNAUTHENTICATED', findTarget);
    throw unauthenticated();
  }

  /**
   * @param find the good token that a proof is of.
   * @param findTarget the token that a bad one names, where there is such a one.
   */
  async function admit(
    exchange: Exchange,
    proof: string,
    find: () => Promise<AdminToken | undefined>,
    findTarget: () => Promise<AdminTokenId | undefined>,
  ): Promise<Actor> {
    const look = async () => {
      const found = await find();
      if (found !== undefined) return found;
      proven.delete(proof);
      return await refuse(exchange, findTarget);
    };
    const { tokenId, role, openidSub } = await (proven.has(proof)
      ? look()
      : strangers.attempt(exchange, 'authenticate', look));
    if (proven.size >= MAX_PROVEN) proven.clear();
    proven.add(proof);
    await noteTokenUse(sql, tokenId);
    return { tokenId, role, openidSub };
  }

  async function token(authorization: string | null, exchange: Exchange): Promise<Actor> {
    const credentials = credentialsIn(authorization);
    if (credentials === undefined) {
      return await strangers.attempt(exchange, 'authenticate', () => refuse(exchange));
    }
    const { keyId, secretSha256 } = credentials;
    const tokenId = keyId as string as AdminTokenId;
    return await admit(
      exchange,
      `${tokenId}.${secretSha256.toString('base64')}`,
      async () => {
        const found = await findAdminToken(sql, tokenId);
        return found?.usable && timingSafeEqual(found.secretSha256, secretSha256) ? found : undefined;
      },
      async () => (await findAdminToken(sql, tokenId))?.tokenId,
    );
  }

  async function session(headers: Headers, exchange: Exchange): Promise<Actor> {
    const secret = readSession(headers, secure);
    if (secret === undefined) throw unauthenticated();
    const hash = sha256(secret);
    const findTarget = () => findSessionToken(sql, hash);
    // Not a failed try: another page is not to use up those of the person whose browser it is shown in.
    if (!isSameOrigin(headers, secure)) return await refuse(exchange, findTarget);
    return await admit(exchange, hash.toString('base64'), () => useAdminSession(sql, hash), findTarget);
  }

  return {
    token,
    request: async (headers, exchange) => {
      const authorization = headers.get('authorization');
      return authorization === null ? await session(headers, exchange) : await token(authorization, exchange);
    },
  };
}

function credentialsIn(authorization: string | null): Credentials | undefined {
  try {
    return readCredentials(authorization);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
