import { issuePermit, type Loss, type PermitOf, type Purpose, type Spare } from '../domain/permits.ts';
import type { Sql } from '../store/driver/sql.ts';
import { createRefusal } from './failures.ts';

/** A revoke that may end a grant in use: its tokens are only discarded. */
export class Spared extends Error {
  override readonly name = 'Spared';
  readonly why: Spare;

  constructor(why: Spare) {
    super('A grant in use may depend on this one.');
    this.why = why;
  }
}

const WHY: Readonly<Record<Exclude<Loss, Spare>, string>> = {
  NotWanted: 'Nothing asks for this call any longer.',
  GrantDead: 'The grant has ended.',
  NotAllowed: 'The policy or the registration no longer allows this.',
  Paused: 'The connection is suspended or its registration is paused.',
  POLICY_CHANGED: 'The attempt is no longer allowed.',
  REGISTRATION_PAUSED: 'The attempt is no longer allowed.',
};

/**
 * Asks for a permit: just before a call to a platform, and again in the transaction that stores its answer.
 * @throws the loss as a failure of the activity; `Spared`
 */
export async function requirePermit<P extends Purpose>(sql: Sql, purpose: P): Promise<PermitOf<P>> {
  const permit = await issuePermit(sql, purpose);
  if (typeof permit === 'string') throw toRefusal(permit);
  return permit;
}

/** The failure of an activity that may not go on. Never a `ProviderError`: no platform has said anything. */
export function toRefusal(loss: Loss): Error {
  if (loss === 'IN_USE' || loss === 'UNPROVEN') return new Spared(loss);
  return createRefusal(loss, WHY[loss]);
}
