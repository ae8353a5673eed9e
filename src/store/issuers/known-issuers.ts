import { z } from 'zod';
import { IssuerId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, findRow, getValue, hasRows, listRows } from '../rows.ts';

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
  return await hasRows(sql)`
    update identity_issuer set sealed_client_secret = ${secret.sealed}, secret_set_at = business_now(),
      secret_expires_at = ${secret.expiresAt}
    where issuer_id = ${issuerId}
  `;
}

/** @returns false if an app uses it, or a sign-in with it began within the last minutes. */
export const deleteUnusedIssuer = (sql: Sql, issuerId: IssuerId): Promise<boolean> =>
  getValue(sql, z.boolean())`select delete_unused_issuer(${issuerId})`;

export async function updateIssuerSecretExpiry(sql: Sql, issuerId: IssuerId, expiresAt: Date | null): Promise<void> {
  await sql`update identity_issuer set secret_expires_at = ${expiresAt} where issuer_id = ${issuerId}`;
}
