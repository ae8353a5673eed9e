import type { KeySet } from './values.ts';

type Key = KeySet['keys'][number];
/** The kind of a variable's keys. `wrapping` keys are for A256KW (RFC 7518, 4.4), which fixes their length. */
type Kind = 'wrapping' | 'mac' | 'public' | 'private';

const KINDS: Readonly<Record<string, Kind>> = {
  VAULT_GRANT_KEYS: 'wrapping',
  VAULT_EDGE_KEYS: 'wrapping',
  VAULT_MAC_KEYS: 'mac',
  VAULT_INBOX_PUBLIC_KEYS: 'public',
  VAULT_INBOX_PRIVATE_KEYS: 'private',
};
const KEY_BYTES = 32;
/** 32 random bytes have about 30 different values; the chance of fewer than 16 is 1 in 10^21. */
const LEAST_DISTINCT_BYTES = 16;
const NEW_KEYS = 'create new ones with `keys create`';

/** Lists the faults of the key sets in a configuration; names variables, never a key. */
export function listKeyFaults(config: Readonly<Record<string, unknown>>): string[] {
  const sets = Object.entries(KINDS).flatMap(([name, kind]) => {
    const set = config[name] as KeySet | undefined;
    return set === undefined ? [] : [{ name, kind, keys: set.keys }];
  });
  return [...sets.flatMap(({ name, kind, keys }) => setFaults(name, kind, keys)), ...sharedFaults(sets)];
}

function setFaults(name: string, kind: Kind, keys: readonly Key[]): string[] {
  const faults = keys.flatMap((key) => keyFault(kind, key) ?? []).map((fault) => `${name} ${fault}`);
  const names = keys.map(({ kid }) => kid);
  if (new Set(names).size < names.length) faults.push(`${name} holds two keys with one kid: give each its own`);
  return faults;
}

function keyFault(kind: Kind, key: Key): string | undefined {
  if (kind === 'public' || kind === 'private') return pairFault(kind, key);
  const bytes = secretOf(key);
  if (bytes === undefined) return `holds a key that is not of type oct: ${NEW_KEYS}`;
  const isLong = kind === 'mac' ? bytes.length >= KEY_BYTES : bytes.length === KEY_BYTES;
  if (!isLong) return `holds a key that is not 256 bits long: ${NEW_KEYS}`;
  return isGuessable(bytes) ? `holds a key that is not random: ${NEW_KEYS}` : undefined;
}

function pairFault(kind: 'public' | 'private', { kty, crv, x, y, d }: Key): string | undefined {
  const isOnCurve = kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string';
  if (!isOnCurve) return `holds a key that is not of type EC on P-256: ${NEW_KEYS}`;
  if (kind === 'public' && d !== undefined) return 'holds a private key: give only the public half, without d';
  if (kind === 'private' && typeof d !== 'string') return 'holds a public key: give the private half, with d';
  return undefined;
}

/** Refuses a key with two purposes: it could open for one purpose a value sealed for the other. */
function sharedFaults(sets: readonly { name: string; keys: readonly Key[] }[]): string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const { name, keys } of sets) {
    for (const secret of new Set(keys.flatMap((key) => secretOf(key)?.toString('base64') ?? []))) {
      const owner = owners.get(secret);
      if (owner !== undefined) faults.push(`${name} and ${owner} hold the same key: each needs its own`);
      owners.set(secret, name);
    }
  }
  return faults;
}

const secretOf = ({ kty, k }: Key): Buffer | undefined =>
  kty === 'oct' && typeof k === 'string' ? Buffer.from(k, 'base64url') : undefined;

/** Whether a person may have typed the key or derived it from a word. */
const isGuessable = (bytes: Buffer): boolean =>
  new Set(bytes).size < LEAST_DISTINCT_BYTES || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
