import { randomBytes } from 'node:crypto';
import { type AttemptId, type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Attempt, connectAttempts, insertAttempt, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import {
  type IdentityAttempt,
  identityAttempts,
  insertIdentityAttempt,
  moveIdentityAttemptToEnd,
} from '../../src/store/attempts/identity-attempts.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { addTwins } from './bystanders.ts';
import { type SeededApp, seedScope } from './seed.ts';

// What tests of other folders need of the store.
export { type Attempt, connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
export { identityAttempts } from '../../src/store/attempts/identity-attempts.ts';

/** The row of an attempt. */
export const findAttempt = (sql: Database, attemptId: AttemptId): Promise<Attempt | undefined> =>
  connectAttempts.find(sql, attemptId);

/** The row of a sign-in. */
export const findSignIn = (sql: Database, attemptId: AttemptId): Promise<IdentityAttempt | undefined> =>
  identityAttempts.find(sql, attemptId);

/** End an attempt to connect, and a sign-in, as their workflows do. */
export { moveAttemptToEnd as endAttempt, moveIdentityAttemptToEnd as endSignIn };

/** Brings a new attempt to a later stage, in the transaction that inserts it. */
type Advance = (tx: Transaction, attemptId: AttemptId) => Promise<unknown>;

/** An attempt to connect, as the mutation inserts it: by default one of PROVIDER_B, of a new scope. */
export async function seedAttempt(
  sql: Database,
  seeded: SeededApp,
  changes: Partial<Parameters<typeof insertAttempt>[1]> = {},
  advance: Advance = async () => undefined,
): Promise<Attempt> {
  const { provider = 'PROVIDER_B', scopeId = await seedScope(sql, seeded, seeded.newScope()) } = changes;
  const attempt = await inTransaction(sql, async (tx) => {
    const inserted = await insertAttempt(tx, {
      attemptId: newId<AttemptId>(),
      scopeId,
      appId: seeded.app.appId,
      provider,
      registrationId: seeded.registrations[provider],
      capabilities: ['PROFILE'],
      returnUrl: seeded.returnUrl,
      reconnectConnectionId: null,
      launchTokenSha256: randomBytes(32),
      correlationId: newId<CorrelationId>(),
      ...changes,
    });
    await advance(tx, inserted.attemptId);
    return inserted;
  });
  await addTwins(sql, [['connect_attempt', 'attempt_id', attempt.attemptId]]);
  return attempt;
}

/** An attempt to sign in, as the mutation inserts it. */
export async function seedSignIn(
  sql: Database,
  seeded: SeededApp,
  changes: Partial<Parameters<typeof insertIdentityAttempt>[1]> = {},
  advance: Advance = async () => undefined,
): Promise<IdentityAttempt> {
  const attempt = await inTransaction(sql, async (tx) => {
    const inserted = await insertIdentityAttempt(tx, {
      attemptId: newId<AttemptId>(),
      appId: seeded.app.appId,
      tenantKey: seeded.tenantKey,
      issuerId: seeded.issuerId,
      returnUrl: seeded.identityReturnUrl,
      launchTokenSha256: randomBytes(32),
      resultProofSha256: randomBytes(32),
      correlationId: newId<CorrelationId>(),
      ...changes,
    });
    await advance(tx, inserted.attemptId);
    return inserted;
  });
  await addTwins(sql, [['identity_attempt', 'attempt_id', attempt.attemptId]]);
  return attempt;
}

/** Brings an attempt to connect to its exchange, as its launch and callback do. */
export async function answerAttempt(tx: Transaction, attemptId: AttemptId): Promise<void> {
  const hashes = { stateSha256: randomBytes(32), browserSha256: randomBytes(32) };
  await connectAttempts.moveToAuthorizing(tx, attemptId, { ...hashes, sealedCodeVerifier: 'verifier' });
  await connectAttempts.moveToExchanging(tx, attemptId, 'code');
}
