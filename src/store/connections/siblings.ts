import { z } from 'zod';
import { GRANTED_CONNECTION, PROVIDER_NAMES } from '../../basics/codes.ts';
import { ConnectionId, RegistrationId, ScopeId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { lockPrincipalWithin } from '../grants/principals.ts';
import { accountMacsOfJob, type DisconnectJob } from '../jobs/disconnect-jobs.ts';
import { findRow, findValue, hasRows, listOf, listValues } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import { type Connection, isDisconnecting, lockConnectionById } from './connections.ts';

const PrincipalMac = z.instanceof(Buffer).nullable();
const Sibling = z.object({
  scopeId: ScopeId,
  provider: z.enum(PROVIDER_NAMES),
  providerAccountId: z.string(),
  registrationId: RegistrationId,
});

/** Far longer than other transactions hold it. */
const LOCK_WITHIN_MS = 2_000;

/**
 * Selects the connections of the same account as `own`, where the principal of one of both grants is unknown: then nothing else
 * shows that they are one person's. `c` and `g` are the other connection and its grant.
 * @param own has `provider_account_id` and `principal_mac`
 */
const isOfSameAccount = (sql: Sql, reached: readonly RegistrationId[]) => sql`
  c.provider_account_id = own.provider_account_id and c.registration_id = any(${[...reached]}::uuid[])
    and (g.principal_mac is null or own.principal_mac is null)
`;

const grantOf = (sql: Sql, connectionId: ConnectionId) => sql`
  select g.principal_mac, c.provider_account_id
  from account_grant g join connection c using (connection_id) where g.connection_id = ${connectionId} and g.status = 'LIVE'
`;

/** The connections with a live grant of `own`'s person, itself among them: its revoke ends all of these grants. */
const ofSamePerson = (sql: Sql, reached: readonly RegistrationId[]) => sql`
  select g.connection_id from account_grant g join own using (principal_mac) where g.status = 'LIVE'
  union
  select c.connection_id
  from own join connection c on c.provider_account_id = own.provider_account_id
    join account_grant g on g.connection_id = c.connection_id and g.status = 'LIVE'
  where ${isOfSameAccount(sql, reached)}
`;

/** The other connections whose grants the revoke of this one would end, at most 50. @param reached the registrations whose grants it can end */
export async function listAlsoEnded(
  sql: Sql,
  connectionId: ConnectionId,
  reached: readonly RegistrationId[],
): Promise<ConnectionId[]> {
  return await listValues(sql, ConnectionId)`
    with own as (${grantOf(sql, connectionId)}), touched as (${ofSamePerson(sql, reached)})
    select connection_id from touched where connection_id <> ${connectionId} order by connection_id limit 50
  `;
}

/**
 * Locks a connection and the siblings that its revoke may affect: CONNECTED ones of the same scope and provider, and
 * those of the same principal in any scope or app, or of the same account if a principal is unknown. Locks in the order of
 * ids, so that disconnects with common siblings wait for each other instead of deadlocking. Also locks the principal, so
 * that no attempt of another scope completes with a grant of the same principal meanwhile. The caller holds the scope's lock.
 * @param reached the registrations whose grants the revoke can end
 * @returns the siblings.
 */
export async function lockConnectionWithSiblings(
  tx: Transaction,
  { connectionId, scopeId, provider }: Pick<Connection, 'connectionId' | 'scopeId' | 'provider'>,
  reached: readonly RegistrationId[],
): Promise<ConnectionId[]> {
  await lockPrincipalWithin(tx, connectionId, LOCK_WITHIN_MS);
  const locked = await listValues(tx, ConnectionId)`
    with own as (${grantOf(tx, connectionId)}),
    touched as (
      select connection_id from connection
      where scope_id = ${scopeId} and provider = ${provider} and status = 'CONNECTED'
      union
      ${ofSamePerson(tx, reached)}
      union
      select ${connectionId}::uuid
    )
    select connection_id from connection
    where connection_id in (select connection_id from touched)
    order by connection_id for no key update
  `;
  return locked.filter((id) => id !== connectionId);
}

/** Suspends those that are CONNECTED. */
export async function suspendConnections(tx: Transaction, connectionIds: readonly ConnectionId[]): Promise<void> {
  await tx`
    update connection set status = 'SUSPENDED', changed_at = business_now()
    where connection_id = any(${[...connectionIds]}::uuid[]) and status = any(${[...sourcesOf('connection', 'SUSPENDED')]})
  `;
}

/** Whose grant it is, as far as the platform has named them. */
export interface GrantOwner {
  readonly principalMac: Buffer | null;
  readonly providerAccountId: string | null;
  /** The registrations whose grants a revoke of this grant can end. */
  readonly reached: readonly RegistrationId[];
}

/**
 * Whether a connection of this principal, in any scope or app, is disconnected and its revoke has not settled. If a principal is
 * unknown, also one of the same account.
 */
export async function isPrincipalDisconnecting(
  sql: Sql,
  { principalMac, providerAccountId, reached }: GrantOwner,
): Promise<boolean> {
  return await hasRows(sql)`
    select from account_grant g join connection c using (connection_id)
    where g.principal_mac = ${principalMac} and g.status <> 'DEAD' and c.status = 'DISCONNECTED'
    union all
    select from (select ${providerAccountId}::text collate "C" as provider_account_id, ${principalMac}::bytea as principal_mac) as own
      join connection c on c.provider_account_id = own.provider_account_id and c.status = 'DISCONNECTED'
      join account_grant g on g.connection_id = c.connection_id and g.status <> 'DEAD'
    where ${isOfSameAccount(sql, reached)}
    limit 1
  `;
}

/** More connections than one person has. The siblings of the next revoke include the rest. */
const MAX_SIBLINGS = 500;
/** More connections of unknown people are not verified after each revoke: their next use finds that their grants have ended. */
const MAX_DOUBTFUL = 50;

/**
 * Lists the live connections that a settled revoke may have affected: suspended ones beside it, and those of its principal
 * or its account. If a principal is unknown, also those of the same scope, and all that the revoke reaches unless they are
 * many: each verification costs a call.
 * @param reached the registrations whose grants the revoke could end
 */
export async function listSiblings(
  sql: Sql,
  revoke: Pick<DisconnectJob, 'jobId' | 'scopeId' | 'provider' | 'principalMac'>,
  reached: readonly RegistrationId[],
): Promise<ConnectionId[]> {
  const { jobId, scopeId, provider, principalMac } = revoke;
  const mayBeOne = sql`(g.principal_mac is null or ${principalMac}::bytea is null)`;
  const doubtful =
    principalMac === null
      ? sql`
          select connection_id from connection
          where registration_id = any(${[...reached]}::uuid[]) and status in ${listOf(sql, GRANTED_CONNECTION)}
          limit ${MAX_DOUBTFUL + 1}
        `
      : sql`
          select connection_id from account_grant
          where registration_id = any(${[...reached]}::uuid[]) and principal_mac is null and status = 'LIVE'
          limit ${MAX_DOUBTFUL + 1}
        `;
  return await listValues(sql, ConnectionId)`
    with doubtful as materialized (${doubtful}),
    listed as (
      select connection_id from connection
      where scope_id = ${scopeId} and provider = ${provider} and status = 'SUSPENDED'
      union
      select connection_id from account_grant where principal_mac = ${principalMac} and status = 'LIVE'
      union
      select connection_id from account_grant
      where account_macs && ${accountMacsOfJob(sql, jobId)} and status = 'LIVE'
      union
      select c.connection_id from connection c join account_grant g on g.connection_id = c.connection_id and g.status = 'LIVE'
      where c.scope_id = ${scopeId} and c.provider = ${provider} and ${mayBeOne}
      union
      select connection_id from doubtful where (select count(*) from doubtful) <= ${MAX_DOUBTFUL}
    )
    select connection_id from listed
    where (select status from connection c where c.connection_id = listed.connection_id) in ${listOf(sql, GRANTED_CONNECTION)}
    limit ${MAX_SIBLINGS}
  `;
}

/**
 * Moves a suspended connection to CONNECTED if no unsettled revoke affects it. Decides under the locks of scope and
 * connection, so that no concurrent disconnect is missed: one from another scope with the same principal locks only the
 * connection. @returns whether the connection moved.
 */
export async function resumeSibling(
  tx: Transaction,
  connectionId: ConnectionId,
  listReached: (sql: Sql, registrationId: RegistrationId) => Promise<readonly RegistrationId[]>,
): Promise<boolean> {
  const row = await findRow(tx, Sibling)`
    select s.scope_id, c.provider, c.provider_account_id, c.registration_id from connection c join scope s using (scope_id)
    where connection_id = ${connectionId} for no key update of s
  `;
  if (!row) return false;
  const { scopeId, provider, providerAccountId, registrationId } = row;
  await lockConnectionById(tx, connectionId);
  const principalMac = await findValue(tx, PrincipalMac)`
    select principal_mac from account_grant where connection_id = ${connectionId} and status = 'LIVE' for no key update
  `;
  if (principalMac === undefined) return false;
  const owner = { principalMac, providerAccountId, reached: await listReached(tx, registrationId) };
  const held = (await isDisconnecting(tx, scopeId, provider)) || (await isPrincipalDisconnecting(tx, owner));
  return !held && (await resumeConnection(tx, connectionId));
}

async function resumeConnection(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  return await hasRows(tx)`
    update connection set status = 'CONNECTED', changed_at = business_now()
    where connection_id = ${connectionId} and status = 'SUSPENDED'
  `;
}
