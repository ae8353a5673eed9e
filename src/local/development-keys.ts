import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';
import { DEVELOPMENT_KEY_PREFIX } from '../config.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

/** Secrets of one local stack. The vault's are JSON Web Key Sets, as text, by the variable that carries them. */
const DevelopmentKeys = z.object({
  databasePassword: z.string(),
  VAULT_GRANT_KEYS: z.string(),
  VAULT_EDGE_KEYS: z.string(),
  VAULT_MAC_KEYS: z.string(),
  VAULT_INBOX_PUBLIC_KEYS: z.string(),
  VAULT_INBOX_PRIVATE_KEYS: z.string(),
});
export type DevelopmentKeys = z.infer<typeof DevelopmentKeys>;

/** Made once for each `.local` folder: what they have sealed is in the database beside them. */
export async function developmentKeys(folder: string): Promise<DevelopmentKeys> {
  const file = path.join(folder, 'keys.json');
  const kept = readPrivateJson(file, DevelopmentKeys);
  if (kept !== undefined) return kept;
  const keys = await makeKeys();
  writePrivateJson(file, keys);
  return keys;
}

export async function makeKeys(): Promise<DevelopmentKeys> {
  const inbox = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256', extractable: true });
  return {
    databasePassword: randomBytes(24).toString('base64url'),
    VAULT_GRANT_KEYS: symmetricSet('grant'),
    VAULT_EDGE_KEYS: symmetricSet('edge'),
    VAULT_MAC_KEYS: symmetricSet('mac'),
    VAULT_INBOX_PUBLIC_KEYS: keySet('inbox', await exportJWK(inbox.publicKey)),
    VAULT_INBOX_PRIVATE_KEYS: keySet('inbox', await exportJWK(inbox.privateKey)),
  };
}

const symmetricSet = (purpose: string) => keySet(purpose, { kty: 'oct', k: randomBytes(32).toString('base64url') });

/** Production refuses keys of this mark. */
const keySet = (purpose: string, key: object) =>
  JSON.stringify({ keys: [{ kid: `${DEVELOPMENT_KEY_PREFIX}${purpose}-1`, ...key }] });
