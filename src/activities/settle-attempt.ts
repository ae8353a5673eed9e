import { completeAttempt, endWithoutConnection, type SettledAttempt } from '../domain/connecting/complete-attempt.ts';
import type { UnsuccessfulEnd } from '../domain/connecting/permit-attempt.ts';
import type { AttemptId } from '../ids.ts';
import { inTransaction } from '../store/sql.ts';
import type { Deps } from './deps.ts';

/** How an attempt ends in the rows: as a connection, or with its grant handed to a compensating revoke. */
export const createSettleAttemptActivities = (deps: Deps) => ({
  /** Makes the connection, or says why there is none and gives the grant back, in one transaction. */
  async completeAttempt({ attemptId }: { attemptId: AttemptId }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, (tx) => completeAttempt(deps, tx, attemptId));
    deps.outbox.deliverSoon();
    return settled;
  },

  /** Ends an attempt without a connection; a grant it has yielded is given back. */
  async endAttempt({ attemptId, end }: { attemptId: AttemptId; end: UnsuccessfulEnd }): Promise<SettledAttempt> {
    const settled = await inTransaction(deps.sql, (tx) => endWithoutConnection(deps, tx, attemptId, end));
    deps.outbox.deliverSoon();
    return settled;
  },
});
