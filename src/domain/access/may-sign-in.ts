import type { AttemptId } from '../../basics/ids.ts';
import { findSignInFacts } from '../../store/access/call-facts.ts';
import type { Sql } from '../../store/driver/sql.ts';
import type { Denial } from './denial.ts';

/** Whether a sign-in may proceed at its launch and its callback: its app, tenant and issuer still allow it. */
export async function maySignIn(sql: Sql, attemptId: AttemptId): Promise<Denial<'POLICY_CHANGED'> | undefined> {
  const { isAllowed } = await findSignInFacts(sql, attemptId);
  return isAllowed ? undefined : { reason: 'POLICY_CHANGED' };
}
