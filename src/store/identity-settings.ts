import { z } from 'zod';
import { type AppId, IssuerId } from '../ids.ts';
import type { IdentityAttempt } from './identity-attempts.ts';
import type { Sql, Transaction } from './sql.ts';

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
/** How one app signs people in. */
type IdentitySettings = z.infer<typeof Settings>;

/** Locks an app's identity settings until the end of the transaction. Starting a sign-in takes this lock first. */
export async function lockIdentitySettings(tx: Transaction, appId: AppId): Promise<IdentitySettings | undefined> {
  const [row] = await tx`
    select issuer_id, return_url, enabled from app_identity where app_id = ${appId} for update
  `;
  return row && Settings.parse(row);
}

/** Whether an attempt may proceed: the app is enabled, has the tenant, and still uses this issuer and return URL. */
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
