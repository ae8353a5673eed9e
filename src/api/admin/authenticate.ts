import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import type { AdminTokenId } from '../../ids.ts';
import { findAdminToken, noteTokenUse, useAdminSession } from '../../store/admin/tokens.ts';
import { audit } from '../../store/setup.ts';
import type { Database } from '../../store/sql.ts';
import { readCredentials } from '../graphql/authorization.ts';
import type { Exchange } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { sha256 } from '../tokens.ts';
import type { Actor } from './actor.ts';
import { isSameOrigin, readSession } from './session-cookie.ts';

/** Failed tries from one address; each costs a look into the database, and its refusal an entry in the audit log. */
const FAILURES = { perSecond: 0.5, burst: 20 };
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
export function createAdminAuthenticator(sql: Database, secure: boolean): AdminAuthenticator {
  const failures = new TokenBuckets();
  // Tokens that have worked in this process: somebody else's guessing from behind the same proxy does not lock them out.
  const proven = new Set<string>();

  async function token(authorization: string | null, { address, correlationId }: Exchange): Promise<Actor> {
    const credentials = readOr(unauthenticated, () => readCredentials(authorization));
    const tokenId = credentials.keyId as string as AdminTokenId;
    const proof = `${tokenId}.${credentials.secretSha256.toString('base64')}`;
    if (!proven.has(proof) && !failures.take(address, FAILURES)) throw tooMany();
    const found = await findAdminToken(sql, tokenId);
    if (found === undefined || !found.usable || !timingSafeEqual(found.secretSha256, credentials.secretSha256)) {
      proven.delete(proof);
      // The id is the asker's claim, so it is named only where there is such a token.
      await audit(sql, {
        actor: 'unknown',
        action: 'authenticate',
        target: found?.tokenId ?? null,
        outcome: 'UNAUTHENTICATED',
        correlationId,
      });
      throw unauthenticated();
    }
    if (proven.size >= MAX_PROVEN) proven.clear();
    proven.add(proof);
    await noteTokenUse(sql, tokenId);
    return { tokenId, role: found.role };
  }

  async function session(headers: Headers, { address }: Exchange): Promise<Actor> {
    const secret = readSession(headers, secure);
    if (secret === undefined || !isSameOrigin(headers)) throw unauthenticated();
    const hash = sha256(secret);
    const proof = hash.toString('base64');
    if (!proven.has(proof) && !failures.take(address, FAILURES)) throw tooMany();
    const found = await useAdminSession(sql, hash);
    if (found === undefined) {
      proven.delete(proof);
      throw unauthenticated();
    }
    if (proven.size >= MAX_PROVEN) proven.clear();
    proven.add(proof);
    await noteTokenUse(sql, found.tokenId);
    return { tokenId: found.tokenId, role: found.role };
  }

  return {
    token,
    request: async (headers, exchange) => {
      const authorization = headers.get('authorization');
      return authorization === null ? await session(headers, exchange) : await token(authorization, exchange);
    },
  };
}

const tooMany = () =>
  new ServiceError('RATE_LIMITED', 'Too many failed tries from this address.', { retryAfterSeconds: 2 });

/** What `read` returns, or else this refusal. */
function readOr<T>(refusal: () => ServiceError, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) throw refusal();
    throw error;
  }
}
