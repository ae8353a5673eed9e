import { z } from 'zod';
import { AttemptId, ConnectionId, GrantId, RegistrationId, ScopeId } from '../ids.ts';
import { PROVIDER_NAMES, type ProviderName, type ProviderProfile } from '../providers/provider.ts';
import { StoredProfile } from './connections.ts';
import { type Due, type DuePage, pageClause, parseDue } from './due.ts';
import { byteaArray, type Sql, type Transaction } from './sql.ts';
import { sourcesOf } from './transitions.ts';

/** PENDING: exchanged, not yet a connection's. LIVE: its connection's. REVOKING: to be revoked. DEAD: tokens destroyed. */
export const GRANT_STATUSES = ['PENDING', 'LIVE', 'REVOKING', 'DEAD'] as const;

const Grant = z.object({
  grantId: GrantId,
  attemptId: AttemptId,
  scopeId: ScopeId,
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId,
  connectionId: ConnectionId.nullable(),
  status: z.enum(GRANT_STATUSES),
  principalMac: z.instanceof(Buffer).nullable(),
  permissions: z.array(z.string()),
  sealedTokens: z.string().nullable(),
  accessExpiresAt: z.date().nullable(),
  refreshExpiresAt: z.date().nullable(),
  /** Whether the access token is about to lapse, or has. */
  lapsing: z.boolean(),
  /** Whether the access token is good for more than a month. */
  lasting: z.boolean(),
  generation: z.number(),
  refreshClaim: z.string().nullable(),
  /** Whether a refresh claimed by somebody is older than any call can take: its answer is lost. */
  refreshLost: z.boolean(),
  providerAccountId: z.string().nullable(),
  profile: StoredProfile.nullable(),
  obtainedAt: z.date(),
});
export type Grant = z.infer<typeof Grant>;

/** Longer than a refresh can possibly take, its storing included. */
export const CLAIM_SECONDS = 90;

const columns = (sql: Sql) => sql`
  grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, principal_mac, permissions,
  sealed_tokens, access_expires_at, refresh_expires_at, generation, refresh_claim,
  coalesce(access_expires_at <= business_now() + interval '2 minutes', false) as lapsing,
  coalesce(access_expires_at > business_now() + interval '31 days', false) as lasting,
  refresh_claim is not null and refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS})
    as refresh_lost,
  provider_account_id, profile, obtained_at
`;

export interface NewGrant {
  readonly grantId: GrantId;
  readonly attemptId: AttemptId;
  readonly scopeId: ScopeId;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  readonly principalMac: Buffer | null;
  readonly permissions: readonly string[];
  readonly sealedTokens: string;
  readonly accessExpiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
}

/** Stores what an exchange has yielded; its attempt has at most one. */
export async function insertGrant(tx: Sql, grant: NewGrant): Promise<void> {
  await tx`
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, status, principal_mac,
      permissions, sealed_tokens, access_expires_at, refresh_expires_at, obtained_at)
    values (${grant.grantId}, ${grant.attemptId}, ${grant.scopeId}, ${grant.provider}, ${grant.registrationId}, 'PENDING',
      ${grant.principalMac}, ${[...grant.permissions]}, ${grant.sealedTokens}, ${grant.accessExpiresAt},
      ${grant.refreshExpiresAt}, business_now())
  `;
}

export async function findGrant(sql: Sql, grantId: GrantId): Promise<Grant | undefined> {
  const [row] = await sql`select ${columns(sql)} from account_grant where grant_id = ${grantId}`;
  return row && Grant.parse(row);
}

export async function findGrantOfAttempt(sql: Sql, attemptId: AttemptId): Promise<Grant | undefined> {
  const [row] = await sql`select ${columns(sql)} from account_grant where attempt_id = ${attemptId}`;
  return row && Grant.parse(row);
}

/** The grant a connection is read with, or was when it was cut off. */
export async function findGrantOfConnection(sql: Sql, connectionId: ConnectionId): Promise<Grant | undefined> {
  const [row] = await sql`
    select ${columns(sql)} from account_grant
    where connection_id = ${connectionId} and status in ('LIVE', 'REVOKING')
    order by status = 'LIVE' desc, obtained_at desc limit 1
  `;
  return row && Grant.parse(row);
}

/** Keeps what was read of the account until there is a connection to keep it. */
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
 * Claims the refresh of the token set read as `generation`, before the provider is called: of any number of users of
 * one grant, in any number of workers, one refreshes. A claim whose answer was lost can be taken over, and a revoke's, which
 * is its job's id, by its next try.
 */
export async function claimRefresh(sql: Sql, grantId: GrantId, generation: number, claim: string): Promise<boolean> {
  const rows = await sql`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${grantId} and generation = ${generation} and status <> 'DEAD'
      and (refresh_claim is null or refresh_claim = ${claim}
        or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
    returning grant_id
  `;
  return rows.length > 0;
}

export interface RefreshedTokens {
  readonly sealedTokens: string;
  readonly permissions: readonly string[];
  readonly accessExpiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
}

/** Stores the new token set and gives the claim back. @returns false when the claim was no longer ours. */
export async function updateTokens(
  sql: Sql,
  grantId: GrantId,
  claim: string,
  fresh: RefreshedTokens,
): Promise<boolean> {
  const rows = await sql`
    update account_grant set sealed_tokens = ${fresh.sealedTokens}, permissions = ${[...fresh.permissions]},
      access_expires_at = ${fresh.accessExpiresAt}, refresh_expires_at = ${fresh.refreshExpiresAt},
      generation = generation + 1, refresh_claim = null, refresh_claimed_at = null
    where grant_id = ${grantId} and refresh_claim = ${claim} and status <> 'DEAD'
    returning grant_id
  `;
  return rows.length > 0;
}

