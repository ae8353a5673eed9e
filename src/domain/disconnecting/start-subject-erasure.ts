import type { AppId, AttemptId, CorrelationId, ScopeId } from '../../basics/ids.ts';
import { moveAttemptToEnd } from '../../store/attempts/attempts.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { insertErasure, listUnfinishedAttempts, type Subject } from '../../store/erasures/erasures.ts';
import { listConnectionsOfScope } from '../../store/jobs/bulk-disconnects.ts';
import type { SubjectScope } from '../../store/scopes.ts';
import type { Mac } from '../../vault/mac.ts';
import { type DisconnectRules, disconnect } from './disconnect.ts';
import { buildReceiptParts } from './receipts.ts';

/** The subject of an erasure, with the keyed hash under which its receipt is kept. */
export interface SubjectToErase extends Subject {
  readonly appId: AppId;
  readonly scopeMac: Buffer;
}

/** Identifies a subject by keyed hashes of its scope. The records of an erasure contain only these. */
export function identifySubject(
  mac: Mac,
  appId: AppId,
  scopeId: ScopeId | undefined,
  scope: SubjectScope,
): SubjectToErase {
  const parts = buildReceiptParts(appId, scope);
  return { appId, scopeId, scopeMac: mac.of(...parts), scopeMacs: mac.allOf(...parts) };
}

/** The connections and attempts of a scope that an erasure ends. Exact while the scope's lock is held. */
export interface SubjectHoldings {
  readonly connections: Awaited<ReturnType<typeof listConnectionsOfScope>>;
  readonly attempts: readonly AttemptId[];
}

export async function listHoldings(tx: Transaction, scopeId: ScopeId | undefined): Promise<SubjectHoldings> {
  if (scopeId === undefined) return { connections: [], attempts: [] };
  return {
    connections: await listConnectionsOfScope(tx, scopeId),
    attempts: await listUnfinishedAttempts(tx, scopeId),
  };
}

/**
 * Disconnects all connections of a subject, cancels its attempts and starts the erasure. Wake the outbox after the
 * commit.
 * @returns undefined if there is no data of the subject.
 */
export async function startSubjectErasure(
  rules: DisconnectRules,
  tx: Transaction,
  scope: SubjectScope,
  subject: SubjectToErase,
  held: SubjectHoldings,
  correlationId: CorrelationId,
): ReturnType<typeof insertErasure> {
  const cause = { reason: 'OPERATOR', correlationId } as const;
  for (const connection of held.connections) await disconnect(rules, tx, connection, scope, cause, { spares: true });
  for (const attemptId of held.attempts)
    await moveAttemptToEnd(tx, attemptId, { status: 'CANCELED', resultCode: 'CANCELED' });
  const connectionIds = held.connections.map(({ connectionId }) => connectionId);
  return await insertErasure(tx, { ...subject, connectionIds });
}
