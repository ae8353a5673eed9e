import type { DevelopmentKeys } from '../../local/src/development-keys.ts';
import { createInProcessAdmin } from '../../src/api/admin/in-process.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Options } from '../../src/cli/shape.ts';
import { readConfig } from '../../src/config/config.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createSeal } from '../../src/vault/seal.ts';
import type { Database } from './postgres.ts';

export interface Outcome {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another object.
  readonly printed: any;
  /** Its other output for the operator. */
  readonly told: readonly string[];
}

type Parts = Parameters<typeof createInProcessAdmin>[0];

/** The parts of an admin API in this process, without Temporal. */
export const createParts = async (sql: Database, keys: DevelopmentKeys, connectUrl: string): Promise<Parts> => ({
  config: { DEPLOYMENT: 'development', CONNECT_URL: connectUrl },
  sql,
  facts: createCatalog(readConfig('trial')),
  mac: createMac(JSON.parse(keys.VAULT_MAC_KEYS)),
  sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
  sealEdge: await createSeal(JSON.parse(keys.VAULT_EDGE_KEYS)),
  suspendSiblings: false,
  askWorkflow: async () => ({ state: 'NOT_KNOWN' }),
  testIssuer: async () => undefined,
  countFailing: async () => null,
  askWorkers: async () => ({ state: 'NOT_KNOWN', seenAt: null }),
  deliver: async () => undefined,
});

/** Runs a command as the built program does, in this process. @throws its refusal */
export async function performCommand(parts: Parts, name: string, options: Options, input = ''): Promise<Outcome> {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`There is no command "${name}".`);
  let printed = '';
  const told: string[] = [];
  const code = await runCommand(name, command, { ...options, json: true }, () => createInProcessAdmin(parts), {
    readLine: async () => input,
    askName: undefined,
    print: (text) => {
      printed += text;
    },
    warn: (text) => void told.push(text),
  });
  return { code, printed: JSON.parse(printed), told };
}
