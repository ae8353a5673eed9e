import { z } from 'zod';
import { type AppId, IssuerId } from '../ids.ts';
import type { IdentityAttempt } from './identity-attempts.ts';
import type { Sql, Transaction } from './sql.ts';

const Issuer = z.object({
  issuerId: IssuerId,
  /** Exactly as the issuer writes itself. */
  issuer: z.string(),
  clientId: z.string(),
  sealedClientSecret: z.string(),
  tokenAuthMethod: z.enum(['client_secret_post', 'client_secret_basic']),
});
/** An OpenID Connect issuer and our client there. */
export type Issuer = z.infer<typeof Issuer>;

export async function findIssuer(sql: Sql, issuerId: IssuerId): Promise<Issuer | undefined> {
  const [row] = await sql`
    select issuer_id, issuer, client_id, sealed_client_secret, token_auth_method
    from identity_issuer where issuer_id = ${issuerId}
  `;
  return row && Issuer.parse(row);
}

const Settings = z.object({
  issuerId: IssuerId,
  returnUrl: z.string(),
  enabled: z.boolean(),
});
/** How one app signs its people in. */
export type IdentitySettings = z.infer<typeof Settings>;

/** Holds the lock of an app's identity settings to the end of the transaction: starting a sign-in takes it first. */
export async function lockIdentitySettings(tx: Transaction, appId: AppId): Promise<IdentitySettings | undefined> {
  const [row] = await tx`
    select issuer_id, return_url, enabled from app_identity where app_id = ${appId} for update
  `;
  return row && Settings.parse(row);
}

/** Whether an attempt may go on: the app is enabled, knows the tenant, and still signs in at this issuer, to this URL. */
export async function isIdentityAllowed(
  sql: Sql,
  attempt: Pick<IdentityAttempt, 'appId' | 'tenantKey' | 'issuerId' | 'returnUrl'>,
): Promise<boolean> {
  const rows = await sql`
    select from app join app_identity i using (app_id) join tenant t using (app_id)
    where app_id = ${attempt.appId} and app.enabled and i.enabled and i.issuer_id = ${attempt.issuerId}
      and i.return_url = ${attempt.returnUrl} and t.tenant_key = ${attempt.tenantKey}
  `;
  return rows.length > 0;
}
