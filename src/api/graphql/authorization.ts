import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import { asId, type KeyId } from '../../ids.ts';
import type { App, KeyOwner } from '../../store/apps.ts';
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

/** For keys that have not worked here before, by address: each may cost a look into the database. */
const STRANGERS = { perSecond: 5, burst: 50 };
const MAX_PROVEN = 10_000;

/**
 * Makes the function that turns an Authorization header into the calling app. The key is looked up anew each time, so
 * that a revoked one or a disabled app is refused on the very next request.
 *
 * The function throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` (the app is disabled) or `RATE_LIMITED` (too many
 * requests by the app, or too many tries with unproven keys from one address).
 */
export function createAuthenticator(findKeyOwner: (keyId: KeyId) => Promise<KeyOwner | undefined>) {
  const strangers = new TokenBuckets();
  const apps = new TokenBuckets();
  // Keys that have worked in this process pass an address whose tries are used up: somebody else's guessing from
  // behind the same proxy must not lock them out. They are looked up like all others.
  const proven = new Set<string>();

  return async (authorization: string | null, address: string): Promise<App> => {
    const { keyId, secretSha256 } = readCredentials(authorization);
    const proof = `${keyId}.${secretSha256.toString('base64')}`;
    const isNew = !proven.has(proof);
    if (isNew && !strangers.take(address, STRANGERS)) {
      throw new ServiceError('RATE_LIMITED', 'Too many tries from this address.', { retryAfterSeconds: 1 });
    }
    const owner = await findKeyOwner(keyId);
    if (owner === undefined || !owner.usable || !timingSafeEqual(owner.secretSha256, secretSha256)) {
      proven.delete(proof);
      throw unauthenticated();
    }
    if (isNew) strangers.giveBack(address, STRANGERS); // Counted until it was known, so that guesses at once are bounded.
    if (proven.size >= MAX_PROVEN) proven.clear();
    proven.add(proof);

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