/** Gives a claim back after a call that surely changed nothing at the provider. */
export async function unclaimRefresh(sql: Sql, grantId: GrantId, claim: string): Promise<void> {
  await sql`
    update account_grant set refresh_claim = null, refresh_claimed_at = null
    where grant_id = ${grantId} and refresh_claim = ${claim}
  `;
}

/** Puts another claim in place of one that is held, and renews it. @returns false when it was not held any more. */
export async function updateRefreshClaim(sql: Sql, grantId: GrantId, held: string, claim: string): Promise<boolean> {
  const rows = await sql`
    update account_grant set refresh_claim = ${claim}, refresh_claimed_at = business_now()
    where grant_id = ${grantId} and refresh_claim = ${held}
    returning grant_id
  `;
  return rows.length > 0;
}

/**
 * A grant has ended: its tokens are destroyed and, if it was a connection's current one, the connection asks for a
 * reconnect, in this same transaction.
 */
export async function moveGrantToDead(tx: Transaction, grantId: GrantId): Promise<void> {
  await tx`
    select from connection where connection_id = (select connection_id from account_grant where grant_id = ${grantId})
    for no key update
  `;
  const [buried] = await tx`
    update account_grant set status = 'DEAD', sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null,
      profile = null, provider_account_id = null
    where grant_id = ${grantId} and status <> 'DEAD'
    returning connection_id
  `;
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

/** Of a live grant: its refresh credential has expired by the clock, and nobody is refreshing it. */
const isExpired = (sql: Sql) => sql`
  status = 'LIVE' and refresh_expires_at <= business_now()
    and (refresh_claim is null or refresh_claimed_at <= business_now() - make_interval(secs => ${CLAIM_SECONDS}))
`;

/** Live grants that have expired by the clock, which nobody else may ever notice. `id` is the connection's. */
export async function listExpiredGrants(sql: Sql, page: DuePage): Promise<Due[]> {
  return parseDue(
    await sql`
    select connection_id as id, refresh_expires_at as due_at from account_grant where ${isExpired(sql)}
      ${pageClause(sql, sql`refresh_expires_at`, sql`connection_id`, page)}
  `,
  );
}

/**
 * Ends them: tokens are destroyed, and their connections ask for a reconnect. Connections that others hold, and those whose
 * grant is being refreshed by now, are left for the next round. @returns how many.
 */
export async function moveExpiredGrantsToDead(tx: Transaction, connectionIds: readonly string[]): Promise<number> {
  // Connections first, as everybody locks them.
  const held = await tx`
    select connection_id from connection where connection_id = any(${[...connectionIds]}::uuid[])
    order by connection_id for no key update skip locked
  `;
  const ended = await tx`
    update account_grant set status = 'DEAD', sealed_tokens = null, refresh_claim = null, refresh_claimed_at = null
    where connection_id = any(${held.map((row) => ConnectionId.parse(row.connectionId))}::uuid[]) and ${isExpired(tx)}
    returning connection_id
  `;
  await tx`
    update connection set status = 'RECONNECT_REQUIRED', changed_at = business_now()
    where connection_id = any(${ended.map((row) => ConnectionId.parse(row.connectionId))}::uuid[])
      and status = any(${[...sourcesOf('connection', 'RECONNECT_REQUIRED')]})
  `;
  return ended.length;
}

/** Marks a grant as on its way out. @returns false when it was DEAD already or on its way. */
export async function moveGrantToRevoking(tx: Transaction, grantId: GrantId): Promise<boolean> {
  const rows = await tx`
    update account_grant set status = 'REVOKING' where grant_id = ${grantId} and status in ('PENDING', 'LIVE')
    returning grant_id
  `;
  return rows.length > 0;
}

/**
 * Takes turns with all who decide whether a grant of this principal may be discarded, in whatever scope, to the end of the
 * transaction. Take the scope's lock first.
 */
export async function lockPrincipal(tx: Transaction, principalMac: Buffer | null): Promise<void> {
  if (principalMac === null) return;
  await tx`select pg_advisory_xact_lock(hashtextextended('principal:' || encode(${principalMac}, 'hex'), 0))`;
}

/**
 * Whether another grant that is in use, in any scope or app, stands behind the same principal. Exact under
 * `lockPrincipal`.
 */
export async function hasLiveSibling(sql: Sql, grant: Pick<Grant, 'grantId' | 'principalMac'>): Promise<boolean> {
  if (grant.principalMac === null) return false;
  const rows = await sql`
    select from account_grant
    where principal_mac = ${grant.principalMac} and grant_id <> ${grant.grantId} and status in ('PENDING', 'LIVE')
    limit 1
  `;
  return rows.length > 0;
}

/**
 * Exchanges of this scope and provider that have been claimed and not yet stored: grants may still come of them. One whose
 * attempt was canceled, or has expired, meanwhile is in flight as well.
 */
export async function hasExchangeInFlight(sql: Sql, scopeId: ScopeId, provider: ProviderName): Promise<boolean> {
  const rows = await sql`
    select from connect_attempt a
    where a.scope_id = ${scopeId} and a.provider = ${provider}
      and a.status in ('EXCHANGING', 'CANCELED', 'EXPIRED') and a.creator_action is null
      and a.exchange_claimed_at > business_now() - make_interval(secs => ${CLAIM_SECONDS})
      and not exists (select from account_grant g where g.attempt_id = a.attempt_id)
    limit 1
  `;
  return rows.length > 0;
}
