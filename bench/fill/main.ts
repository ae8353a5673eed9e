import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadDevelopmentKeys } from '../../local/src/development-keys.ts';
import { readPrivateJson } from '../../local/src/private-file.ts';
import { say } from '../../local/src/screen.ts';
import { FOLDER, STACK_FILE } from '../../local/src/stack.ts';
import { Secret } from '../../src/basics/secret.ts';
import { openDatabase } from '../../src/store/driver/sql.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { fill } from './fill.ts';
import { createQuickSeal } from './quick-seal.ts';
import type { FillKeys, FillSizes } from './world.ts';

const USAGE = `npm run fill -- [--connections N] [--posts N] [--jobs N] [--due N] [--seed N]

Fills a development database as a year of use would have: the one of the local stack, or that of DATABASE_URL, with its
VAULT_GRANT_KEYS, VAULT_MAC_KEYS and VAULT_INBOX_PUBLIC_KEYS and DEPLOYMENT=development. What is there stays.`;

/** `npm run fill`: generates rows for measurements. */
async function main(): Promise<void> {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { connections: number, posts: number, jobs: number, due: number, seed: number, help: { type: 'boolean' } },
  });
  if (values.help) return say(USAGE);
  const { databaseUrl, keys } = await findDatabase();
  const sql = openDatabase(new Secret(databaseUrl), { poolSize: 4, applicationName: 'fill' });
  try {
    const startedAtMs = performance.now();
    const { key, tenantKey } = await fill(sql, Sizes.parse(values), keys, say);
    say(
      `Filled in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s. The app's key: ${key}, its tenant: ${tenantKey}.`,
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const count = z.coerce.number().int().nonnegative();
const Sizes = z.object({
  connections: count.min(1).default(10_000),
  posts: count.default(100_000),
  jobs: count.default(2_000),
  due: count.default(1_000),
  seed: count.default(1),
}) satisfies z.ZodType<FillSizes, unknown>;

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

async function findDatabase(): Promise<{ databaseUrl: string; keys: FillKeys }> {
  const { DATABASE_URL, DEPLOYMENT } = process.env;
  if (DATABASE_URL !== undefined) {
    if (DEPLOYMENT !== 'development')
      throw new Error('DEPLOYMENT must be "development": fill never runs in production.');
    if (!LOOPBACK_HOSTS.includes(new URL(DATABASE_URL).hostname))
      throw new Error('DATABASE_URL must name a database on this machine.');
    return { databaseUrl: DATABASE_URL, keys: await fillKeys(process.env) };
  }
  const stack = existsSync(STACK_FILE) ? readPrivateJson(STACK_FILE, z.object({ databaseUrl: z.string() })) : undefined;
  if (stack === undefined) throw new Error('No stack is running. Start one with "npm start", or set DATABASE_URL.');
  return { databaseUrl: stack.databaseUrl, keys: await fillKeys({ ...(await loadDevelopmentKeys(FOLDER)) }) };
}

const KeySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });
const Keys = z.object({ VAULT_GRANT_KEYS: KeySet, VAULT_MAC_KEYS: KeySet, VAULT_INBOX_PUBLIC_KEYS: KeySet });

async function fillKeys(given: Readonly<Record<string, string | undefined>>): Promise<FillKeys> {
  const keys = Keys.parse(
    Object.fromEntries(Object.keys(Keys.shape).map((name) => [name, JSON.parse(given[name] ?? 'null')])),
  );
  return {
    sealGrant: createQuickSeal(keys.VAULT_GRANT_KEYS),
    sealInbox: await createSeal(keys.VAULT_INBOX_PUBLIC_KEYS),
    mac: createMac(keys.VAULT_MAC_KEYS),
  };
}

await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
