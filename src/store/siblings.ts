import type { ConnectionId } from '../ids.ts';
import type { Connection } from './connections.ts';
import type { Sql, Transaction } from './sql.ts';
import { sourcesOf } from './transitions.ts';

/**
 * Takes the locks of a connection and of those that its revoke may touch: the CONNECTED ones of the same scope and
 * provider, and those with the same principal in any scope or app. In order of their ids, so that disconnects with
 * siblings in common wait for each other instead of dead-locking. Hold the scope's lock.
 * @returns the siblings.
 */
export async function lockWithSiblings(
  tx: Transaction,
  { connectionId, scopeId, provider }: Pick<Connection, 'connectionId' | 'scopeId' | 'provider'>,
): Promise<ConnectionId[]> {
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
  return rows.map((row) => row.connectionId as ConnectionId).filter((id) => id !== connectionId);
}

/** Puts those that are CONNECTED on hold. */
export async function suspendConnections(tx: Transaction, connectionIds: readonly ConnectionId[]): Promise<void> {
  await tx`
    update connection set status = 'SUSPENDED', changed_at = business_now()
    where connection_id = any(${[...connectionIds]}::uuid[]) and status = any(${[...sourcesOf('connection', 'SUSPENDED')]})
  `;
}

/** Whether a connection of this principal, in any scope or app, is being let go and its revoke has not settled. */
export async function isPrincipalLettingGo(sql: Sql, principalMac: Buffer | null): Promise<boolean> {
  if (principalMac === null) return false;
  const rows = await sql`
    select from account_grant g join connection c using (connection_id)
    where g.principal_mac = ${principalMac} and g.status <> 'DEAD' and c.status = 'DISCONNECTED'
    limit 1
  `;
  return rows.length > 0;
}
