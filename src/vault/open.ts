import { decodeProtectedHeader, flattenedDecrypt } from 'jose';
import { Secret } from '../basics/secret.ts';
import { type AssociatedData, encodeAssociatedData } from './associated-data.ts';
import { importKeys, type KeySet } from './keys.ts';

export type Open = (sealed: string, associatedData: AssociatedData) => Promise<Secret>;

/**
 * A sealed value does not open: an unknown key, other associated data, or altered text. The message does not reveal which.
 * @internal
 */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Opens values of one purpose, with any key of the set. */
export async function createOpen(keySet: KeySet): Promise<Open> {
  const keys = new Map((await importKeys(keySet)).map((key) => [key.kid, key]));
  return async (sealed, associatedData) => {
    try {
      const [header, encryptedKey, iv, ciphertext, tag] = sealed.split('.');
      if (!header || !iv || ciphertext === undefined || !tag) throw new SealBroken('Not a sealed value.');
      const key = keys.get(String(decodeProtectedHeader({ protected: header }).kid));
      if (!key) throw new SealBroken('Sealed with a key that is not configured.');
      const { plaintext } = await flattenedDecrypt(
        {
          protected: header,
          encrypted_key: encryptedKey ?? '',
          iv,
          ciphertext,
          tag,
          aad: Buffer.from(encodeAssociatedData(associatedData)).toString('base64url'),
        },
        key.key,
        { keyManagementAlgorithms: [key.alg], contentEncryptionAlgorithms: ['A256GCM'] },
      );
      return new Secret(new TextDecoder().decode(plaintext));
    } catch (error) {
      if (error instanceof SealBroken) throw error;
      throw new SealBroken('The sealed value does not open.');
    }
  };
}

/** The id of the key that sealed a value. @throws SealBroken if the text is not sealed. */
export function keyIdOf(sealed: string): string {
  try {
    return String(decodeProtectedHeader({ protected: sealed.slice(0, sealed.indexOf('.')) }).kid);
  } catch {
    throw new SealBroken('Not a sealed value.');
  }
}
