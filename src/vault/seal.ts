import { FlattenedEncrypt } from 'jose';
import { type AssociatedData, encodeAssociatedData } from './associated-data.ts';
import { importKeys, type KeySet } from './keys.ts';

export type Seal = (text: string, associatedData: AssociatedData) => Promise<string>;

/**
 * Sealing for one purpose: authenticated encryption (JWE, AES-256-GCM) bound to the very associatedData it is stored in, so
 * that a value moved to another row or column does not open. Works with the public half of a key pair alone.
 */
export async function createSeal(keySet: KeySet): Promise<Seal> {
  const [current] = await importKeys(keySet);
  if (!current) throw new Error('A key set needs at least one key.');
  return async (text, associatedData) => {
    const jwe = await new FlattenedEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: current.alg, enc: 'A256GCM', kid: current.kid })
      .setAdditionalAuthenticatedData(encodeAssociatedData(associatedData))
      .encrypt(current.key);
    return [jwe.protected, jwe.encrypted_key, jwe.iv, jwe.ciphertext, jwe.tag].join('.');
  };
}
