import { ConnectionId } from '../ids.ts';
import { type Connection, isDisconnecting, lockConnectionById } from './connections.ts';
import type { DisconnectJob } from './disconnect-jobs.ts';
import { lockPrincipal } from './grants.ts';
import type { Sql, Transaction } from './sql.ts';
import { sourcesOf } from './transitions.ts';

/**
 * Takes the locks of a connection and of those that its revoke may touch: the CONNECTED ones of the same scope and
 * provider, and those with the same principal in any scope or app. In order of their ids, so that disconnects with
 * siblings in common wait for each other instead of dead-locking. Hold the scope's lock. Also takes the principal's lock,
 * so that no attempt of another scope completes with a grant of the same principal meanwhile.
 * @returns the siblings.
 */
export async function lockConnectionWithSiblings(
  tx: Transaction,
  { connectionId, scopeId, provider }: Pick<Connection, 'connectionId' | 'scopeId' | 'provider'>,
): Promise<ConnectionId[]> {
  const [own] =
    await tx`select principal_mac from account_grant where connection_id = ${connectionId} and status = 'LIVE'`;
  await lockPrincipal(tx, (own?.principalMac as Buffer | null | undefined) ?? null);
  const rows = await tx`
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
  return rows.map((row) => ConnectionId.parse(row.connectionId)).filter((id) => id !== connectionId);
}

/** Puts those that are CONNECTED on hold. */
export async function suspendConnections(tx: Transaction, connectionIds: readonly ConnectionId[]): Promise<void> {
  await tx`
    update connection set status = 'SUSPENDED', changed_at = business_now()
    where connection_id = any(${[...connectionIds]}::uuid[]) and status = any(${[...sourcesOf('connection', 'SUSPENDED')]})
  `;
}

/** Whether a connection of this principal, in any scope or app, is being let go and its revoke has not settled. */
export async function isPrincipalDisconnecting(sql: Sql, principalMac: Buffer | null): Promise<boolean> {
  if (principalMac === null) return false;
  const rows = await sql`
    select from account_grant g join connection c using (connection_id)
    where g.principal_mac = ${principalMac} and g.status <> 'DEAD' and c.status = 'DISCONNECTED'
    limit 1
  `;
  return rows.length > 0;
}

/** More than one person links; a list beyond this would be an attack, and is worked off by the next revoke's. */
const MOST_SIBLINGS = 500;

/** The live connections that a settled revoke may have touched: those on hold beside it, and those of its principal. */
export async function listSiblings(
  sql: Sql,
  revoke: Pick<DisconnectJob, 'scopeId' | 'provider' | 'principalMac'>,
): Promise<ConnectionId[]> {
  const rows = await sql`
    select connection_id from connection
    where scope_id = ${revoke.scopeId} and provider = ${revoke.provider} and status = 'SUSPENDED'
    union
    select connection_id from account_grant join connection using (connection_id)
    where principal_mac = ${revoke.principalMac} and account_grant.status = 'LIVE'
      and connection.status in ('CONNECTED', 'SUSPENDED')
    limit ${MOST_SIBLINGS}
  `;
  return rows.map((row) => ConnectionId.parse(row.connectionId));
}

/**
 * Lets a suspended connection go on once no revoke that holds it is unsettled any more. Decided under the scope's lock
 * and its own, so that no disconnect asked for meanwhile is overlooked: one of another scope with the same principal takes
 * only the connection's. @returns whether it goes on.
 */
export async function resumeSibling(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  const [row] = await tx`
    select s.scope_id, c.provider from connection c join scope s using (scope_id)
    where connection_id = ${connectionId} for update of s
  `;
  if (!row) return false;
  await lockConnectionById(tx, connectionId);
  const [grant] = await tx`
    select principal_mac from account_grant where connection_id = ${connectionId} and status = 'LIVE' for update
  `;
  const held =
    (await isDisconnecting(tx, row.scopeId, row.provider)) ||
    (await isPrincipalDisconnecting(tx, (grant?.principalMac as Buffer | null | undefined) ?? null));
  return !held && grant !== undefined && (await resumeConnection(tx, connectionId));
}

async function resumeConnection(tx: Transaction, connectionId: ConnectionId): Promise<boolean> {
  const rows = await tx`
    update connection set status = 'CONNECTED', changed_at = business_now()
    where connection_id = ${connectionId} and status = 'SUSPENDED' returning connection_id
  `;
  return rows.length > 0;
}
