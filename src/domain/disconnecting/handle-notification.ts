import type { CorrelationId, RegistrationId } from '../../basics/ids.ts';
import type { PlatformNotice } from '../../providers/facts.ts';
import { noteDuringExchange } from '../../store/attempts/attempts.ts';
import { recordRemoval } from '../../store/connections/proofs.ts';
import type { Database } from '../../store/driver/sql.ts';
import { inTransaction } from '../../store/driver/sql.ts';
import {
  type CallbackRegistration,
  type ConnectionToDelete,
  countNamedConnections,
  hasOwnRevoke,
  insertDeletionRequest,
  insertDeletionRequestConnections,
  isDeletionRequested,
  listNamedConnections,
  type NamedAccount,
  updateDeletionRequest,
} from '../../store/erasures/platform-callbacks.ts';
import { insertDispatches } from '../../store/outbox.ts';
import { lockScopeById } from '../../store/scopes.ts';
import { buildDispatch } from '../../workflows/dispatches.ts';
import { listPrincipalMacs } from '../reach.ts';
import { type DisconnectRules, disconnect } from './disconnect.ts';

export interface NotificationDeps extends DisconnectRules {
  readonly sql: Database;
  readonly outbox: { deliverSoon(): void };
}

/** The outcome of a notice. `code` is the confirmation code of a deletion request. */
export interface HandledNotification {
  readonly outcome: 'VERIFYING' | 'DELETING' | 'OURS' | 'NOTHING';
  /** The number of connections affected. */
  readonly count: number;
  readonly code?: string;
}

/** Handles a platform's notice and commits all changes. Handling it twice has the same effect as once. */
export async function handleNotification(
  deps: NotificationDeps,
  callee: CallbackRegistration,
  notice: PlatformNotice,
  correlationId: CorrelationId,
): Promise<HandledNotification> {
  if (notice.kind === 'unrelated') return { outcome: 'NOTHING', count: 0 };
  const { registrationId } = callee;
  const { accountId, happenedAt } = notice;
  const accountMacs = deps.mac.allOf('account', registrationId, accountId);
  const named = { registrationId, accountMacs, happenedAt };
  if (notice.kind === 'deletion') return await acceptDeletion(deps, named, accountId, correlationId);
  if (notice.byUs) {
    const principalMacs = await listPrincipalMacs(deps, deps.sql, registrationId, accountId);
    if (await hasOwnRevoke(deps.sql, registrationId, principalMacs)) return { outcome: 'OURS', count: 0 };
  }
  return await beginVerification(deps, callee, named, correlationId);
}

/** Verifies each grant with the provider, because notices may arrive late or more than once. */
async function beginVerification(
  { sql, outbox }: NotificationDeps,
  { provider }: CallbackRegistration,
  named: NamedAccount,
  correlationId: CorrelationId,
): Promise<HandledNotification> {
  const reportedAt = named.happenedAt;
  const count = await inTransaction(sql, async (tx) => {
    // This comes first: it waits for an attempt that completes meanwhile, whose connection is found below.
    await noteDuringExchange(tx, named.registrationId);
    let found = 0;
    for await (const page of listNamedConnections(tx, named)) {
      await recordRemoval(
        tx,
        page.map(({ connectionId }) => connectionId),
      );
      const dispatches = page.map(({ connectionId, appId }) =>
        buildDispatch('verifyGrant', { connectionId, provider, reportedAt, appId, correlationId }),
      );
      await insertDispatches(tx, dispatches);
      found += page.length;
    }
    return found;
  });
  if (count > 0) outbox.deliverSoon();
  return { outcome: count > 0 ? 'VERIFYING' : 'NOTHING', count };
}

/** The outcome of an account in a platform's list of deletions. */
export interface ListedDeletion {
  /** `UNKNOWN`: we hold no connection to it, or the person has connected it again since. */
  readonly outcome: 'DELETING' | 'UNKNOWN';
  readonly count: number;
  /** The confirmation code under which the person can follow the deletion. Null of an unknown account and of a dry run. */
  readonly code: string | null;
}

/**
 * Handles an account that a platform lists for deletion, outside its callbacks, as a deletion request of that account. A
 * second call has the same effect as one.
 */
export async function deleteListedAccount(
  deps: Pick<NotificationDeps, 'sql' | 'mac'>,
  listed: { registrationId: RegistrationId; accountId: string; requestedAt: Date },
  correlationId: CorrelationId,
  { dryRun }: { dryRun: boolean },
): Promise<ListedDeletion> {
  const { registrationId, accountId, requestedAt } = listed;
  const accountMacs = deps.mac.allOf('account', registrationId, accountId);
  const named = { registrationId, accountMacs, happenedAt: requestedAt };
  const count = await countNamedConnections(deps.sql, named);
  if (count === 0) return { outcome: 'UNKNOWN', count, code: null };
  if (dryRun) return { outcome: 'DELETING', count, code: null };
  const { code = null, ...accepted } = await acceptDeletion(deps, named, accountId, correlationId);
  return { outcome: 'DELETING', count: accepted.count, code };
}

/**
 * Records the connections to delete in one transaction, so that the platform gets its answer at once. A sweep then
 * disconnects them one after another.
 */
async function acceptDeletion(
  { sql, mac }: Pick<NotificationDeps, 'sql' | 'mac'>,
  named: NamedAccount,
  accountId: string,
  correlationId: CorrelationId,
): Promise<HandledNotification> {
  // A repeated request gets the same code. The code is as hard to guess as the key.
  const parts = ['deletion', named.registrationId, accountId, named.happenedAt.toISOString()] as const;
  const codes = mac.allOf(...parts).map((one) => one.toString('hex').slice(0, 32));
  return await inTransaction(sql, async (tx) => {
    const code = await insertDeletionRequest(tx, codes);
    const count = await insertDeletionRequestConnections(tx, code, named, correlationId);
    await updateDeletionRequest(tx, code, count, named);
    return { outcome: count > 0 ? 'DELETING' : 'NOTHING', count, code };
  });
}

/**
 * Disconnects a connection that a deletion request names, unless the person has reconnected it since. Repeating it has
 * no further effect. Wake the outbox afterwards. @returns true if this call disconnected it.
 */
export async function disconnectAsRequested(
  rules: DisconnectRules,
  sql: Database,
  { tenantKey, externalSubjectId, correlationId, ...connection }: ConnectionToDelete,
): Promise<boolean> {
  return await inTransaction(sql, async (tx) => {
    await lockScopeById(tx, connection.scopeId);
    if (!(await isDeletionRequested(tx, connection.connectionId))) return false;
    const scope = { tenantKey, externalSubjectId };
    const cause = { reason: 'PLATFORM_DELETION', correlationId } as const;
    const result = await disconnect(rules, tx, connection, scope, cause, { lane: 'BULK' });
    return result?.started ?? false;
  });
}
