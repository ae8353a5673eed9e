import { completeAttempt, endWithoutConnection, type SettledAttempt } from '../domain/connecting/complete-attempt.ts';
import type { UnsuccessfulEnd } from '../domain/connecting/permit-attempt.ts';
import type { AttemptId } from '../ids.ts';
import { inTransaction } from '../store/sql.ts';
import type { Deps } from './deps.ts';

/** Ends attempts in the rows: with a connection, or with a compensating revoke of the grant. */
export const createSettleAttemptActivities = (deps: Deps) => ({
  /** Inserts the connection, or records why there is none and starts a revoke of the grant, in one transaction. */
  async completeAttempt({ attemptId }: { attemptId: AttemptId }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, (tx) => completeAttempt(deps, tx, attemptId));
    deps.outbox.deliverSoon();
    return settled;
  },

  /** Ends an attempt without a connection, and starts a revoke if it has a grant. */
  async endAttempt({ attemptId, end }: { attemptId: AttemptId; end: UnsuccessfulEnd }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, (tx) => endWithoutConnection(deps, tx, attemptId, end));
    deps.outbox.deliverSoon();
    return settled;
  },
});
