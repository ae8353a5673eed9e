import { issuePermit, type Loss, type Purpose } from '../domain/permits.ts';
import type { Permit } from '../providers/provider.ts';
import type { Sql } from '../store/driver/sql.ts';
import { createRefusal } from './failures.ts';

/** A compensating revoke that would end a grant in use: its tokens are only discarded. */
export class Spared extends Error {
  override readonly name = 'Spared';
}

const WHY: Readonly<Record<Exclude<Loss, 'SPARED'>, string>> = {
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
export async function requirePermit(sql: Sql, purpose: Purpose): Promise<Permit> {
  const permit = await issuePermit(sql, purpose);
  if (typeof permit === 'string') throw toRefusal(permit);
  return permit;
}

/** The failure of an activity that may not go on. Never a `ProviderError`: no platform has said anything. */
export function toRefusal(loss: Loss): Error {
  if (loss === 'SPARED') return new Spared('Others use the grant.');
  return createRefusal(loss, WHY[loss]);
}
