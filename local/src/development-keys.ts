import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { DEVELOPMENT_KEY_PREFIX } from '../../src/config/production.ts';
import { createKeySets } from '../../src/vault/create-keys.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

/** Secrets of one local stack. The vault's secrets are JSON Web Key Sets as text, by environment variable. */
const DevelopmentKeys = z.object({
  databasePassword: z.string(),
  VAULT_GRANT_KEYS: z.string(),
  VAULT_EDGE_KEYS: z.string(),
  VAULT_MAC_KEYS: z.string(),
  VAULT_INBOX_PUBLIC_KEYS: z.string(),
  VAULT_INBOX_PRIVATE_KEYS: z.string(),
});
export type DevelopmentKeys = z.infer<typeof DevelopmentKeys>;

/** Loads the keys of this `.local` folder, or creates them once. The database in the same folder is sealed with them. */
export async function loadDevelopmentKeys(folder: string): Promise<DevelopmentKeys> {
  const file = path.join(folder, 'keys.json');
  const kept = readPrivateJson(file, DevelopmentKeys);
  if (kept !== undefined) return kept;
  const keys = await makeKeys();
  writePrivateJson(file, keys);
  return keys;
}

export async function makeKeys(): Promise<DevelopmentKeys> {
  const databasePassword = randomBytes(24).toString('base64url');
  return { databasePassword, ...(await createKeySets(DEVELOPMENT_KEY_PREFIX)) };
}
