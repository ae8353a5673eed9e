import type { DevelopmentKeys } from '../../local/src/development-keys.ts';

/** The sets of keys that are replaced in turn. */
export const KEY_SETS = [
  'VAULT_GRANT_KEYS',
  'VAULT_EDGE_KEYS',
  'VAULT_MAC_KEYS',
  'VAULT_INBOX_PUBLIC_KEYS',
  'VAULT_INBOX_PRIVATE_KEYS',
] as const;
type SetName = (typeof KEY_SETS)[number];

/** A key of a set. */
interface Key {
  readonly kid: string;
}

const readSet = (keys: DevelopmentKeys, name: SetName): readonly Key[] => JSON.parse(keys[name]).keys;

/**
 * Every set, with the keys that `choose` takes from the old ones and the new one.
 * @param mark makes the new key's id unlike those before.
 */
export function combineKeys(
  old: DevelopmentKeys,
  fresh: DevelopmentKeys,
  mark: string,
  choose: (set: SetName, old: readonly Key[], fresh: Key) => readonly Key[],
): DevelopmentKeys {
  const sets = KEY_SETS.map((name) => {
    const [key] = readSet(fresh, name);
    if (key === undefined) throw new Error(`${name} is empty.`);
    return [name, JSON.stringify({ keys: choose(name, readSet(old, name), { ...key, kid: `${key.kid}-${mark}` }) })];
  });
  return { ...old, ...Object.fromEntries(sets) };
}
