import type { CorrelationId } from '../ids.ts';
import type { Connection } from '../store/connections.ts';
import { type StartedDisconnect, startDisconnect } from '../store/disconnects.ts';
import { insertDispatch } from '../store/outbox.ts';
import { lockScopeById, type SubjectScope } from '../store/scopes.ts';
import { lockWithSiblings, suspendConnections } from '../store/siblings.ts';
import type { Transaction } from '../store/sql.ts';
import { disconnectDispatch } from '../workflows/contract.ts';
import type { ApiDeps } from './deps.ts';
import { receiptParts } from './resolvers/sync-job.ts';

/**
 * Disconnects: cuts the connection off at once, leaves the receipts of its revoke and its erase, and has both begun.
 * Asked for again, it finds what was started before. Tell the outbox when it has committed.
 * @returns undefined when there is no such connection any more.
 */
export async function letGo(
  { facts, mac, suspendSiblings }: Pick<ApiDeps, 'facts' | 'mac' | 'suspendSiblings'>,
  tx: Transaction,
  connection: Pick<Connection, 'connectionId' | 'scopeId' | 'appId' | 'provider'>,
  scope: SubjectScope,
  correlationId: CorrelationId,
): Promise<StartedDisconnect | undefined> {
  const { connectionId, scopeId, appId, provider } = connection;
  await lockScopeById(tx, scopeId);
  const holds = suspendSiblings && facts[provider].holdsSiblingsOnDisconnect;
  const siblings = holds ? await lockWithSiblings(tx, { connectionId, scopeId, provider }) : [];
  const scopeMac = mac.of(...receiptParts(appId, scope));
  const disconnect = await startDisconnect(tx, { scopeId, scopeMac }, connectionId, correlationId);
  if (!disconnect?.started) return disconnect;
  await suspendConnections(tx, siblings);
  const { revokeJobId, eraseJobId } = disconnect;
  await insertDispatch(
    tx,
    disconnectDispatch({ connectionId, provider, revokeJobId, eraseJobId, appId, correlationId }),
  );
  return disconnect;
}
