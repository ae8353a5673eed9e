import { createKeySets } from '../vault/create-keys.ts';

export const KEYS_USAGE = `  keys create
      Make new keys for the vault, as lines of an environment file; needs no configuration, keeps nothing`;

/** Prints new key sets: as `NAME='value'` for a shell or an environment file, or as one JSON object. */
export async function printNewKeys({ json }: { json: boolean }): Promise<void> {
  const sets = await createKeySets();
  const lines = Object.entries(sets).map(([name, set]) => `${name}='${set}'`); // JSON of base64url holds no quote.
  process.stdout.write(json ? `${JSON.stringify(sets)}\n` : `${lines.join('\n')}\n`);
}
