import { z } from 'zod';
import type { DisconnectReason } from '../../basics/codes.ts';
import { LIVE_CONNECTION, UNFINISHED_ATTEMPT } from '../../basics/codes.ts';
import { type ConnectionId, type CorrelationId, GrantId, type JobId, newId, ScopeId } from '../../basics/ids.ts';
import { cancelReconnects } from '../attempts/attempts.ts';
import { type Sql, type Transaction, withCommit } from '../driver/sql.ts';
import { hasNoRow } from '../due.ts';
import { forgetAccount } from '../grants/grant-end.ts';
import { insertDisconnectJob, listReceipts } from '../jobs/disconnect-jobs.ts';
import { type CanceledRead, cancelReadJobs } from '../jobs/read-jobs.ts';
import { cancelSync } from '../jobs/scans.ts';
import { getValue, listOf } from '../rows.ts';
import { sourcesOf } from '../transitions.ts';
import { type Connection, lockConnection, moveConnection } from './connections.ts';

/** The result of a disconnect request. */
export interface StartedDisconnect {
  readonly connection: Connection;
  readonly revokeJobId: JobId;
  readonly eraseJobId: JobId;
  readonly revokeSettledWell: boolean;
  /** False for a repeated request: it has the same receipts, and nothing to dispatch. */
  readonly started: boolean;
  /** The kinds of the canceled read jobs. */
  readonly canceledReads: readonly CanceledRead[];
}

/** Why, and for which request. Null of a repeated disconnect whose reason is lost. */
export interface DisconnectCause {
  readonly reason: DisconnectReason | null;
  readonly correlationId: CorrelationId;
}

/** The ids of both receipts of a disconnect. */
export type ReceiptIds = Pick<StartedDisconnect, 'revokeJobId' | 'eraseJobId'>;

interface DisconnectOptions {
  /** Whether the revoke is sent only if it certainly ends no other grant in use. */
  readonly spares: boolean;
  /** The keyed hashes of the account, under each registration that the revoke reaches. */
  readonly listAccountMacs: (providerAccountId: string) => readonly Buffer[];
  readonly ids?: ReceiptIds | undefined;
  /** Is asked under the lock of the connection. */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
}

/**
 * Disconnects a connection: from this commit on reads are refused, read jobs and reconnects are canceled, and the grant
 * waits for its revoke. The caller holds the scope's lock.
 * @returns undefined if the connection is missing, or the disconnect is not wanted any more.
 */
export async function startDisconnect(
  tx: Transaction,
  scope: { scopeId: ScopeId; scopeMac: Buffer },
  connectionId: ConnectionId | undefined,
  { reason, correlationId }: DisconnectCause,
  {
    spares,
    listAccountMacs,
    ids = { revokeJobId: newId<JobId>(), eraseJobId: newId<JobId>() },
    isWanted,
  }: DisconnectOptions,
): Promise<StartedDisconnect | undefined> {
  const connection = await lockConnection(tx, scope.scopeId, connectionId);
  if (!connection || (isWanted && !(await isWanted()))) return undefined;
  if (!sourcesOf('connection', 'DISCONNECTED').includes(connection.status)) {
    const receipts = await listReceipts(tx, [connection.connectionId]);
    const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
    const erase = receipts.find(({ kind }) => kind === 'ERASE');
    if (!revoke || !erase) throw new Error('A disconnected connection has lost its receipts.');
    return {
      connection,
      revokeJobId: revoke.jobId,
      eraseJobId: erase.jobId,
      revokeSettledWell: revoke.status === 'SUCCEEDED',
      started: false,
      canceledReads: [],
    };
  }
  // Under the locks of scope and connection their order does not matter.
  const [, [grant], canceledReads] = await Promise.all([
    moveConnection(tx, connection.connectionId, 'DISCONNECTED'),
    tx`
      update account_grant set status = 'REVOKING', ${forgetAccount(tx)}
      where connection_id = ${connection.connectionId} and status = 'LIVE'
      returning grant_id, principal_mac
    `,
    cancelReadJobs(tx, connection.connectionId, 'CONNECTION_DISCONNECTED'),
    cancelSync(tx, connection.connectionId),
    cancelReconnects(tx, connection.connectionId, null),
  ]);
  const { revokeJobId, eraseJobId } = ids;
  const job = {
    connectionId: connection.connectionId,
    run: 0,
    attemptId: null,
    appId: connection.appId,
    provider: connection.provider,
    registrationId: connection.registrationId,
    scopeId: scope.scopeId,
    principalMac: grant ? (grant.principalMac as Buffer | null) : null,
    accountMacs: listAccountMacs(connection.providerAccountId),
    spares,
    scopeMac: scope.scopeMac,
    reason,
    correlationId,
  };
  const grantId = grant ? GrantId.parse(grant.grantId) : null;
  await withCommit(
    tx,
    insertDisconnectJob(tx, { ...job, jobId: revokeJobId, kind: 'REVOKE', grantId }),
    insertDisconnectJob(tx, { ...job, jobId: eraseJobId, kind: 'ERASE', grantId: null }),
  );
  return { connection, revokeJobId, eraseJobId, revokeSettledWell: false, started: true, canceledReads };
}

