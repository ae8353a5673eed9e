import { createKeySets } from '../vault/create-keys.ts';
import { type CommandHead, readOptions } from './read-options.ts';

export const KEYS_COMMAND: CommandHead = {
  usage: 'keys create',
  summary:
    'Create new keys for the vault and print them as lines of an environment file; needs no configuration, stores nothing',
  options: {},
};

/** Prints new key sets: as `NAME='value'` for a shell or an environment file, or as one JSON object. */
export async function printNewKeys(args: readonly string[]): Promise<void> {
  const { json } = readOptions(KEYS_COMMAND, args);
  const sets = await createKeySets();
  const lines = Object.entries(sets).map(([name, set]) => `${name}='${set}'`); // JSON of base64url holds no quote.
  process.stdout.write(json === true ? `${JSON.stringify(sets)}\n` : `${lines.join('\n')}\n`);
}
