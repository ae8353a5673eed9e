import { type ConnectionId, type CorrelationId, GrantId, type JobId, newId, ScopeId } from '../ids.ts';
import { cancelReconnects } from './attempts.ts';
import { type Connection, lockConnection, moveConnection } from './connections.ts';
import { insertDisconnectJob, listReceipts } from './disconnect-jobs.ts';
import { hasNoRow } from './due.ts';
import { cancelReadJobs, type ReadJobKind } from './read-jobs.ts';
import { cancelSync } from './scans.ts';
import type { Sql, Transaction } from './sql.ts';
import { UNFINISHED_ATTEMPT } from './transitions.ts';

/** What a disconnect has set going. */
export interface StartedDisconnect {
  readonly connection: Connection;
  readonly revokeJobId: JobId;
  readonly eraseJobId: JobId;
  readonly revokeSettledWell: boolean;
  /** False when it had been asked for before: the same receipts, and nothing to dispatch. */
  readonly started: boolean;
  /** The kinds of the read jobs that it has ended. */
  readonly canceledReads: readonly ReadJobKind[];
}

/**
 * Cuts a connection off at once: no read passes from this commit on, its reads in flight and reconnects end, its grant
 * waits to be revoked. Hold the scope's lock. @returns undefined when there is no such connection.
 */
export async function startDisconnect(
  tx: Transaction,
  scope: { scopeId: ScopeId; scopeMac: Buffer },
  connectionId: ConnectionId | undefined,
  correlationId: CorrelationId,
): Promise<StartedDisconnect | undefined> {
  const connection = await lockConnection(tx, scope.scopeId, connectionId);
  if (!connection) return undefined;
  const started = await moveConnection(tx, connection.connectionId, 'DISCONNECTED');
  if (!started) {
    const receipts = await listReceipts(tx, [connection.connectionId]);
    const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
    const erase = receipts.find(({ kind }) => kind === 'ERASE');
    if (!revoke || !erase) throw new Error('A disconnected connection has lost its receipts.');
    return {
      connection,
      revokeJobId: revoke.jobId,
      eraseJobId: erase.jobId,
      revokeSettledWell: revoke.status === 'SUCCEEDED',
      started,
      canceledReads: [],
    };
  }
  const [grant] = await tx`
    update account_grant set status = 'REVOKING'
    where connection_id = ${connection.connectionId} and status = 'LIVE'
    returning grant_id, principal_mac
  `;
  const canceledReads = await cancelReadJobs(tx, connection.connectionId, 'CONNECTION_DISCONNECTED');
  await cancelSync(tx, connection.connectionId);
  await cancelReconnects(tx, connection.connectionId, null);
  const revokeJobId = newId<JobId>();
  const eraseJobId = newId<JobId>();
  for (const [kind, jobId] of [['REVOKE', revokeJobId] as const, ['ERASE', eraseJobId] as const]) {
    await insertDisconnectJob(tx, {
      jobId,
      kind,
      connectionId: connection.connectionId,
      grantId: kind === 'REVOKE' && grant ? GrantId.parse(grant.grantId) : null,
      run: 0,
      attemptId: null,
      appId: connection.appId,
      provider: connection.provider,
      registrationId: connection.registrationId,
      scopeId: scope.scopeId,
      principalMac: grant ? (grant.principalMac as Buffer | null) : null,
      scopeMac: scope.scopeMac,
      correlationId,
    });
  }
  return { connection, revokeJobId, eraseJobId, revokeSettledWell: false, started, canceledReads };
}

/** Deletes what was read of the account: posts, coverage, profile. Its row and grant wait for the revoke. */
export async function purgeContent(sql: Sql, connectionId: ConnectionId): Promise<void> {
  await sql`delete from content_item where connection_id = ${connectionId}`;
  await sql`delete from coverage where connection_id = ${connectionId}`;
  await sql`
    update connection set profile = null, profile_observed_at = null, last_successful_sync_at = null, upkeep_due_at = null
    where connection_id = ${connectionId} and status in ('DISCONNECTED', 'DELETING')
  `;
}

/** Deletes the connection with all that hangs on it, its scope too where nothing else needs it. */
export async function eraseConnection(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  const [row] = await tx`
    delete from connection where connection_id = ${connectionId} and status = 'DELETING' returning scope_id
  `;
  if (!row) return;
  const scopeId = ScopeId.parse(row.scopeId);
  await tx`delete from account_grant g where scope_id = ${scopeId} and ${isUnusedGrant(tx)}`;
  await deleteUnusedScopes(tx, [scopeId]);
}

/**
 * Of a grant `g`: it was superseded or came to nothing, its revoke has ended, and so has its attempt. Nobody asks for it
 * any more.
 */
export const isUnusedGrant = (sql: Sql) => sql`
  g.status = 'DEAD' and g.connection_id is null and ${hasNoRow(
    sql,
    sql`
      select 1 from connect_attempt a where a.attempt_id = g.attempt_id and a.status = any(${[...UNFINISHED_ATTEMPT]})
    `,
  )}
`;

/**
 * Scopes no connection, attempt or grant refers to: nobody is behind them any more. Asked for each scope by itself, which a
 * join of many of them with three large tables would not be.
 */
export async function deleteUnusedScopes(tx: Sql, scopeIds: readonly ScopeId[]): Promise<void> {
  await tx`
    delete from scope s where scope_id = any(${[...scopeIds]}::uuid[])
      and (select true from connection c where c.scope_id = s.scope_id limit 1) is null
      and (select true from connect_attempt a where a.scope_id = s.scope_id limit 1) is null
      and (select true from account_grant g where g.scope_id = s.scope_id limit 1) is null
  `;
}