/** The most posts that one statement of a purge deletes. */
const PURGE_BATCH = 1_000;

/**
 * Deletes the data read from a disconnected account: posts, coverage and profile. Does nothing to an account that is not
 * disconnected, for example because a fail-over has lost its disconnect. Outside a transaction each batch of posts
 * commits on its own, so that a repeated call continues where a failed one stopped.
 */
export async function purgeContent(sql: Sql, connectionId: ConnectionId): Promise<void> {
  // One statement: most accounts have fewer posts than a batch.
  const batch = () => getValue(sql, z.coerce.number())`
    with gone as (
      select connection_id from connection where connection_id = ${connectionId} and status not in ${listOf(sql, LIVE_CONNECTION)}
    ),
    posts as (
      delete from content_item where content_item_id in (
        select content_item_id from content_item where connection_id = (select connection_id from gone) limit ${PURGE_BATCH}
      ) returning 1
    ),
    covered as (delete from coverage where connection_id = (select connection_id from gone)),
    read as (
      update connection set profile = null, profile_observed_at = null, last_successful_sync_at = null
      where connection_id = (select connection_id from gone)
        and (profile is not null or profile_observed_at is not null or last_successful_sync_at is not null)
    )
    select count(*) from posts
  `;
  while ((await batch()) === PURGE_BATCH);
}

/** Deletes the connection and its dependent rows, and its scope if nothing else uses it. */
export async function eraseConnection(tx: Transaction, connectionId: ConnectionId): Promise<void> {
  const [row] = await tx`
    delete from connection where connection_id = ${connectionId} and status = 'DELETING' returning scope_id
  `;
  if (!row) return;
  const scopeId = ScopeId.parse(row.scopeId);
  await withCommit(
    tx,
    tx`delete from account_grant g where scope_id = ${scopeId} and ${isUnusedGrant(tx)}`,
    deleteUnusedScopes(tx, [scopeId]),
  );
}

/** Selects a grant `g` that no connection uses, whose revoke and attempt have both ended. */
export const isUnusedGrant = (sql: Sql) => sql`
  g.status = 'DEAD' and g.connection_id is null and ${hasNoRow(
    sql,
    sql`
      select 1 from connect_attempt a where a.attempt_id = g.attempt_id and a.status = any(${[...UNFINISHED_ATTEMPT]})
    `,
  )}
`;

/**
 * Deletes scopes that no connection, attempt or grant refers to. A subquery for each scope avoids a join of many scopes
 * with three large tables.
 */
export async function deleteUnusedScopes(tx: Sql, scopeIds: readonly ScopeId[]): Promise<void> {
  await tx`
    delete from scope s where scope_id = any(${[...scopeIds]}::uuid[])
      and (select true from connection c where c.scope_id = s.scope_id limit 1) is null
      and (select true from connect_attempt a where a.scope_id = s.scope_id limit 1) is null
      and (select true from account_grant g where g.scope_id = s.scope_id limit 1) is null
  `;
}
