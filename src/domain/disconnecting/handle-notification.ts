import type { CorrelationId } from '../../ids.ts';
import { verifyGrantDispatch } from '../../outbox/dispatches.ts';
import type { PlatformNotice } from '../../providers/facts.ts';
import { insertDispatch } from '../../store/outbox.ts';
import {
  type AccountNamed,
  addToDeletionRequest,
  type Callee,
  hasOwnRevoke,
  keepDeletionRequest,
  listNamedConnections,
} from '../../store/platform-callbacks.ts';
import type { Database } from '../../store/sql.ts';
import { inTransaction } from '../../store/sql.ts';
import { type DisconnectRules, letGo } from './disconnect.ts';

export interface HeedDeps extends DisconnectRules {
  readonly sql: Database;
  readonly outbox: { nudge(): void };
}

/** What became of a notice; `code` is a deletion request's. */
export interface Heeded {
  readonly outcome: 'VERIFYING' | 'DELETING' | 'OURS' | 'NOTHING';
  /** How many connections it touches. */
  readonly count: number;
  readonly code?: string;
}

/** Does what a platform's notice asks for. All of it is committed when this returns; done twice, it is done once. */
export async function heed(
  deps: HeedDeps,
  callee: Callee,
  notice: PlatformNotice,
  correlationId: CorrelationId,
): Promise<Heeded> {
  if (notice.kind === 'unrelated') return { outcome: 'NOTHING', count: 0 };
  const { registrationId } = callee;
  const { accountId, happenedAt } = notice;
  const accountMacs = deps.mac.allOf('account', registrationId, accountId);
  const named = { registrationId, accountMacs, happenedAt };
  if (notice.kind === 'deletion') return await beginDeletion(deps, callee, named, accountId, correlationId);
  const principalMacs = deps.mac.allOf('principal', registrationId, accountId);
  if (notice.byUs && (await hasOwnRevoke(deps.sql, registrationId, principalMacs)))
    return { outcome: 'OURS', count: 0 };
  return await beginVerification(deps, callee, named, correlationId);
}

/** Each grant is asked for at the provider: a platform's word comes late at times, and may come more than once. */
async function beginVerification(
  { sql, outbox }: HeedDeps,
  { provider }: Callee,
  named: AccountNamed,
  correlationId: CorrelationId,
): Promise<Heeded> {
  const connections = await inTransaction(sql, async (tx) => {
    const found = await listNamedConnections(tx, named, 'verify');
    for (const { connectionId, appId } of found) {
      await insertDispatch(
        tx,
        verifyGrantDispatch({ connectionId, provider, toldAt: named.happenedAt, appId, correlationId }),
      );
    }
    return found;
  });
  if (connections.length > 0) outbox.nudge();
  return { outcome: connections.length > 0 ? 'VERIFYING' : 'NOTHING', count: connections.length };
}

/**
 * Disconnects every connection of the account, one transaction each, for each has a scope of its own to lock. Nobody
 * has been told the code before the last of them.
 */
async function beginDeletion(
  deps: HeedDeps,
  { provider }: Callee,
  named: AccountNamed,
  accountId: string,
  correlationId: CorrelationId,
): Promise<Heeded> {
  // The same request sent again has the same code, which is as hard to guess as the key is.
  const parts = ['deletion', named.registrationId, accountId, named.happenedAt.toISOString()] as const;
  const codes = deps.mac.allOf(...parts).map((mac) => mac.toString('hex').slice(0, 32));
  const code = await inTransaction(deps.sql, (tx) => keepDeletionRequest(tx, codes));
  const connections = await listNamedConnections(deps.sql, named, 'delete');
  for (const { tenantKey, externalSubjectId, ...connection } of connections) {
    await inTransaction(deps.sql, async (tx) => {
      const scope = { tenantKey, externalSubjectId };
      const disconnect = await letGo(deps, tx, { ...connection, provider }, scope, correlationId);
      if (disconnect) await addToDeletionRequest(tx, code, connection.connectionId);
    });
  }
  if (connections.length > 0) deps.outbox.nudge();
  return { outcome: connections.length > 0 ? 'DELETING' : 'NOTHING', count: connections.length, code };
}
