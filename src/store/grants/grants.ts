import { z } from 'zod';
import { ATTACHED_GRANT, GRANT_STATUSES, PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { AppId, AttemptId, ConnectionId, GrantId, type JobId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { ProviderProfile } from '../../providers/provider.ts';
import { StoredProfile } from '../connections/connections.ts';
import { needsProof } from '../connections/proofs.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { columnsOf, findRow, listOf, listValues } from '../rows.ts';
import { isRefreshLost } from './refresh-claims.ts';

export const Grant = z.object({
  grantId: GrantId,
  attemptId: AttemptId,
  scopeId: ScopeId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  connectionId: ConnectionId.nullable(),
  status: z.enum(GRANT_STATUSES),
  principalMac: z.instanceof(Buffer).nullable(),
  /** Of every id by which the platform names the account, in hex. Empty before it was read. */
  accountMacs: z.array(z.string()),
  permissions: z.array(z.string()),
  sealedTokens: z.string().nullable(),
  accessExpiresAt: z.date().nullable(),
  refreshExpiresAt: z.date().nullable(),
  /** Whether the access token has expired or will within 2 minutes. */
  expiring: z.boolean(),
  /** Whether the access token is valid for more than a month. */
  longLived: z.boolean(),
  generation: z.number(),
  refreshClaim: z.string().nullable(),
  /**
   * Whether the platform may have replaced the tokens by others that are lost: a claimed refresh is older than any call can take, or
   * the tokens were stored before a fail-over. Then a refusal of them proves nothing.
   */
  refreshLost: z.boolean(),
  /** Since when the provider refuses it, while that is in doubt. */
  refusedAt: z.date().nullable(),
  /** Whether the next call that the platform accepts is to be recorded as proof that it is alive. */
  needsProof: z.boolean(),
  providerAccountId: z.string().nullable(),
  profile: StoredProfile.nullable(),
  obtainedAt: z.date(),
});
export type Grant = z.infer<typeof Grant>;

const columns = columnsOf('account_grant', Grant, {
  appId: (sql) => sql`(select app_id from scope where scope.scope_id = account_grant.scope_id)`,
  accountMacs: (sql) => sql`array(select encode(mac, 'hex') from unnest(account_macs) as mac)`,
  expiring: (sql) => sql`coalesce(access_expires_at <= business_now() + interval '2 minutes', false)`,
  longLived: (sql) => sql`coalesce(access_expires_at > business_now() + interval '31 days', false)`,
  refreshLost: isRefreshLost,
  needsProof,
});

interface NewGrant {
  readonly grantId: GrantId;
  readonly attemptId: AttemptId;
  readonly scopeId: ScopeId;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  /** The principal's keyed hashes, the one of the current key first; empty if the principal is unknown. */
  readonly principalMacs: readonly Buffer[];
  readonly permissions: readonly string[];
  readonly sealedTokens: string;
  readonly accessExpiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
}

/**
 * Stores the result of an exchange. An attempt has at most one grant. A principal keeps the hash that its other grants have,
 * also if that is of an older key: grants of one principal find each other by it (D-231).
 */
export async function insertGrant(tx: Sql, grant: NewGrant): Promise<void> {
  const [current = null] = grant.principalMacs;
  await tx`
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, status, principal_mac,
      permissions, sealed_tokens, access_expires_at, refresh_expires_at, obtained_at, tokens_timeline)
    values (${grant.grantId}, ${grant.attemptId}, ${grant.scopeId}, ${grant.provider}, ${grant.registrationId}, 'PENDING',
      coalesce((
        select principal_mac from account_grant
        where principal_mac = any(${byteaArray(tx, grant.principalMacs)}) and status <> 'DEAD' limit 1
      ), ${current}), ${[...grant.permissions]}, ${grant.sealedTokens}, ${grant.accessExpiresAt},
      ${grant.refreshExpiresAt}, business_now(), current_timeline())
  `;
}

export async function findGrant(sql: Sql, grantId: GrantId): Promise<Grant | undefined> {
  return await findRow(sql, Grant)`select ${columns(sql)} from account_grant where grant_id = ${grantId}`;
}

export async function findGrantOfAttempt(sql: Sql, attemptId: AttemptId): Promise<Grant | undefined> {
  return await findRow(sql, Grant)`select ${columns(sql)} from account_grant where attempt_id = ${attemptId}`;
}

/** The grant that a connection uses, or used when it was disconnected. */
export const findGrantOfConnection = (sql: Sql, connectionId: ConnectionId): Promise<Grant | undefined> =>
  findCurrentGrant(sql, sql`${connectionId}`);

/** The grant of the connection that a job reads. */
export const findGrantOfReadJob = (sql: Sql, jobId: JobId): Promise<Grant | undefined> =>
  findCurrentGrant(sql, sql`(select connection_id from read_job where job_id = ${jobId})`);

async function findCurrentGrant(sql: Sql, connectionId: Fragment): Promise<Grant | undefined> {
  return await findRow(sql, Grant)`
    select ${columns(sql)} from account_grant
    where connection_id = ${connectionId} and status in ${listOf(sql, ATTACHED_GRANT)}
    order by status = 'LIVE' desc, obtained_at desc limit 1
  `;
}

const ImportedGrant = Grant.pick({ grantId: true, attemptId: true, scopeId: true, connectionId: true, status: true });
const importedColumns = columnsOf('account_grant', ImportedGrant);

/** The grant that an import of a token with one of these keyed hashes has made. */
export async function findImportedGrant(
  sql: Sql,
  importMacs: readonly Buffer[],
): Promise<z.infer<typeof ImportedGrant> | undefined> {
  return await findRow(sql, ImportedGrant)`
    select ${importedColumns(sql)} from account_grant where import_mac = any(${byteaArray(sql, importMacs)}) limit 1
  `;
}

/** Marks a grant as imported. */
export async function updateImportMac(tx: Transaction, grantId: GrantId, importMac: Buffer): Promise<void> {
  await tx`update account_grant set import_mac = ${importMac} where grant_id = ${grantId}`;
}

/** Stores the account's data until a connection exists for it. */
export async function updateGrantAccount(
  sql: Sql,
  grantId: GrantId,
  account: { providerAccountId: string; accountMacs: readonly Buffer[]; profile: ProviderProfile },
): Promise<void> {
  await sql`
    update account_grant set provider_account_id = ${account.providerAccountId},
      account_macs = ${byteaArray(sql, account.accountMacs)}, profile = ${sql.json({ ...account.profile })},
      profile_observed_at = business_now()
    where grant_id = ${grantId}
  `;
}

/** Lists grants with tokens at these providers, by id, after `after`. */
export async function listGrantsWithTokens(
  sql: Sql,
  providers: readonly ProviderName[],
  { after, limit }: { after: GrantId | null; limit: number },
): Promise<GrantId[]> {
  return await listValues(sql, GrantId)`
    select grant_id from account_grant
    where provider = any(${[...providers]}::provider_name[]) and sealed_tokens is not null
      ${after === null ? sql`` : sql`and grant_id > ${after}`}
    order by grant_id limit ${limit}
  `;
}
