import { randomBytes } from 'node:crypto';
import type { Capability } from '../../basics/codes.ts';
import type { ResultCode } from '../../basics/failure-codes.ts';
import { type AppId, type AttemptId, type ConnectionId, type CorrelationId, newId } from '../../basics/ids.ts';
import type { Account } from '../../providers/provider.ts';
import { connectAttempts, insertImportedAttempt } from '../../store/attempts/attempts.ts';
import { lockConnectionByAccount } from '../../store/connections/attach-grant.ts';
import { findConnection } from '../../store/connections/connections.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { findGrantOfAttempt, insertGrant, updateGrantAccount, updateImportMac } from '../../store/grants/grants.ts';
import { insertImportedToken } from '../../store/grants/imported-tokens.ts';
import { lockScope, type SubjectScope } from '../../store/scopes.ts';
import type { AttemptRules } from '../access/may-connect.ts';
import { completeAttempt } from './complete-attempt.ts';

/** A grant that another system obtained, after the provider has confirmed it. */
export interface ImportedGrant {
  readonly appId: AppId;
  readonly scope: SubjectScope;
  readonly capabilities: readonly Capability[];
  readonly grant: Omit<Parameters<typeof insertGrant>[1], 'attemptId' | 'scopeId'>;
  /** The keyed hash of the other system's token, to find the grant again. */
  readonly importMac: Buffer;
  /** For how long that token can work. Null if it has no end. */
  readonly tokenLifeDays: number | null;
}

/** The grant becomes no connection now. The transaction rolls back, so that nothing is revoked. */
export class ImportRefused extends Error {
  readonly code: ResultCode | 'ALREADY_CONNECTED';
  /** The connection that already has the account. */
  readonly connectionId: ConnectionId | null;

  constructor(code: ImportRefused['code'], connectionId: ConnectionId | null = null) {
    super(`The grant was not imported: ${code}.`);
    this.code = code;
    this.connectionId = connectionId;
  }
}

/** Stores the grant with an attempt of its own, as a code exchange does. */
export async function beginImport(tx: Transaction, imported: ImportedGrant): Promise<AttemptId> {
  const { appId, capabilities, grant, importMac } = imported;
  const { provider, registrationId } = grant;
  const attemptId = newId<AttemptId>();
  const scopeId = await lockScope(tx, appId, imported.scope);
  await insertImportedAttempt(tx, {
    attemptId,
    scopeId,
    appId,
    provider,
    registrationId,
    capabilities,
    launchTokenSha256: randomBytes(32),
    correlationId: newId<CorrelationId>(),
  });
  await insertGrant(tx, { ...grant, attemptId, scopeId });
  await updateImportMac(tx, grant.grantId, importMac);
  await insertImportedToken(tx, importMac, imported.tokenLifeDays);
  return attemptId;
}

/**
 * Creates or renews a connection with the imported grant, by the completion of its attempt. Wake the outbox after the
 * commit.
 * @throws ImportRefused
 */
export async function completeImport(
  rules: AttemptRules,
  tx: Transaction,
  attemptId: AttemptId,
  account: Account & { readonly accountMacs: readonly Buffer[] },
): Promise<ConnectionId> {
  const [attempt, grant] = [await connectAttempts.find(tx, attemptId), await findGrantOfAttempt(tx, attemptId)];
  if (attempt === undefined || grant === undefined) throw new ImportRefused('EXPIRED');
  await updateGrantAccount(tx, grant.grantId, account);
  // A connection that works has a newer grant than the other system: it stays as it is.
  const { providerAccountId } = account;
  const existing = await lockConnectionByAccount(tx, attempt, { ...grant, providerAccountId });
  const connection = existing && (await findConnection(tx, existing));
  if (connection !== undefined && connection.status !== 'RECONNECT_REQUIRED') {
    throw new ImportRefused('ALREADY_CONNECTED', connection.connectionId);
  }
  const settled = await completeAttempt(rules, tx, attemptId);
  const connectionId = (await connectAttempts.find(tx, attemptId))?.connectionId ?? null;
  if (connectionId === null) throw new ImportRefused(settled?.resultCode ?? 'EXPIRED');
  return connectionId;
}
