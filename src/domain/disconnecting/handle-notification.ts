import type { CorrelationId } from '../../ids.ts';
import { verifyGrantDispatch } from '../../outbox/dispatches.ts';
import type { PlatformNotice } from '../../providers/facts.ts';
import { insertDispatches } from '../../store/outbox.ts';
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
  const toldAt = named.happenedAt;
  const count = await inTransaction(sql, async (tx) => {
    let found = 0;
    for await (const page of listNamedConnections(tx, named, 'verify')) {
      const dispatches = page.map(({ connectionId, appId }) =>
        verifyGrantDispatch({ connectionId, provider, toldAt, appId, correlationId }),
      );
      await insertDispatches(tx, dispatches);
      found += page.length;
    }
    return found;
  });
  if (count > 0) outbox.nudge();
  return { outcome: count > 0 ? 'VERIFYING' : 'NOTHING', count };
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
  let count = 0;
  for await (const page of listNamedConnections(deps.sql, named, 'delete')) {
    for (const { tenantKey, externalSubjectId, ...connection } of page) {
      await inTransaction(deps.sql, async (tx) => {
        const scope = { tenantKey, externalSubjectId };
        const disconnect = await letGo(deps, tx, { ...connection, provider }, scope, correlationId);
        if (disconnect) await addToDeletionRequest(tx, code, connection.connectionId);
      });
    }
    count += page.length;
  }
  if (count > 0) deps.outbox.nudge();
  return { outcome: count > 0 ? 'DELETING' : 'NOTHING', count, code };
}
