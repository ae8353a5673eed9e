import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../basics/errors.ts';
import { AppId, KeyId, newId } from '../../basics/ids.ts';
import { askTogether } from '../driver/batches.ts';
import { type Database, inTransaction, type Json, type Sql, type Transaction } from '../driver/sql.ts';
import { createStatement } from '../driver/statement.ts';
import { hasRows } from '../rows.ts';
import { updateRow } from '../update-row.ts';
import { App } from './apps.ts';

const KeyOwner = App.extend({ secretSha256: z.instanceof(Buffer), usable: z.boolean() });
/** The app of a key. `usable` is false for a revoked or expired key. */
export type KeyOwner = z.infer<typeof KeyOwner>;

const selectOwners = createStatement(
  (sql, keyIds: Json) => sql`
    select asked.key_id, owner.*
    from jsonb_array_elements_text(${keyIds}) as asked (key_id) cross join lateral (
      select app_id, name, enabled, requests_per_second, secret_sha256,
        revoked_at is null and coalesce(expires_at > business_now(), true) as usable
      from app_key k join app using (app_id)
      where k.key_id = asked.key_id::uuid
      limit 1
    ) as owner
  `,
);

/** Runs on every request, so that a revoked key or a disabled app takes effect on the next one. */
export const findKeyOwner = askTogether(async (sql, keyIds: readonly KeyId[]): Promise<(KeyOwner | undefined)[]> => {
  const rows = await selectOwners(sql, sql.json([...new Set(keyIds)]));
  const owners = new Map(rows.map((row) => [row.keyId, KeyOwner.parse(row)]));
  return keyIds.map((keyId) => owners.get(keyId));
});

/**
 * Stores that the keys are in use: at most once a minute for each, so that the row stays quiet with many processes. It waits for no
 * other transaction; the holder of the row writes the same.
 */
export async function updateKeyLastUse(sql: Sql, keyIds: readonly KeyId[]): Promise<void> {
  await sql`
    update app_key set last_used_at = business_now()
    where key_id = any(array(
      select key_id from app_key
      where key_id = any(${[...keyIds]}::uuid[]) and coalesce(last_used_at <= business_now() - interval '1 minute', true)
      for no key update skip locked
    ))
  `;
}

/** JSON has instants as text. */
const instant = z.coerce.date();

export const Key = z.object({
  keyId: KeyId,
  label: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  /** At most two minutes before the last use. Null if it was never used. */
  lastUsedAt: instant.nullable(),
  active: z.boolean(),
});
export type AppKey = z.infer<typeof Key>;

export const keyJson = (sql: Sql) => sql`
  jsonb_build_object('keyId', key_id, 'label', label, 'createdAt', created_at, 'expiresAt', expires_at, 'revokedAt', revoked_at,
    'lastUsedAt', last_used_at, 'active', revoked_at is null and coalesce(expires_at > business_now(), true))
`;

const OwnedKey = z.object({ ...Key.shape, appId: AppId });

export async function findKey(sql: Sql, keyId: KeyId): Promise<z.infer<typeof OwnedKey> | undefined> {
  const [row] = await sql`select ${keyJson(sql)} as key, app_id from app_key where key_id = ${keyId}`;
  return row && OwnedKey.parse({ ...row.key, appId: row.appId });
}

export interface IssuedKey {
  readonly keyId: KeyId;
  /** `<key-id>.<secret>`: shown once and not stored. */
  readonly key: string;
}

const MAX_ACTIVE_KEYS = 2;

/** @throws ServiceError if two keys are active, so that one rotation ends before the next begins. */
export const issueKey = (
  sql: Database,
  appId: AppId,
  expiresAt: Date | null,
  label: string | null = null,
): Promise<IssuedKey> => inTransaction(sql, (tx) => insertKey(tx, appId, { expiresAt, label }));

/** The same, inside a transaction. */
export async function insertKey(
  tx: Transaction,
  appId: AppId,
  { expiresAt, label }: { expiresAt: Date | null; label: string | null },
): Promise<IssuedKey> {
  const keyId = newId<KeyId>();
  const secret = randomBytes(32).toString('hex');
  const apps = await tx`select from app where app_id = ${appId} for no key update`;
  if (apps.length === 0) throw new ServiceError('NOT_FOUND', 'There is no such app.');
  const active = await tx`
    select from app_key where app_id = ${appId} and revoked_at is null and coalesce(expires_at > business_now(), true)
  `;
  if (active.length >= MAX_ACTIVE_KEYS)
    throw new ServiceError('BAD_USER_INPUT', 'The app has two active keys: revoke one first.');
  await tx`
    insert into app_key (key_id, app_id, secret_sha256, label, expires_at)
    values (${keyId}, ${appId}, ${createHash('sha256').update(secret).digest()}, ${label}, ${expiresAt})
  `;
  return { keyId, key: `${keyId}.${secret}` };
}

/** @returns false if there is no such key. */
export const updateKeyLabel = (sql: Sql, keyId: KeyId, label: string | null): Promise<boolean> =>
  updateRow(sql, 'app_key', { keyId }, { label });

/** @returns false if there was no such active key. */
export async function revokeKey(sql: Sql, keyId: KeyId): Promise<boolean> {
  return await hasRows(sql)`
    update app_key set revoked_at = business_now() where key_id = ${keyId} and revoked_at is null
  `;
}
