import { readConfig } from '../config/config.ts';
import type { KeySet } from '../config/values.ts';
import { type Database, openDatabase } from '../store/driver/sql.ts';
import { listSealedValues, type SealedColumn, updateSealedValue } from '../store/sealed.ts';
import { createOpen, keyIdOf } from '../vault/open.ts';
import { createSeal } from '../vault/seal.ts';
import { formatJson } from './format.ts';
import { type CommandHead, readOptions } from './read-options.ts';
import { requireFreshDatabase } from './require-fresh-database.ts';
import { requireRights } from './require-rights.ts';
import { runAudited } from './run-audited.ts';

export const RESEAL_COMMAND: CommandHead = {
  usage: 'secrets reseal [--dry-run]',
  summary:
    'Seal all secrets with the current keys while the service runs, and print how many values each key still seals.\n' +
    "      Needs the worker's keys and the role accounts_maintenance.",
  options: { 'dry-run': { type: 'boolean' } },
};

type Purpose = 'VAULT_GRANT_KEYS' | 'VAULT_INBOX_PRIVATE_KEYS' | 'VAULT_EDGE_KEYS';

/** Every column with sealed values, by the keys that seal them. @internal */
export const SEALED_COLUMNS: Readonly<Record<Purpose, readonly SealedColumn[]>> = {
  VAULT_GRANT_KEYS: [
    { table: 'account_grant', column: 'sealed_tokens', id: 'grant_id' },
    { table: 'disconnect_job', column: 'sealed_tokens', id: 'job_id' },
  ],
  VAULT_INBOX_PRIVATE_KEYS: [
    { table: 'registration', column: 'sealed_client_secret', id: 'registration_id' },
    { table: 'identity_issuer', column: 'sealed_client_secret', id: 'issuer_id' },
    { table: 'connect_attempt', column: 'sealed_code_verifier', id: 'attempt_id' },
    { table: 'connect_attempt', column: 'sealed_code', id: 'attempt_id' },
    { table: 'identity_attempt', column: 'sealed_nonce', id: 'attempt_id' },
    { table: 'identity_attempt', column: 'sealed_code_verifier', id: 'attempt_id' },
    { table: 'identity_attempt', column: 'sealed_code', id: 'attempt_id' },
  ],
  VAULT_EDGE_KEYS: [
    { table: 'platform_callback_secret', column: 'sealed_secret', id: 'secret_id' },
    { table: 'webhook_secret', column: 'sealed_secret', id: 'secret_id' },
    { table: 'identity_attempt', column: 'sealed_claims', id: 'attempt_id' },
  ],
};

const BATCH = 500;

/** How many values of a column a key seals, and how many of them were resealed. */
export interface KeyUse {
  readonly keys: Purpose;
  readonly column: string;
  readonly keyId: string;
  /** At the end. */
  count: number;
  resealed: number;
  /** How many of them no configured key opens. They stay as they are. */
  unopened: number;
}

/** Reseals every value that an older key of its set has sealed, or only counts them. @internal */
export async function reseal(
  sql: Database,
  keySets: Readonly<Record<Purpose, KeySet>>,
  { dryRun }: { dryRun: boolean },
): Promise<KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const [purpose, columns] of Object.entries(SEALED_COLUMNS) as [Purpose, readonly SealedColumn[]][]) {
    const open = await createOpen(keySets[purpose]);
    const seal = await createSeal(publicHalf(keySets[purpose]));
    const current = keySets[purpose].keys[0]?.kid ?? '';
    for (const column of columns) {
      const use = (keyId: string): KeyUse => {
        const name = `${column.table}.${column.column}`;
        const known = uses.find((one) => one.keys === purpose && one.column === name && one.keyId === keyId);
        if (known !== undefined) return known;
        const fresh = { keys: purpose, column: name, keyId, count: 0, resealed: 0, unopened: 0 };
        uses.push(fresh);
        return fresh;
      };
      for await (const value of valuesOf(sql, column)) {
        const keyId = nameKeyOf(value.sealed);
        if (keyId === current || dryRun) {
          use(keyId).count += 1;
          continue;
        }
        const bound = { table: column.table, column: column.column, row: value.id };
        const opened = await open(value.sealed, bound).catch(() => undefined);
        if (opened === undefined) {
          use(keyId).count += 1;
          use(keyId).unopened += 1;
          continue; // One damaged value must not keep the others under an old key.
        }
        const sealed = await seal(opened.reveal(), bound);
        if (!(await updateSealedValue(sql, column, value, sealed))) continue; // Changed meanwhile, under the current key.
        use(keyId).resealed += 1;
        use(current).count += 1;
      }
    }
  }
  return uses;
}

/** `unknown` for a damaged value. */
function nameKeyOf(sealed: string): string {
  try {
    return keyIdOf(sealed);
  } catch {
    return 'unknown';
  }
}

async function* valuesOf(sql: Database, column: SealedColumn) {
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof listSealedValues>> = await listSealedValues(sql, column, {
      limit: BATCH,
      after,
    });
    yield* page;
    after = page.at(-1)?.id ?? null;
    if (page.length < BATCH) return;
  }
}

/** Removes the private half of key pairs: sealing needs only the public half. */
const publicHalf = ({ keys }: KeySet): KeySet => ({
  keys: keys.map(({ d: _private, ...key }) => ({ ...key, kid: key.kid, kty: key.kty })),
});

/** Runs the command and records it in the audit log, even if refused. */
export async function runReseal(args: readonly string[]): Promise<void> {
  const config = readConfig('reseal');
  const sql = openDatabase(config.DATABASE_URL, { poolSize: 2, applicationName: 'cli', files: config });
  try {
    await requireRights(sql);
    await runAudited(sql, 'secrets reseal', async () => {
      const { json, 'dry-run': dryRun = false } = readOptions(RESEAL_COMMAND, args);
      await requireFreshDatabase(sql, config);
      const uses = await reseal(sql, config, { dryRun: dryRun === true });
      const lines = uses.map(
        ({ keys, column, keyId, count, resealed, unopened }) =>
          `${keys} ${keyId}: seals ${count} of ${column}, ${resealed} resealed${unopened === 0 ? '' : `, ${unopened} that no key opens`}\n`,
      );
      if (uses.some(({ unopened }) => unopened > 0)) process.exitCode = 1;
      const print = () => void process.stdout.write(json === true ? formatJson(uses) : lines.join(''));
      return { target: null, dryRun: dryRun === true, print };
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
