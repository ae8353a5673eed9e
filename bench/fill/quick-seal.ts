import { createCipheriv, randomBytes } from 'node:crypto';
import { encodeAssociatedData } from '../../src/vault/associated-data.ts';
import type { KeySet } from '../../src/vault/keys.ts';
import type { Seal } from '../../src/vault/seal.ts';

/** The initial value of AES Key Wrap (RFC 3394, section 2.2.3.1). */
const WRAP_IV = Buffer.alloc(8, 0xa6);

/**
 * Seals in the vault's format, a JWE with A256KW and A256GCM (RFC 7518), thirty times as fast: for a million generated
 * tokens. A test opens them with the vault.
 */
export function createQuickSeal({ keys: [current] }: KeySet): Seal {
  if (typeof current?.k !== 'string') throw new Error('A grant key must be an "oct" key.');
  const key = Buffer.from(current.k, 'base64url');
  const header = Buffer.from(JSON.stringify({ alg: 'A256KW', enc: 'A256GCM', kid: current.kid })).toString('base64url');
  return async (text, place) => {
    const [contentKey, iv] = [randomBytes(32), randomBytes(12)];
    const wrap = createCipheriv('id-aes256-wrap', key, WRAP_IV);
    const wrapped = Buffer.concat([wrap.update(contentKey), wrap.final()]);
    const cipher = createCipheriv('aes-256-gcm', contentKey, iv);
    cipher.setAAD(Buffer.from(`${header}.${Buffer.from(encodeAssociatedData(place)).toString('base64url')}`));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const parts = [wrapped, iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return [header, ...parts].join('.');
  };
}
