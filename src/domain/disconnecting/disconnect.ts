import type { ProviderName } from '../../basics/codes.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import type { Connection } from '../../store/connections/connections.ts';
import {
  type DisconnectCause,
  type ReceiptIds,
  type StartedDisconnect,
  startDisconnect,
} from '../../store/connections/disconnects.ts';
import { lockConnectionWithSiblings, suspendConnections } from '../../store/connections/siblings.ts';
import { type Transaction, withCommit } from '../../store/driver/sql.ts';
import { insertDispatch, type WorkLane } from '../../store/outbox.ts';
import { lockScopeById, type SubjectScope } from '../../store/scopes.ts';
import type { Mac } from '../../vault/mac.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { listReached, listReachedAccountMacs } from '../reach.ts';
import { noteCanceled } from '../reading/end-read-job.ts';
import { buildReceiptParts } from './receipts.ts';

/** The facts and settings that a disconnect depends on. */
export interface DisconnectRules {
  readonly facts: Readonly<Record<ProviderName, ProviderFacts>>;
  readonly mac: Mac;
  /** True if a disconnect suspends the subject's other accounts at the provider until its revoke has settled. */
  readonly suspendSiblings: boolean;
}

/**
 * Disconnects: ends all access at once, inserts the revoke and the erase job, and starts their workflow. If the
 * connection is already disconnected, returns the jobs of that disconnect. Wake the outbox after the commit.
 * @param cause the reason in its events and receipts.
 * @param options.lane where its workflow waits to start.
 * @param options.spares whether the revoke is sent only if it certainly ends no other grant in use. A person's own disconnect always
 * revokes; afterwards the other connections are verified.
 * @param options.lost the receipts of a disconnect that was accepted and whose rows are lost; its workflow still runs.
 * @param options.isWanted runs under the locks; if it returns false, nothing happens.
 * @returns undefined if the connection no longer exists, or the disconnect is not wanted any more.
 */
export async function disconnect(
  { facts, mac, suspendSiblings }: DisconnectRules,
  tx: Transaction,
  connection: Pick<Connection, 'connectionId' | 'scopeId' | 'appId' | 'provider' | 'registrationId'>,
  scope: SubjectScope,
  cause: DisconnectCause,
  {
    lane = 'REQUEST',
    spares = false,
    lost,
    isWanted,
  }: { lane?: WorkLane; spares?: boolean; lost?: ReceiptIds; isWanted?: () => Promise<boolean> } = {},
): Promise<StartedDisconnect | undefined> {
  const { connectionId, scopeId, appId, provider } = connection;
  const holds = suspendSiblings && facts[provider].holdsSiblingsOnDisconnect;
  const [, reached] = await Promise.all([
    lockScopeById(tx, scopeId),
    listReached({ facts }, tx, connection.registrationId),
  ]);
  const siblings = holds ? await lockConnectionWithSiblings(tx, { connectionId, scopeId, provider }, reached) : [];
  const scopeMac = mac.of(...buildReceiptParts(appId, scope));
  const listAccountMacs = (accountId: string) => listReachedAccountMacs({ mac }, reached, accountId);
  const options = { spares, listAccountMacs, ids: lost, isWanted };
  const result = await startDisconnect(tx, { scopeId, scopeMac }, connectionId, cause, options);
  if (!result?.started) return result;
  await noteCanceled(tx, result.canceledReads);
  if (siblings.length > 0) await withCommit(tx, suspendConnections(tx, siblings));
  if (lost !== undefined) return result;
  const { revokeJobId, eraseJobId } = result;
  const { correlationId, reason } = cause;
  const row = { connectionId, provider, revokeJobId, eraseJobId, appId, correlationId, ...(reason && { reason }) };
  await withCommit(tx, insertDispatch(tx, buildDispatch('disconnect', row, { lane })));
  return result;
}
