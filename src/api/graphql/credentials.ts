import { hash } from 'node:crypto';
import { ServiceError } from '../../basics/errors.ts';
import { asId, type KeyId } from '../../basics/ids.ts';

export interface Credentials {
  readonly keyId: KeyId;
  /** SHA-256 over the 64 hexadecimal characters as the caller sent them. */
  readonly secretSha256: Buffer;
}

const BEARER = /^Bearer ([0-9a-f-]{36})\.([0-9a-f]{64})$/i;
const SCHEME = 'Bearer ';

/**
 * Reads `Bearer <uuid>.<64 hex>`. The key id may be in either case. The secret must be in the case we issued.
 * @throws ServiceError `UNAUTHENTICATED` for anything else.
 */
export function readCredentials(authorization: string | null): Credentials {
  const credentials = findCredentials(authorization);
  if (credentials === undefined) throw unauthenticated();
  return credentials;
}

/** @returns undefined for anything else. */
export function findCredentials(authorization: string | null): Credentials | undefined {
  const [, id = '', secret = ''] = (authorization?.startsWith(SCHEME) && BEARER.exec(authorization)) || [];
  const keyId = asId<KeyId>(id);
  return keyId && { keyId, secretSha256: hash('sha256', secret, 'buffer') };
}

/** The same answer for a missing, malformed, unknown, revoked or expired key, so that a guess reveals nothing. */
export const unauthenticated = () =>
  new ServiceError('UNAUTHENTICATED', 'This needs a valid application key, sent as "Authorization: Bearer <key>".');
