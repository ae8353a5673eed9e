import { z } from 'zod';
import { IssuerId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, findRow, getValue, listRows } from '../rows.ts';
import { updateRow } from '../update-row.ts';

const Issuer = z.object({
  issuerId: IssuerId,
  issuer: z.string(),
  clientId: z.string(),
  tokenAuthMethod: z.enum(['client_secret_post', 'client_secret_basic']),
  createdAt: z.date(),
  secretSetAt: z.date(),
  secretExpiresAt: z.date().nullable(),
});
/** An OpenID issuer without our secret. */
export type KnownIssuer = z.infer<typeof Issuer>;

const columns = columnsOf('identity_issuer', Issuer, {
  secretSetAt: (sql) => sql`coalesce(secret_set_at, created_at)`,
});

/** Oldest first. */
export async function listIssuers(sql: Sql): Promise<KnownIssuer[]> {
  return await listRows(sql, Issuer)`select ${columns(sql)} from identity_issuer order by created_at, issuer_id`;
}

export async function findKnownIssuer(sql: Sql, issuerId: IssuerId): Promise<KnownIssuer | undefined> {
  return await findRow(sql, Issuer)`select ${columns(sql)} from identity_issuer where issuer_id = ${issuerId}`;
}

export async function updateIssuerSecret(
  sql: Sql,
  issuerId: IssuerId,
  secret: { sealed: string; expiresAt: Date | null },
): Promise<boolean> {
  const changes = {
    sealedClientSecret: secret.sealed,
    secretSetAt: sql`business_now()`,
    secretExpiresAt: secret.expiresAt,
  };
  return await updateRow(sql, 'identity_issuer', { issuerId }, changes);
}

/** @returns false if an app uses it, or a sign-in with it began within the last minutes. */
export const deleteUnusedIssuer = (sql: Sql, issuerId: IssuerId): Promise<boolean> =>
  getValue(sql, z.boolean())`select delete_unused_issuer(${issuerId})`;
