import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { type AppId, type CorrelationId, type IssuerId, type KeyId, newId, type RegistrationId } from '../ids.ts';
import { type Capability, PROVIDER_NAMES, type ProviderName } from '../providers/provider.ts';
import { type Database, inTransaction, type Sql, type Transaction } from './sql.ts';

/** Settings: apps, keys, tenants, policies, and our clients at providers. The caller has validated the input. */

export async function insertApp(sql: Sql, name: string): Promise<AppId> {
  const appId = newId<AppId>();
  await sql`insert into app (app_id, name) values (${appId}, ${name})`;
  return appId;
}

export async function insertTenant(sql: Sql, appId: AppId, tenantKey: string): Promise<void> {
  await sql`insert into tenant (app_id, tenant_key) values (${appId}, ${tenantKey}) on conflict do nothing`;
}

export async function insertReturnUrl(sql: Sql, appId: AppId, url: string): Promise<void> {
  await sql`insert into return_url (app_id, url) values (${appId}, ${url}) on conflict do nothing`;
}

export async function insertLaunchOrigin(sql: Sql, appId: AppId, origin: string): Promise<void> {
  await sql`insert into launch_origin (app_id, origin) values (${appId}, ${origin}) on conflict do nothing`;
}

/**
 * @param policy.quotaPercent the largest part of a registration's daily quota that the app may use; null for the
 * default, undefined to leave it unchanged.
 */
export async function updatePolicy(
  sql: Sql,
  appId: AppId,
  provider: ProviderName,
  policy: { capabilities: readonly Capability[]; quotaPercent?: number | null | undefined },
): Promise<void> {
  const { capabilities, quotaPercent } = policy;
  if (capabilities.length === 0) {
    await sql`delete from app_policy where app_id = ${appId} and provider = ${provider}`;
    return;
  }
  await sql`
    insert into app_policy (app_id, provider, capabilities, quota_percent)
    values (${appId}, ${provider}, ${[...capabilities]}, ${quotaPercent ?? null})
    on conflict (app_id, provider) do update set capabilities = excluded.capabilities,
      quota_percent = case when ${quotaPercent === undefined} then app_policy.quota_percent else excluded.quota_percent end
  `;
}

/** @param units per day that the provider granted; null for the documented default. */
export async function updateDailyQuota(sql: Sql, registrationId: RegistrationId, units: number | null): Promise<void> {
  await sql`update registration set daily_quota = ${units} where registration_id = ${registrationId}`;
}

/** @param permissions that the client may ask for; null for all that our capabilities need. */
export async function updatePermissions(
  sql: Sql,
  registrationId: RegistrationId,
  permissions: readonly string[] | null,
): Promise<void> {
  await sql`
    update registration set permissions = ${permissions === null ? null : [...permissions]}::text[]
    where registration_id = ${registrationId}
  `;
}

/** The provider of a registration. */
export async function findProviderOfRegistration(
  sql: Sql,
  registrationId: RegistrationId,
): Promise<ProviderName | undefined> {
  const [row] = await sql`select provider from registration where registration_id = ${registrationId}`;
  return row && z.enum(PROVIDER_NAMES).parse(row.provider);
}

/** @param seal seals the client secret for the new registration's id. */
export async function insertRegistration(
  sql: Sql,
  registration: { provider: ProviderName; label: string; clientId: string },
  seal: (registrationId: RegistrationId) => Promise<string>,
): Promise<RegistrationId> {
  const registrationId = newId<RegistrationId>();
  await sql`
    insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
    values (${registrationId}, ${registration.provider}, ${registration.label}, ${registration.clientId},
      ${await seal(registrationId)})
  `;
  return registrationId;
}

export async function insertRegistrationApp(sql: Sql, registrationId: RegistrationId, appId: AppId): Promise<void> {
  await sql`
    insert into registration_app (registration_id, app_id) values (${registrationId}, ${appId}) on conflict do nothing
  `;
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
  const apps = await tx`select from app where app_id = ${appId} for update`;
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

/** @returns false if there was no such active key. */
export async function revokeKey(sql: Sql, keyId: KeyId): Promise<boolean> {
  const rows = await sql`
    update app_key set revoked_at = business_now() where key_id = ${keyId} and revoked_at is null returning key_id
  `;
  return rows.length > 0;
}

/** @param seal seals the client secret for the new issuer's id. */
export async function insertIssuer(
  sql: Sql,
  issuer: { issuer: string; clientId: string; tokenAuthMethod: 'client_secret_post' | 'client_secret_basic' },
  seal: (issuerId: IssuerId) => Promise<string>,
): Promise<IssuerId> {
  const issuerId = newId<IssuerId>();
  await sql`
    insert into identity_issuer (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method)
    values (${issuerId}, ${issuer.issuer}, ${issuer.clientId}, ${await seal(issuerId)}, ${issuer.tokenAuthMethod})
  `;
  return issuerId;
}

export async function updateIdentitySettings(
  sql: Sql,
  appId: AppId,
  issuerId: IssuerId,
  returnUrl: string,
): Promise<void> {
  await sql`
    insert into app_identity (app_id, issuer_id, return_url) values (${appId}, ${issuerId}, ${returnUrl})
    on conflict (app_id) do update set issuer_id = excluded.issuer_id, return_url = excluded.return_url, enabled = true
  `;
}

interface NewAuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  /** Other ids that the action concerned. */
  readonly related?: readonly string[];
  readonly outcome: string;
  readonly correlationId?: CorrelationId;
}

/** Adds an entry to the insert-only audit log: names and ids, never arguments. */
export async function insertAuditEntry(sql: Sql, entry: NewAuditEntry): Promise<void> {
  await sql`
    insert into audit_log (actor, action, target, related, outcome, correlation_id)
    values (${entry.actor}, ${entry.action}, ${entry.target}, ${[...(entry.related ?? [])]}::text[], ${entry.outcome},
      ${entry.correlationId ?? null})
  `;
}
