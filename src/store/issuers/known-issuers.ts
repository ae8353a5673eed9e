import { z } from 'zod';
import { IssuerId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';

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

const issuerColumns = (sql: Sql) => sql`
  issuer_id, issuer, client_id, token_auth_method, created_at, coalesce(secret_set_at, created_at) as secret_set_at,
  secret_expires_at
`;

/** Oldest first. */
export async function listIssuers(sql: Sql): Promise<KnownIssuer[]> {
  const rows = await sql`select ${issuerColumns(sql)} from identity_issuer order by created_at, issuer_id`;
  return rows.map((row) => Issuer.parse(row));
}

export async function findKnownIssuer(sql: Sql, issuerId: IssuerId): Promise<KnownIssuer | undefined> {
  const [row] = await sql`select ${issuerColumns(sql)} from identity_issuer where issuer_id = ${issuerId}`;
  return row && Issuer.parse(row);
}

export async function updateIssuerSecret(
  sql: Sql,
  issuerId: IssuerId,
  secret: { sealed: string; expiresAt: Date | null },
): Promise<boolean> {
  const { count } = await sql`
    update identity_issuer set sealed_client_secret = ${secret.sealed}, secret_set_at = business_now(),
      secret_expires_at = ${secret.expiresAt}
    where issuer_id = ${issuerId}
  `;
  return count > 0;
}

export async function updateIssuerSecretExpiry(sql: Sql, issuerId: IssuerId, expiresAt: Date | null): Promise<void> {
  await sql`update identity_issuer set secret_expires_at = ${expiresAt} where issuer_id = ${issuerId}`;
}
