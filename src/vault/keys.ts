import { type CryptoKey, importJWK, type JWK } from 'jose';

/** A configured JSON Web Key Set. The first key seals; every key opens. */
export interface KeySet {
  readonly keys: readonly (JWK & { kid: string })[];
}

interface VaultKey {
  readonly kid: string;
  readonly key: CryptoKey | Uint8Array;
  /** JWE key management: AES key wrap for symmetric keys, ECDH if the sealing side must not be able to open. */
  readonly alg: 'A256KW' | 'ECDH-ES+A256KW';
}

/** @throws Error that names the key id, never the key. */
export async function importKeys({ keys }: KeySet): Promise<readonly VaultKey[]> {
  return await Promise.all(
    keys.map(async ({ kid, ...jwk }) => {
      const alg = jwk.kty === 'oct' ? 'A256KW' : 'ECDH-ES+A256KW';
      try {
        return { kid, alg, key: await importJWK({ ...jwk, alg }, alg) } as const;
      } catch {
        throw new Error(`Vault key ${kid} is not a usable JSON Web Key.`);
      }
    }),
  );
}
