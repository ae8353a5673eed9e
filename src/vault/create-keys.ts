import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';

/** The vault's key sets as JSON Web Key Sets, by environment variable. */
type KeySets = Readonly<
  Record<
    'VAULT_GRANT_KEYS' | 'VAULT_EDGE_KEYS' | 'VAULT_MAC_KEYS' | 'VAULT_INBOX_PUBLIC_KEYS' | 'VAULT_INBOX_PRIVATE_KEYS',
    string
  >
>;

/** Creates key sets of one key each. A key id starts with `mark`, names the purpose and the day, and is unique. */
export async function createKeySets(mark = ''): Promise<KeySets> {
  const inbox = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256', extractable: true });
  const inboxKid = newKid(mark, 'inbox'); // Both halves have the same id, by which an opener finds its half.
  return {
    VAULT_GRANT_KEYS: symmetricSet(newKid(mark, 'grant')),
    VAULT_EDGE_KEYS: symmetricSet(newKid(mark, 'edge')),
    VAULT_MAC_KEYS: symmetricSet(newKid(mark, 'mac')),
    VAULT_INBOX_PUBLIC_KEYS: keySet(inboxKid, await exportJWK(inbox.publicKey)),
    VAULT_INBOX_PRIVATE_KEYS: keySet(inboxKid, await exportJWK(inbox.privateKey)),
  };
}

const newKid = (mark: string, purpose: string) =>
  `${mark}${purpose}-${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;

const symmetricSet = (kid: string) => keySet(kid, { kty: 'oct', k: randomBytes(32).toString('base64url') });

const keySet = (kid: string, key: object) => JSON.stringify({ keys: [{ kid, ...key }] });
