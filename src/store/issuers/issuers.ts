import { z } from 'zod';
import { IssuerId, newId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { columnsOf, findRow } from '../rows.ts';

const Issuer = z.object({
  issuerId: IssuerId,
  /** Exactly as the issuer spells its own URL. */
  issuer: z.string(),
  clientId: z.string(),
  sealedClientSecret: z.string(),
  tokenAuthMethod: z.enum(['client_secret_post', 'client_secret_basic']),
});
/** An OpenID Connect issuer and our client there. */
export type Issuer = z.infer<typeof Issuer>;

const columns = columnsOf('identity_issuer', Issuer);

export async function findIssuer(sql: Sql, issuerId: IssuerId): Promise<Issuer | undefined> {
  return await findRow(sql, Issuer)`select ${columns(sql)} from identity_issuer where issuer_id = ${issuerId}`;
}

/** @param seal seals the client secret for the new issuer's id. */
export async function insertIssuer(
  sql: Sql,
  issuer: Pick<Issuer, 'issuer' | 'clientId' | 'tokenAuthMethod'> & { secretExpiresAt?: Date | null },
  seal: (issuerId: IssuerId) => Promise<string>,
): Promise<IssuerId> {
  const issuerId = newId<IssuerId>();
  await sql`
    insert into identity_issuer (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method, secret_expires_at)
    values (${issuerId}, ${issuer.issuer}, ${issuer.clientId}, ${await seal(issuerId)}, ${issuer.tokenAuthMethod},
      ${issuer.secretExpiresAt ?? null})
  `;
  return issuerId;
}
