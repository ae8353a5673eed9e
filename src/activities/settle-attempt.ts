import type { AttemptId } from '../basics/ids.ts';
import type { UnsuccessfulEnd } from '../domain/access/may-connect.ts';
import { completeAttempt, endWithoutConnection } from '../domain/connecting/complete-attempt.ts';
import { inTransaction } from '../store/driver/sql.ts';
import type { SettledAttempt } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { createLostRow } from './failures.ts';

/** Ends attempts in the rows: with a connection, or with a compensating revoke of the grant. */
export const createSettleAttemptActivities = (deps: Deps) => ({
  /**
   * Inserts the connection, or records why there is none and starts a revoke of the grant, in one transaction.
   * @throws `RowLost`
   */
  async completeAttempt({ attemptId }: { attemptId: AttemptId }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, (tx) => completeAttempt(deps, tx, attemptId));
    deps.outbox.deliverSoon();
    return settled ?? refuseLostAttempt(deps, attemptId);
  },

  /** Ends an attempt without a connection, and starts a revoke if it has a grant. @throws `RowLost` */
  async endAttempt({ attemptId, end }: { attemptId: AttemptId; end: UnsuccessfulEnd }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, (tx) => endWithoutConnection(deps, tx, attemptId, end));
    deps.outbox.deliverSoon();
    return settled ?? refuseLostAttempt(deps, attemptId);
  },
});

/** The row of an unfinished attempt is never deleted. */
function refuseLostAttempt({ log }: Deps, attemptId: AttemptId): never {
  throw createLostRow(log, 'The row of an attempt is lost: a grant of it may live at the platform', { attemptId });
}
