import { z } from 'zod';
import { ConnectionId } from '../../basics/ids.ts';
import type { Sql, Transaction } from '../driver/sql.ts';
import { lockPrincipalWithin } from '../grants/principals.ts';
import type { DisconnectJob } from '../jobs/disconnect-jobs.ts';
import { findValue, hasRows, listValues } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import { type Connection, isDisconnecting, lockConnectionById } from './connections.ts';

const PrincipalMac = z.instanceof(Buffer).nullable();

/** Far longer than other transactions hold it. */
const LOCK_WITHIN_MS = 2_000;

/**
 * Locks a connection and the siblings that its revoke may affect: CONNECTED ones of the same scope and provider, and
 * those of the same principal in any scope or app. Locks in the order of ids, so that disconnects with common siblings
 * wait for each other instead of deadlocking. Also locks the principal, so that no attempt of another scope completes
 * with a grant of the same principal meanwhile. The caller holds the scope's lock.
 * @returns the siblings.
 */
export async function lockConnectionWithSiblings(
  tx: Transaction,
  { connectionId, scopeId, provider }: Pick<Connection, 'connectionId' | 'scopeId' | 'provider'>,
): Promise<ConnectionId[]> {
  await lockPrincipalWithin(tx, connectionId, LOCK_WITHIN_MS);
  const locked = await listValues(tx, ConnectionId)`
    with own as (
      select principal_mac from account_grant where connection_id = ${connectionId} and status = 'LIVE'
    ),
    touched as (
      select connection_id from connection
      where scope_id = ${scopeId} and provider = ${provider} and status = 'CONNECTED'
      union
      select g.connection_id from account_grant g join own using (principal_mac) where g.status = 'LIVE'
      union
      select ${connectionId}::uuid
    )
    select connection_id from connection
    where connection_id in (select connection_id from touched)
    order by connection_id for update
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

/** Whether a connection of this principal, in any scope or app, is disconnected and its revoke has not settled. */
export async function isPrincipalDisconnecting(sql: Sql, principalMac: Buffer | null): Promise<boolean> {
  if (principalMac === null) return false;
  return await hasRows(sql)`
    select from account_grant g join connection c using (connection_id)
    where g.principal_mac = ${principalMac} and g.status <> 'DEAD' and c.status = 'DISCONNECTED'
    limit 1
  `;
}

/** More connections than one person has. The siblings of the next revoke include the rest. */
const MAX_SIBLINGS = 500;

/**
 * Lists the live connections that a settled revoke may have affected: suspended ones beside it, and those of its
 * principal.
 */
export async function listSiblings(
  sql: Sql,
  revoke: Pick<DisconnectJob, 'scopeId' | 'provider' | 'principalMac'>,
): Promise<ConnectionId[]> {
  return await listValues(sql, ConnectionId)`
    select connection_id from connection
    where scope_id = ${revoke.scopeId} and provider = ${revoke.provider} and status = 'SUSPENDED'
    union
    select connection_id from account_grant join connection using (connection_id)
    where principal_mac = ${revoke.principalMac} and account_grant.status = 'LIVE'
      and connection.status in ('CONNECTED', 'SUSPENDED')
    limit ${MAX_SIBLINGS}
  `;
}

/**
 * Moves a suspended connection to CONNECTED if no unsettled revoke affects it. Decides under the locks of scope and
 * connection, so that no concurrent disconnect is missed: one from another scope with the same principal locks only the
 * connection. @returns whether the connection moved.
 */
export async function resumeSibling(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  const [row] = await tx`
    select s.scope_id, c.provider from connection c join scope s using (scope_id)
    where connection_id = ${connectionId} for update of s
  `;
  if (!row) return false;
  await lockConnectionById(tx, connectionId);
  const principalMac = await findValue(tx, PrincipalMac)`
    select principal_mac from account_grant where connection_id = ${connectionId} and status = 'LIVE' for update
  `;
  const held =
    (await isDisconnecting(tx, row.scopeId, row.provider)) ||
    (await isPrincipalDisconnecting(tx, principalMac ?? null));
  return !held && principalMac !== undefined && (await resumeConnection(tx, connectionId));
}

async function resumeConnection(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  return await hasRows(tx)`
    update connection set status = 'CONNECTED', changed_at = business_now()
    where connection_id = ${connectionId} and status = 'SUSPENDED'
  `;
}
