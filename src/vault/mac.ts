import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeySet } from './keys.ts';

/** Keyed hashes. Each covers its purpose, so that a hash for one purpose is never valid for another. */
export interface Mac {
  /** The MAC with the current key; 32 bytes. */
  of(purpose: string, ...parts: readonly string[]): Buffer;
  /** The MACs with every configured key, the current one first, to find hashes of older keys. */
  allOf(purpose: string, ...parts: readonly string[]): Buffer[];
  /** In constant time, against every key. */
  verify(mac: Buffer, purpose: string, ...parts: readonly string[]): boolean;
}

export function createMac({ keys }: KeySet): Mac {
  const secrets = keys.map(({ kid, k }) => {
    if (typeof k !== 'string' || k.length < 43)
      throw new Error(`MAC key ${kid} must be an "oct" key of at least 256 bits.`);
    return Buffer.from(k, 'base64url');
  });
  const hash = (secret: Buffer, parts: readonly string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
  const allOf = (...parts: readonly string[]) => secrets.map((secret) => hash(secret, parts));
  return {
    of: (...parts) => {
      const [current] = secrets;
      if (!current) throw new Error('A key set needs at least one key.');
      return hash(current, parts);
    },
    allOf,
    verify: (mac, ...parts) => allOf(...parts).some((own) => own.length === mac.length && timingSafeEqual(own, mac)),
  };
}
