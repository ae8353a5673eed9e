import { z } from 'zod';
import { GRANT_STATUSES, PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { AppId, AttemptId, ConnectionId, GrantId, type JobId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { ProviderProfile } from '../../providers/provider.ts';
import { StoredProfile } from '../connections/connections.ts';
import { byteaArray } from '../driver/bytea-array.ts';
import type { Fragment, Sql, Transaction } from '../driver/sql.ts';
import { Due, type DuePage, pageClause } from '../due.ts';
import { columnsOf, findRow, findValue, hasRows, listRows, listValues } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';

const Grant = z.object({
  grantId: GrantId,
  attemptId: AttemptId,
  scopeId: ScopeId,
  appId: AppId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  connectionId: ConnectionId.nullable(),
  status: z.enum(GRANT_STATUSES),
  principalMac: z.instanceof(Buffer).nullable(),
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
   * Whether the platform may have replaced the tokens by others that nobody has: a claimed refresh is older than any call can take, or
   * the tokens were stored before a fail-over. Then a refusal of them proves nothing.
   */
  refreshLost: z.boolean(),
  /** Since when the provider refuses it, without a second proof that it has ended. */
  refusedAt: z.date().nullable(),
  providerAccountId: z.string().nullable(),
  profile: StoredProfile.nullable(),
  obtainedAt: z.date(),
});
export type Grant = z.infer<typeof Grant>;

/** Longer than a refresh can take, including storing its tokens. */
export const CLAIM_SECONDS = 90;

/** Selects tokens that were stored before a fail-over, which may have lost newer ones (D-287). */
const areFromOtherTimeline = (sql: Sql) => sql`coalesce(tokens_timeline <> current_timeline(), false)`;

/** `refreshLost` of a grant, and of the tokens that a job keeps. */
export const isRefreshLost = (sql: Sql) => sql`
  refresh_claim is not null and refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS})
    or ${areFromOtherTimeline(sql)}
`;

const columns = columnsOf('account_grant', Grant, {
  appId: (sql) => sql`(select app_id from scope where scope.scope_id = account_grant.scope_id)`,
  expiring: (sql) => sql`coalesce(access_expires_at <= business_now() + interval '2 minutes', false)`,
  longLived: (sql) => sql`coalesce(access_expires_at > business_now() + interval '31 days', false)`,
  refreshLost: isRefreshLost,
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
    where connection_id = ${connectionId} and status in ('LIVE', 'REVOKING')
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

/**
 * Claims the refresh of token set `generation` before the call to the provider: of all users of a grant, in all
 * workers, exactly one refreshes. A claim whose response was lost can be taken over, and a revoke's claim, which is its
 * job's id, by its next try.
 */
export async function claimRefresh(sql: Sql, grantId: GrantId, generation: number, claim: string): Promise<boolean> {
  return await hasRows(sql)`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${grantId} and generation = ${generation} and status <> 'DEAD'
      and (refresh_claim is null or refresh_claim = ${claim}
        or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
  `;
}

interface RefreshedTokens {
  readonly sealedTokens: string;
  readonly permissions: readonly string[];
  readonly accessExpiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
}

/** Stores the new token set and ends the claim. @returns false if the claim was lost. */
export async function updateTokens(
  sql: Sql,
  grantId: GrantId,
  claim: string,
  fresh: RefreshedTokens,
): Promise<boolean> {
  return await hasRows(sql)`
    update account_grant set sealed_tokens = ${fresh.sealedTokens}, permissions = ${[...fresh.permissions]},
      access_expires_at = ${fresh.accessExpiresAt}, refresh_expires_at = ${fresh.refreshExpiresAt},
      generation = generation + 1, refresh_claim = null, refresh_claimed_at = null, refused_at = null,
      tokens_timeline = current_timeline()
    where grant_id = ${grantId} and refresh_claim = ${claim} and status <> 'DEAD'
  `;
}

/**
 * Ends a claim after a call that certainly changed nothing at the provider.
 * @param options.inDoubt whether the claim was taken over from a refresh with a lost response: the tokens stay uncertain
 */
export async function unclaimRefresh(
  sql: Sql,
  grantId: GrantId,
  claim: string,
  { inDoubt = false }: { inDoubt?: boolean } = {},
): Promise<void> {
  await sql`
    update account_grant set refresh_claim = ${inDoubt ? claim : null},
      refresh_claimed_at = ${inDoubt ? sql`business_now() - make_interval(secs => ${CLAIM_SECONDS})` : null}
    where grant_id = ${grantId} and refresh_claim = ${claim}
  `;
}

/** Replaces a held claim by another, and renews it. @returns false if the claim was lost. */
export async function updateRefreshClaim(sql: Sql, grantId: GrantId, held: string, claim: string): Promise<boolean> {
  return await hasRows(sql)`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${grantId} and refresh_claim = ${held}
  `;
}

/**
 * Marks the tokens of a grant as perhaps replaced at the provider by others that nobody has, as after a refresh with a lost
 * response: a refusal of them proves nothing.
 */
export async function doubtTokens(sql: Sql, grantIds: readonly GrantId[]): Promise<void> {
  await sql`
    update account_grant set refresh_claim = gen_random_uuid(),
      refresh_claimed_at = business_now() - make_interval(secs => ${CLAIM_SECONDS})
    where grant_id = any(${[...grantIds]}::uuid[]) and refresh_claim is null
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

/** Whether the latest grant of a connection is DEAD without a proof, or is lost: it may be alive at the provider. */
export async function hasDoubtfulEnd(sql: Sql, connectionId: ConnectionId): Promise<boolean> {
  const isDoubtful = await findValue(sql, z.boolean())`
    select status = 'DEAD' and refresh_claim is not null from account_grant
    where connection_id = ${connectionId} order by obtained_at desc, grant_id limit 1
  `;
  return isDoubtful ?? true;
}

/**
 * Destroys the tokens of an ended grant. If the grant was the current one of a connection, that connection moves to
 * RECONNECT_REQUIRED in the same transaction.
 * @param options.inDoubt whether the grant may be alive at the provider; see `doubtTokens`
 */
export async function moveGrantToDead(
  tx: Transaction,
  grantId: GrantId,
  { inDoubt = false }: { inDoubt?: boolean } = {},
): Promise<void> {
  // In one round trip: the second begins when the first has the lock.
  const [, [buried]] = await Promise.all([
    tx`
      select from connection where connection_id = (select connection_id from account_grant where grant_id = ${grantId})
      for no key update
    `,
    tx`
      update account_grant set status = 'DEAD', sealed_tokens = null, ${forgetAccount(tx)},
        refresh_claim = ${inDoubt ? tx`coalesce(refresh_claim, gen_random_uuid())` : null},
        refresh_claimed_at = ${inDoubt ? tx`business_now()` : null}
      where grant_id = ${grantId} and status <> 'DEAD'
      returning connection_id
    `,
  ]);
  if (!buried?.connectionId) return;
  await tx`
    update connection set status = 'RECONNECT_REQUIRED', changed_at = business_now()
    where connection_id = ${buried.connectionId} and status = any(${[...sourcesOf('connection', 'RECONNECT_REQUIRED')]})
      and not exists (
        select from account_grant other
        where other.connection_id = connection.connection_id and other.status = 'LIVE'
      )
  `;
}

/** Selects live grants whose refresh token has expired and that nobody is refreshing. */
const isExpired = (sql: Sql) => sql`
  status = 'LIVE' and refresh_expires_at <= business_now()
    and (refresh_claim is null or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
`;

/** Lists live grants with an expired refresh token. No other code may ever notice them. `id` is the connection's. */
export async function listExpiredGrants(sql: Sql, page: DuePage): Promise<Due[]> {
  return await listRows(sql, Due)`
    select connection_id as id, refresh_expires_at as due_at from account_grant where ${isExpired(sql)}
      ${pageClause(sql, sql`refresh_expires_at`, sql`connection_id`, page)}
  `;
}

/**
 * Destroys the tokens of expired grants and moves their connections to RECONNECT_REQUIRED. Skips connections that other
 * transactions hold and grants that are being refreshed; the next round handles them. @returns the number of grants.
 */
export async function moveExpiredGrantsToDead(tx: Transaction, connectionIds: readonly string[]): Promise<number> {
  // Connections first, in the order that all code locks them.
  const held = await listValues(tx, ConnectionId)`
    select connection_id from connection where connection_id = any(${[...connectionIds]}::uuid[])
    order by connection_id for no key update skip locked
  `;
  const ended = await listValues(tx, ConnectionId)`
    update account_grant set status = 'DEAD', sealed_tokens = null, ${forgetAccount(tx)}, refresh_claimed_at = null,
      refresh_claim = case when ${areFromOtherTimeline(tx)} then coalesce(refresh_claim, gen_random_uuid()) else refresh_claim end
    where connection_id = any(${held}::uuid[]) and ${isExpired(tx)}
    returning connection_id
  `;
  await tx`
    update connection set status = 'RECONNECT_REQUIRED', changed_at = business_now()
    where connection_id = any(${ended}::uuid[])
      and status = any(${[...sourcesOf('connection', 'RECONNECT_REQUIRED')]})
  `;
  return ended.length;
}

/** Forgets whose account it was. The keyed hashes stay, which say what a revoke and a notice are about. */
export const forgetAccount = (sql: Sql) => sql`profile = null, profile_observed_at = null, provider_account_id = null`;

/**
 * Moves a grant to REVOKING: only its tokens wait for the revoke, without a name. @returns false if it is DEAD or REVOKING
 * already.
 */
export async function moveGrantToRevoking(tx: Transaction, grantId: GrantId): Promise<boolean> {
  return await hasRows(tx)`
    update account_grant set status = 'REVOKING', ${forgetAccount(tx)}
    where grant_id = ${grantId} and status in ('PENDING', 'LIVE')
  `;
}

/**
 * Serializes decisions to discard a grant of this principal, in any scope, until the end of the transaction. The caller
 * holds the scope's lock.
 */
export async function lockPrincipal(tx: Transaction, principalMac: Buffer | null): Promise<void> {
  if (principalMac === null) return;
  await tx`select pg_advisory_xact_lock(${principalKey(tx, principalMac)})`;
}

const principalKey = (tx: Transaction, principalMac: Buffer | Fragment) =>
  tx`hashtextextended('principal:' || encode(${principalMac}, 'hex'), 0)`;

const LOCK_TIMED_OUT = '55P03';

/**
 * The same for the principal of a connection's grant, for a time. Any role of the database can hold an advisory lock, and nobody may
 * keep a disconnect from cutting access: it goes on without the lock. What another scope gets meanwhile, the verification after the
 * revoke finds.
 */
export async function lockPrincipalWithin(tx: Transaction, connectionId: ConnectionId, ms: number): Promise<void> {
  const [row] = await tx`
    select principal_mac, pg_try_advisory_xact_lock(${principalKey(tx, tx`principal_mac`)}) as is_ours from account_grant
    where connection_id = ${connectionId} and status = 'LIVE' and principal_mac is not null
  `;
  if (row === undefined || row.isOurs === true) return;
  try {
    await tx.savepoint(async (part) => {
      await part`select set_config('lock_timeout', ${`${ms}ms`}, true)`;
      await lockPrincipal(part, row.principalMac as Buffer);
      await part`set local lock_timeout to default`;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_TIMED_OUT) throw error;
  }
}

/** Whether a connection already has a consent from an attempt that began later. Hold the connection's lock. */
export async function hasNewerConsent(
  sql: Sql,
  connectionId: ConnectionId,
  { attemptId, createdAt }: { readonly attemptId: AttemptId; readonly createdAt: Date },
): Promise<boolean> {
  return await hasRows(sql)`
    select from account_grant g join connect_attempt a using (attempt_id)
    where g.connection_id = ${connectionId} and g.status = 'LIVE' and a.attempt_id <> ${attemptId}
      and a.created_at > ${createdAt}
  `;
}

/** Whether another grant in use, in any scope or app, has the same principal. Exact under `lockPrincipal`. */
export async function hasLiveSibling(sql: Sql, grant: Pick<Grant, 'grantId' | 'principalMac'>): Promise<boolean> {
  if (grant.principalMac === null) return false;
  return await hasRows(sql)`
    select from account_grant
    where principal_mac = ${grant.principalMac} and grant_id <> ${grant.grantId} and status in ('PENDING', 'LIVE')
    limit 1
  `;
}

/**
 * Whether an exchange of this scope and provider is claimed and not stored, so that a grant may still arrive. Includes
 * attempts that were canceled or expired meanwhile.
 */
export async function hasExchangeInFlight(sql: Sql, scopeId: ScopeId, provider: ProviderName): Promise<boolean> {
  return await hasRows(sql)`
    select from connect_attempt a
    where a.scope_id = ${scopeId} and a.provider = ${provider}
      and a.status in ('EXCHANGING', 'CANCELED', 'EXPIRED') and a.creator_action is null
      and a.exchange_claimed_at > business_now() - make_interval(secs => ${CLAIM_SECONDS})
      and not exists (select from account_grant g where g.attempt_id = a.attempt_id)
    limit 1
  `;
}
