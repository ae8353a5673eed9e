import { type GrantInUseReason, isDenial, isGrantInUse } from '../domain/access/denial.ts';
import { type CallDenial, mayCall, type PermitOf, type Purpose } from '../domain/access/may-call.ts';
import type { AttemptDenial } from '../domain/access/may-connect.ts';
import type { Sql } from '../store/driver/sql.ts';
import { createRefusal } from './failures.ts';

/** A revoke that may end a grant in use: its tokens are only discarded. */
export class GrantInUse extends Error {
  override readonly name = 'GrantInUse';
  readonly reason: GrantInUseReason;

  constructor(reason: GrantInUseReason) {
    super('A grant in use may depend on this one.');
    this.reason = reason;
  }
}

/**
 * Asks for a permit: just before a call to a platform, and again in the transaction that stores its answer.
 * @throws the denial as a failure of the activity; `GrantInUse`
 */
export async function requirePermit<P extends Purpose>(sql: Sql, purpose: P): Promise<PermitOf<P>> {
  const permit = await mayCall(sql, purpose);
  if (isDenial(permit)) throw toRefusal(permit);
  return permit;
}

/** The failure of an activity that may not continue. Never a `ProviderError`: no platform was called. */
export const toRefusal = ({ reason }: CallDenial | AttemptDenial): Error =>
  isGrantInUse(reason) ? new GrantInUse(reason) : createRefusal(reason);
