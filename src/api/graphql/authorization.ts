import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import { asId, type KeyId } from '../../ids.ts';
import type { App, KeyOwner } from '../../store/apps.ts';
import { FailureDelay } from '../http/failure-delay.ts';
import { TokenBuckets } from '../http/token-buckets.ts';

export interface Credentials {
  readonly keyId: KeyId;
  /** SHA-256 over the 64 hexadecimal characters, as they were sent. */
  readonly secretSha256: Buffer;
}

const BEARER = /^Bearer ([0-9a-f-]{36})\.([0-9a-f]{64})$/i;
const SCHEME = 'Bearer ';

/**
 * Reads `Bearer <uuid>.<64 hex>`. Digits may be of either case; the secret is compared as it was issued.
 * @throws ServiceError `UNAUTHENTICATED` for anything else.
 */
export function readCredentials(authorization: string | null): Credentials {
  const [, id = '', secret = ''] = (authorization?.startsWith(SCHEME) && BEARER.exec(authorization)) || [];
  const keyId = asId<KeyId>(id);
  if (keyId === undefined) throw unauthenticated();
  return { keyId, secretSha256: createHash('sha256').update(secret).digest() };
}

/** One answer for a key that is missing, malformed, unknown, revoked or expired: a guess learns nothing from it. */
const unauthenticated = () => new ServiceError('UNAUTHENTICATED', 'This needs a valid application key.');

/** Of wrong keys: one address's answers beyond this rate wait a second, each holding a socket and nothing else. */
const WRONG_KEYS = { rate: { perSecond: 5, burst: 50 }, delayMs: 1_000, maxWaiting: 200 };

/**
 * Makes the function that turns an Authorization header into the calling app. The key is looked up anew each time, so
 * that a revoked one or a disabled app is refused on the very next request. A good key is never refused for what else
 * comes from its address.
 *
 * The function throws ServiceError `UNAUTHENTICATED`, after a while for an address that keeps sending wrong keys,
 * `FORBIDDEN` (the app is disabled) or `RATE_LIMITED` (too many requests by the app).
 */
export function createAuthenticator(
  findKeyOwner: (keyId: KeyId) => Promise<KeyOwner | undefined>,
  delays: FailureDelay = new FailureDelay(WRONG_KEYS),
) {
  const apps = new TokenBuckets();

  async function findOwner(authorization: string | null): Promise<KeyOwner> {
    const { keyId, secretSha256 } = readCredentials(authorization);
    const owner = await findKeyOwner(keyId);
    if (!owner?.usable || !timingSafeEqual(owner.secretSha256, secretSha256)) throw unauthenticated();
    return owner;
  }

  return async (authorization: string | null, address: string): Promise<App> => {
    const owner = await findOwner(authorization).catch(async (error: unknown) => {
      if (error instanceof ServiceError) await delays.failed(address);
      throw error;
    });
    const { appId, name, enabled, requestsPerSecond } = owner;
    if (!enabled) throw new ServiceError('FORBIDDEN', 'The app is disabled.');
    if (!apps.take(appId, { perSecond: requestsPerSecond, burst: requestsPerSecond })) {
      throw new ServiceError('RATE_LIMITED', `The app may send ${requestsPerSecond} requests a second.`, {
        retryAfterSeconds: 1,
      });
    }
    return { appId, name, enabled, requestsPerSecond };
  };
}
