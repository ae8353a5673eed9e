import type { CorrelationId } from '../../ids.ts';
import { buildDisconnectDispatch } from '../../outbox/dispatches.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import type { ProviderName } from '../../providers/provider.ts';
import type { Connection } from '../../store/connections.ts';
import { type StartedDisconnect, startDisconnect } from '../../store/disconnects.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { lockScopeById, type SubjectScope } from '../../store/scopes.ts';
import { lockConnectionWithSiblings, suspendConnections } from '../../store/siblings.ts';
import type { Transaction } from '../../store/sql.ts';
import { countEndedJob } from '../../telemetry/instruments.ts';
import type { Mac } from '../../vault/mac.ts';
import { buildReceiptParts } from './receipts.ts';

/** What disconnecting goes by. */
export interface DisconnectRules {
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  readonly mac: Mac;
  /** Whether a disconnect holds the subject's other accounts at the provider until its revoke has settled. */
  readonly suspendSiblings: boolean;
}

/**
 * Disconnects: cuts the connection off at once, leaves the receipts of its revoke and its erase, and has both begun.
 * Asked for again, it finds what was started before. Tell the outbox when it has committed.
 * @returns undefined when there is no such connection any more.
 */
export async function disconnect(
  { facts, mac, suspendSiblings }: DisconnectRules,
  tx: Transaction,
  connection: Pick<Connection, 'connectionId' | 'scopeId' | 'appId' | 'provider'>,
  scope: SubjectScope,
  correlationId: CorrelationId,
): Promise<StartedDisconnect | undefined> {
  const { connectionId, scopeId, appId, provider } = connection;
  await lockScopeById(tx, scopeId);
  const holds = suspendSiblings && facts[provider].holdsSiblingsOnDisconnect;
  const siblings = holds ? await lockConnectionWithSiblings(tx, { connectionId, scopeId, provider }) : [];
  const scopeMac = mac.of(...buildReceiptParts(appId, scope));
  const result = await startDisconnect(tx, { scopeId, scopeMac }, connectionId, correlationId);
  if (!result?.started) return result;
  for (const kind of result.canceledReads) countEndedJob(kind, 'CANCELED');
  await suspendConnections(tx, siblings);
  const { revokeJobId, eraseJobId } = result;
  await insertDispatch(
    tx,
    buildDisconnectDispatch({ connectionId, provider, revokeJobId, eraseJobId, appId, correlationId }),
  );
  return result;
}
