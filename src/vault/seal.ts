import { FlattenedEncrypt } from 'jose';
import { type AssociatedData, encodeAssociatedData } from './associated-data.ts';
import { importKeys, type KeySet } from './keys.ts';

export type Seal = (text: string, associatedData: AssociatedData) => Promise<string>;

/**
 * Seals values of one purpose with authenticated encryption (JWE, AES-256-GCM) bound to table, column and row, so that
 * a value moved elsewhere does not open. Works with the public half of a key pair alone.
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
